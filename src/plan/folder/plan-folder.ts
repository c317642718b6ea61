import type {Diagnostic} from '../../diagnostic.js'
import {grouped} from '../../grouped.js'
import type {Operation, Plan} from '../plan.js'
import {contentHash, type Sha256, sha256Of} from '../sha256.js'
import {type CrdFileChange, crdFileChanges, crdFileRejections, crdFileRisks} from './crd-file-changes.js'
import {KUSTOMIZATION_NAMES} from './file-name.js'
import type {OutputFile} from './file-tree.js'
import {folderRejections, type RejectedPath, type RejectedRule} from './folder-rejection.js'
import {fileRisks} from './folder-risks.js'
import {FOLDER_TARGET} from './folder-target-name.js'
import {foldersAbove, type FolderEntry, type FolderSnapshot, type OwnedFiles} from './folder-snapshot.js'
import {isMergedByGit} from './merged-file.js'
import {movedCrds} from './moved-crds.js'
import {nameOf} from '../../kubernetes/object-key.js'
import {objectIn} from './object-in-file.js'
import {formatLists, installList, isBookkeepingPath, OWNED_FILES, TREE_SETTINGS} from './owned-files.js'

/** Every path whose entry `planFolder` reads. */
export function pathsToObserve(
  files: readonly OutputFile[],
  owned: OwnedFiles,
  listed: readonly string[] = [],
): readonly string[] {
  const paths = files.map(file => file.path)
  const installs = files.flatMap(({installs: own = []}) => own.map(installList))
  const lists = [OWNED_FILES, ...installs, ...listed]
  return [...new Set([...lists, ...foldersOf(paths), ...rivalsOf(paths), ...paths, ...owned.keys()])]
}

/** Every path whose current content `planFolder` reads: managed files that are about to change. */
export function pathsToRead(
  files: readonly OutputFile[],
  {entries, owned}: Pick<FolderSnapshot, 'entries' | 'owned'>,
): readonly string[] {
  const contents = new Map(files.map(({path, content}) => [path, content]))
  const changing = [...owned.keys()].filter(path => {
    const [entry, content] = [entries.get(path), contents.get(path)]
    return entry?.kind === 'file' && (content === undefined || entry.sha256 !== sha256Of(content))
  })
  const lists = [...entries].flatMap(([path, {kind}]) =>
    isBookkeepingPath(path) && kind === 'file' ? [path] : [],
  )
  return [...changing, ...lists]
}

/** The rules for the changes of a folder. */
export interface FolderRules {
  /** Whether a controller applies the folder, so that a CRD must not change in a way that its instances prevent. */
  readonly gatesCrds: boolean
  /** Its path, as suggested commands name it. */
  readonly path?: string
}

/** The rules for a folder that users apply. */
export const NO_GATES: FolderRules = {gatesCrds: false}

/**
 * Selects the operation for each path, in the order of `files`. A path that is not managed, was modified since it was
 * written, or blocks another one becomes a rejection, and so does a change that breaks one of the rules.
 */
export function planFolder(
  files: readonly OutputFile[],
  snapshot: FolderSnapshot,
  {gatesCrds, path: folder = ''}: FolderRules = NO_GATES,
): Plan {
  const desired = files.map(file => ({...file, after: contentHash(file)}))
  const stale = staleOf(files, snapshot)
  const writes = desired.flatMap(file => writeOf(file, snapshot))
  const deletes = stale.filter(path => snapshot.entries.has(path)).map(path => deleteOf(path, snapshot))
  const operations = [...writes, ...deletes, ...listOperations(desired, snapshot)]
  const rejections = rejectionsOf(desired, stale, snapshot)
  const stopped = new Set(rejections.map(({path}) => path))
  const plan = {
    operations: operations.filter(({path = ''}) => !stopped.has(path)),
    unchanged: desired.filter(isVisible).length - writes.filter(isVisible).length,
    rejections: [
      ...folderRejections(rejections),
      ...(gatesCrds ? crdFileRejections(crdFileChanges(operations, snapshot.texts)) : []),
    ],
  }
  return withRisks(plan, snapshot.texts, {folder, ...(gatesCrds ? {crds: []} : {})})
}

/** Lists and settings are not counted. */
function isVisible({path = ''}: {readonly path?: string}): boolean {
  return !isBookkeepingPath(path)
}

interface DesiredFile extends OutputFile {
  readonly after: Sha256
}

/** A file by the hash of the content that it is to have. */
export type HashedFile = Pick<DesiredFile, 'path' | 'after'>

/** Returns the managed files that are not among these, and a rejection for each path that must not be written or deleted. */
export function judgeFiles(
  files: readonly HashedFile[],
  snapshot: FolderSnapshot,
): {readonly stale: readonly string[]; readonly rejections: readonly Diagnostic[]} {
  const stale = staleOf(files, snapshot)
  return {stale, rejections: folderRejections(rejectionsOf(files, stale, snapshot))}
}

function rejectionsOf(
  desired: readonly HashedFile[],
  stale: readonly string[],
  snapshot: FolderSnapshot,
): readonly RejectedPath[] {
  const {entries} = snapshot
  const paths = desired.map(file => file.path)
  const judged: readonly (readonly [string, RejectedRule | undefined])[] = [
    ...foldersOf(paths).map(path => [path, againstFolder(entries.get(path))] as const),
    ...rivalsOf(paths).map(path => [path, entries.has(path) ? 'second-kustomization' : undefined] as const),
    ...desired.map(file => [file.path, againstWrite(file, snapshot)] as const),
    ...stale.map(path => [path, againstDelete(path, snapshot)] as const),
  ]
  return judged.flatMap(([path, rule]) => (rule ? [{path, rule}] : []))
}

