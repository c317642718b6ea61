import {fileTarget, textIn} from '../../commit/file-target.js'
import {LOCK_ENDING} from '../../declaration/entries/entry-files.js'
import type {WritableFile} from '../../fetch/output-files.js'
import {DECLARATION_TARGET, LOCK_TARGET, planFile, planFileRemoval} from '../../plan/file/plan-file.js'
import type {Plan} from '../../plan/plan.js'
import {present} from '../../present.js'

/** A file of a declaration or its lock, and its change. */
export interface HomeFile {
  readonly name: string
  readonly file: WritableFile
  /** Its current content; absent if it does not exist. */
  readonly before?: string
  readonly plan: Plan
}

/** Plans the files of a declaration and its lock, by path; those without a text are deleted. */
export async function planHomeFiles(
  texts: ReadonlyMap<string, string | undefined>,
  open: (path: string) => WritableFile,
): Promise<readonly HomeFile[]> {
  return await Promise.all([...texts].map(([path, text]) => planned(path, text, open(path))))
}

async function planned(path: string, content: string | undefined, file: WritableFile): Promise<HomeFile> {
  const before = await textIn(file)
  const bytes = before === undefined ? undefined : Buffer.from(before)
  const target = path.endsWith(LOCK_ENDING) ? LOCK_TARGET : DECLARATION_TARGET
  const plan =
    content === undefined
      ? planFileRemoval({target, name: path}, {bytes})
      : planFile({target, name: path, content}, {bytes})
  return {name: file.name, file, plan, ...present({before})}
}

/** Executes such plans, deletions last. Throws `output-refused` where a file has changed since it was read. */
export async function writeHomeFiles(files: readonly HomeFile[]): Promise<void> {
  const isDeletion = ({plan: {operations}}: HomeFile) => operations.some(({action}) => action === 'delete')
  const sorted = [...files.filter(file => !isDeletion(file)), ...files.filter(isDeletion)]
  for (const {file, plan} of sorted) await fileTarget(file).apply(plan)
}
