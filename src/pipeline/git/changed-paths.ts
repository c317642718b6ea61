import type {Checkout} from '../../commit/checkout.js'
import type {OutputFolder} from '../../commit/output-folder.js'
import {LOCK_ENDING} from '../../declaration/entries/entry-files.js'
import {DECLARATION_TARGET, LOCK_TARGET, planFile, planFileRemoval} from '../../plan/file/plan-file.js'
import type {FolderEntries, OwnedFiles} from '../../plan/folder/folder-snapshot.js'
import {type Home, pathInHome} from '../../plan/folder/home.js'
import {ownedFilesTexts} from '../../plan/folder/plan-folder.js'
import type {CheckoutState} from '../../plan/git/checkout-snapshot.js'
import {judgeCheckout} from '../../plan/git/judge-checkout.js'
import type {Plan} from '../../plan/plan.js'
import {contentHash, type Sha256, sha256Of} from '../../plan/sha256.js'
import type {PlannedHome} from './plan-home.js'

/** Whether files that a change writes differ from HEAD, also where git does not show it, and why they must not be committed. */
export async function judgedCheckout(
  state: CheckoutState,
  desired: DesiredHashes,
  whole: OutputFolder,
  checkout: Checkout,
) {
  const paths = [...desired.keys()]
  const [changed, blocked] = await Promise.all([checkout.changed(paths), checkout.blocked(paths)])
  const entries = await whole.look(changed.map(({path}) => path))
  const asPlanned = pathsAsPlanned(desired, entries)
  const isChanged = changed.length > 0 || blocked.some(({isModified}) => isModified === true)
  return {isChanged, rejections: judgeCheckout({state, changed, blocked, asPlanned})}
}

/** An edit of the declaration or the lock. */
export interface FileEdit {
  readonly path: string
  readonly before?: string
  readonly plan: Plan
}

/** Plans the edits of the files of declaration and lock. */
export async function editedFiles(
  {texts}: PlannedHome,
  home: Home,
  whole: OutputFolder,
): Promise<readonly FileEdit[]> {
  const edits: FileEdit[] = []
  for (const [relative, content] of texts) {
    const path = pathInHome(home, relative)
    const before = await whole.read(path)
    const bytes = before === undefined ? undefined : Buffer.from(before)
    const file = {target: targetOf(path), name: path.split('/').at(-1) ?? path}
    const plan =
      content === undefined ? planFileRemoval(file, {bytes}) : planFile({...file, content}, {bytes})
    edits.push({path, before, plan})
  }
  return edits
}

function targetOf(path: string): string {
  return path.endsWith(LOCK_ENDING) ? LOCK_TARGET : DECLARATION_TARGET
}

/** The rejection of an interrupted write does not apply: the write is completed first. */
export function joinedPlan(tree: Plan, edits: readonly FileEdit[], {tree: folder}: Home): Plan {
  const inTree = (path: string) => `${folder}/${path}`
  return {
    operations: [
      ...edits.flatMap(({path, plan}) => plan.operations.map(operation => ({...operation, path}))),
      ...tree.operations.map(operation => ({...operation, path: inTree(operation.path ?? '')})),
    ],
    unchanged: tree.unchanged + edits.filter(({plan}) => plan.operations.length === 0).length,
    rejections: tree.rejections
      .filter(({rule}) => rule !== 'write-pending')
      .map(diagnostic => ({
        ...diagnostic,
        ...(diagnostic.file === undefined ? {} : {file: inTree(diagnostic.file)}),
      })),
  }
}

/** Joins the current contents of files of the tree and of others, by their paths in the repository. */
export function joinedTexts(
  tree: ReadonlyMap<string, string>,
  edits: readonly FileEdit[],
  {tree: folder}: Home,
): ReadonlyMap<string, string> {
  return new Map([
    ...edits.flatMap(({path, before}) => (before === undefined ? [] : [[path, before] as const])),
    ...[...tree].map(([path, text]) => [`${folder}/${path}`, text] as const),
  ])
}

/** The hash that each path gets; undefined for a file that is deleted. */
export type DesiredHashes = ReadonlyMap<string, Sha256 | undefined>

/** Managed files that HEAD or the working tree lists, and that the tree no longer has, are deleted. */
export function desiredHashes(
  {texts, files}: Pick<PlannedHome, 'texts' | 'files'>,
  home: Home,
  lists: readonly string[],
  ...listed: readonly OwnedFiles[]
): DesiredHashes {
  const managed = [...lists, ...listed.flatMap(owned => [...owned.keys()])]
  return new Map<string, Sha256 | undefined>([
    ...managed.map(path => [`${home.tree}/${path}`, undefined] as const),
    ...files.map(file => [`${home.tree}/${file.path}`, contentHash(file)] as const),
    ...[...ownedFilesTexts(files)].map(([path, text]) => [`${home.tree}/${path}`, sha256Of(text)] as const),
    ...[...texts].map(
      ([path, text]) => [pathInHome(home, path), text === undefined ? undefined : sha256Of(text)] as const,
    ),
  ])
}

function pathsAsPlanned(desired: DesiredHashes, entries: FolderEntries): ReadonlySet<string> {
  const hashAt = (path: string) => {
    const entry = entries.get(path)
    return entry?.kind === 'file' ? entry.sha256 : entry?.kind
  }
  return new Set([...desired].flatMap(([path, sha256]) => (hashAt(path) === sha256 ? [path] : [])))
}
