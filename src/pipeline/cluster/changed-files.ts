import {fileTarget} from '../../commit/file-target.js'
import type {WritableFile} from '../../fetch/output-files.js'
import type {Operation} from '../../plan/plan.js'

/** A file that a change of a cluster edits first, by the target of its operations. */
export interface ChangedFile {
  readonly target: string
  readonly file: WritableFile
  /** Its content as the plan was made for it. */
  readonly before: string
}

/**
 * Executes the operations of a plan on files; each is seen with its old content or the new one. Throws `output-refused`
 * for a file that has changed since the plan was made.
 */
export async function writeFiles(
  files: readonly ChangedFile[],
  operations: readonly Operation[],
  report: (name: string) => void,
): Promise<void> {
  for (const {target, file} of files) {
    const own = operations.filter(operation => operation.target === target)
    if (own.length === 0) continue
    await fileTarget(file).apply({operations: own, unchanged: 0, rejections: []})
    report(file.name)
  }
}