function againstFolder(entry: FolderEntry | undefined): RejectedRule | undefined {
  return entry === undefined || entry.kind === 'folder' ? undefined : 'not-a-folder'
}

function againstWrite({path, after}: HashedFile, snapshot: FolderSnapshot): RejectedRule | undefined {
  const entry = snapshot.entries.get(path)
  if (entry === undefined) return undefined
  if (entry.kind !== 'file') return 'not-a-file'
  // The settings are judged by their own hash, before anything is written.
  if (entry.sha256 === after || path === TREE_SETTINGS || isAsWritten(path, entry.sha256, snapshot))
    return undefined
  return snapshot.owned.has(path) ? 'edited-file' : 'foreign-file'
}

function againstDelete(path: string, snapshot: FolderSnapshot): RejectedRule | undefined {
  const entry = snapshot.entries.get(path)
  if (entry === undefined) return undefined
  return entry.kind === 'file' && isAsWritten(path, entry.sha256, snapshot) ? undefined : 'edited-stale-file'
}

/** Reports whether a managed file has the content that this program wrote, or a merge of it. */
function isAsWritten(path: string, sha256: Sha256, snapshot: FolderSnapshot): boolean {
  return (snapshot.owned.get(path) ?? []).includes(sha256) || isMergedByGit(path, snapshot)
}

function writeOf(
  {path, content, object, after}: DesiredFile,
  snapshot: FolderSnapshot,
): readonly Operation[] {
  const before = hashAt(path, snapshot)
  if (before === after) return []
  const common = {target: FOLDER_TARGET, path, object: object && nameOf(object), content}
  if (before === undefined) {
    const reason = snapshot.owned.has(path) ? 'the file was deleted' : 'the file does not exist'
    return [{...common, action: 'create-only', reason, precondition: {absent: true}}]
  }
  return [
    {
      ...common,
      action: 'replace',
      reason: isMergedByGit(path, snapshot) ? 'Git merged the file' : 'the content changes',
      precondition: {sha256: before},
    },
  ]
}

function deleteOf(path: string, snapshot: FolderSnapshot): Operation {
  const object = objectIn(snapshot.texts.get(path))
  return {
    action: 'delete',
    target: FOLDER_TARGET,
    path,
    object: object && nameOf(object),
    reason: 'the install set no longer has the file',
    precondition: {sha256: hashAt(path, snapshot) ?? ''},
  }
}

/**
 * The plan with the risks of each operation; `before` has the current contents of files. @param judged - the path of the folder, and
 * the changes of CRDs that are not rejected.
 */
export function withRisks(
  plan: Plan,
  before: ReadonlyMap<string, string>,
  judged: {readonly folder: string; readonly crds?: readonly CrdFileChange[]},
): Plan {
  const {folder, crds = crdFileChanges(plan.operations, before)} = judged
  const changes = grouped(crds, ({path}) => path)
  const moved = new Set(movedCrds(plan.operations, before).values())
  const operations = plan.operations.map((operation): Operation => {
    if (moved.has(operation.path ?? '')) return operation
    const {path = '', content} = operation
    const risks = [...fileRisks(before.get(path), content, folder), ...crdFileRisks(changes.get(path) ?? [])]
    return risks.length === 0 ? operation : {...operation, risks}
  })
  return {...plan, operations}
}

function hashAt(path: string, {entries}: FolderSnapshot): Sha256 | undefined {
  const entry = entries.get(path)
  return entry?.kind === 'file' ? entry.sha256 : undefined
}

function staleOf(files: readonly Pick<OutputFile, 'path'>[], {owned}: FolderSnapshot): readonly string[] {
  const desired = new Set(files.map(file => file.path))
  return [...owned.keys()].filter(path => !desired.has(path))
}

/** Returns the texts of the lists of managed files for these files, by their paths. */
export function ownedFilesTexts(
  files: readonly Pick<OutputFile, 'path' | 'content' | 'installs'>[],
): ReadonlyMap<string, string> {
  return formatLists(files.map(file => ({...file, sha256: contentHash(file)})))
}

/** Lists come last; one of an install that is no longer in the set is deleted. */
function listOperations(desired: readonly DesiredFile[], snapshot: FolderSnapshot): readonly Operation[] {
  const texts = formatLists(desired.map(file => ({...file, sha256: file.after})))
  const writes = [...texts].flatMap(([path, content]) =>
    writeOf({path, content, after: sha256Of(content)}, snapshot),
  )
  const stale = (snapshot.lists ?? []).filter(path => !texts.has(path) && snapshot.entries.has(path))
  return [...stale.map(path => deleteOf(path, snapshot)), ...writes]
}

function foldersOf(paths: readonly string[]): readonly string[] {
  return [...new Set(paths.flatMap(foldersAbove))]
}

/** The other names under which a folder could hold a kustomization. */
function rivalsOf(paths: readonly string[]): readonly string[] {
  const [ours, ...others] = KUSTOMIZATION_NAMES
  const kustomizations = paths.filter(path => path.split('/').at(-1) === ours)
  return kustomizations.flatMap(path => others.map(other => path.slice(0, -ours.length) + other))
}
