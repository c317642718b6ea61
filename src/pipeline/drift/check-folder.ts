import {pendingWrite} from '../../commit/recover-folder.js'
import type {OutputFolder} from '../../commit/output-folder.js'
import {JOURNAL} from '../../commit/journal.js'
import type {Diagnostic} from '../../diagnostic.js'
import {CrossplaneError} from '../../errors.js'
import {
  driftOfFiles,
  driftOfHashes,
  type FolderContent,
  type FolderDrift,
  type PathDrift,
} from '../../plan/folder/folder-drift.js'
import type {FolderEntries, OwnedFiles} from '../../plan/folder/folder-snapshot.js'
import type {OutputFile} from '../../plan/folder/file-tree.js'
import {inferredLayout} from '../../plan/folder/inferred-settings.js'
import {
  isListPath,
  joinOwnedFiles,
  OWNED_FILES,
  parseOwnedFiles,
  TREE_SETTINGS,
} from '../../plan/folder/owned-files.js'
import {readTreeSettings, unmatchedSettings, xpkgFolderOf} from '../../plan/folder/tree-settings.js'
import type {WholeTreeOptions} from '../../plan/layout/layout.js'
import {present} from '../../present.js'
import {listSome} from '../../text.js'
import {renderSets} from '../render/render-sets.js'
import {treeOptions} from '../render/tree-options.js'
import {settingWarning} from '../render/expect-same-settings.js'
import {declarationOf, outputFiles} from '../render/write-output.js'
import {RENDER_VERSION} from '../../resolve/lock/empty-lock.js'
import type {SourcePolicy} from '../../resolve/packages/resolution-policy.js'
import type {HeldLock} from '../../resolve/lock/held-lock.js'
import {unavailablePackages} from '../../resolve/lock/missing-in-folder.js'
import type {ReadDeclaration} from '../request/given-settings.js'
import {readExistingLock, readRequest, type RequestPorts} from '../request/read-request.js'
import type {LockQuery, RequestQuery, ResolutionSettings} from '../request/request-query.js'

/** An output folder to check, and what it should be rendered from. */
export interface CheckQuery {
  readonly declaration: string
  readonly lock: LockQuery
  /** The default settings of a resolution: those that decide are in the declaration. */
  readonly settings: ResolutionSettings
  /** Whether hashes are compared where packages that are locked without a digest are not available. */
  readonly allowUnavailable: boolean
}

/** An output folder that is only read. */
export interface CheckedFolder {
  readonly folder: Pick<OutputFolder, 'name' | 'read' | 'look'>
  /** Returns all of its files; undefined if it does not exist. */
  readonly list: () => Promise<FolderEntries | undefined>
  /** Finds it in its repository; empty for the root, and outside of a repository. */
  readonly path: () => Promise<string>
  /** Whether the declaration is in it too: then other files can be beside the rendered ones. */
  readonly hasDeclaration: boolean
  /** The command that renders it. */
  readonly remedy: string
}

/** The result of a check. */
export interface FolderCheck {
  readonly paths: readonly CheckedPath[]
  readonly unchanged: number
  readonly notes: readonly Diagnostic[]
}

/** A path that differs, with its current and its desired text, as far as they are known. */
export interface CheckedPath extends Omit<PathDrift, 'content'> {
  readonly before?: string
  readonly after?: string
}

/**
 * Renders a declaration again and compares the result with its output folder, byte by byte. Throws the errors of
 * rendering, `lock-outdated`, `unsupported` for a lock of another rendering, and `not-found` if packages that were locked
 * without a digest are not available. With `allowUnavailable`, the files are compared with their list of hashes then.
 */
export async function checkFolder(
  query: CheckQuery,
  checked: CheckedFolder,
  ports: RequestPorts,
): Promise<FolderCheck> {
  const lock = await readExistingLock(query.lock, ports.inputs)
  expectRendering(lock)
  const content = await contentOf(checked, () => undefined)
  const settings = await settingsIn(checked, content)
  const xpkgFolder = xpkgFolderOf(content.owned.keys(), settings, checked.folder.name)
  const files = await renderedFiles(query, lock, {...checked, xpkgFolder}, ports)
  if ('unavailable' in files) {
    if (!query.allowUnavailable) throw unavailableError(checked.folder.name, files.unavailable)
    const check = await checkHashes(checked)
    return {...check, notes: [unavailableNote(files.unavailable), ...check.notes]}
  }
  const {rendered, declaration} = files
  const paths = rendered.map(({path}) => path)
  const check = await reported(driftOfFiles(rendered, content, otherThan(paths, checked)), content, checked)
  if (settings === undefined) return check
  const warning = settingWarning(settings, rendered, {tree: checked.folder.name, ...present({declaration})})
  return {...check, notes: [...check.notes, ...(warning === undefined ? [] : [warning])]}
}

async function settingsIn({folder}: CheckedFolder, {entries}: FolderContent): Promise<string | undefined> {
  return entries.has(TREE_SETTINGS) ? await folder.read(TREE_SETTINGS) : undefined
}

/** Compares an output folder with its list of hashes. Throws `not-found` for a folder without a list. */
export async function checkHashes(checked: CheckedFolder): Promise<FolderCheck> {
  const content = await contentOf(checked, error => {
    throw asInput(error)
  })
  if (content.lists.size === 0) throw withoutList(checked)
  const drift = driftOfHashes(content, otherThan([...content.owned.keys()], checked))
  return await reported(drift, content, checked)
}

/** Returns the error for a list or settings that cannot be read: these reject no change here, but are an invalid input. */
export function asInput(error: unknown): unknown {
  if (!(error instanceof CrossplaneError)) return error
  const {message, cause, suggestions} = error
  return new CrossplaneError('input-invalid', message, {cause, suggestions})
}

/** Throws `unsupported` for another rendering, which is not drift: the program changed, and not the files. */
export function expectRendering({name, lock: {renderVersion}, remedy}: HeldLock): void {
  if (renderVersion === RENDER_VERSION) return
  throw new CrossplaneError(
    'unsupported',
    `cannot compare with the lock ${name}: it is of render version ${renderVersion}, but this program renders version ${RENDER_VERSION}`,
    {suggestions: [remedy]},
  )
}

async function contentOf(
  {folder, list, remedy}: CheckedFolder,
  otherwise: (error: unknown) => void,
): Promise<FolderContent> {
  const entries = await list()
  if (entries === undefined) {
    throw new CrossplaneError(
      'not-found',
      `cannot check the folder ${folder.name}: no such file or directory`,
      {
        suggestions: [remedy],
      },
    )
  }
  const paths = [...entries].flatMap(([path, {kind}]) => (kind === 'file' && isListPath(path) ? [path] : []))
  const lists = new Map<string, OwnedFiles>()
  for (const path of paths) {
    const text = await folder.read(path)
    try {
      lists.set(path, parseOwnedFiles(text, folder.name, path))
    } catch (error) {
      otherwise(error)
    }
  }
  const owned = joinOwnedFiles(lists.values())
  await expectSettings({folder, entries, owned})
  return {entries, lists, owned}
}

/** Throws `input-invalid` for settings that this program did not write, or not for these files. */
async function expectSettings({
  folder,
  entries,
  owned,
}: Pick<CheckedFolder, 'folder'> & Pick<FolderContent, 'entries' | 'owned'>): Promise<void> {
  if (entries.get(TREE_SETTINGS)?.kind !== 'file') return
  try {
    const {fields} = readTreeSettings((await folder.read(TREE_SETTINGS)) ?? '', folder.name)
    if (owned.size > 0 && fields.get('layout') !== inferredLayout(owned.keys()))
      throw unmatchedSettings(folder.name)
  } catch (error) {
    throw asInput(error)
  }
}

type RenderedFiles =
  | {readonly rendered: readonly OutputFile[]; readonly declaration?: ReadDeclaration}
  | {readonly unavailable: readonly string[]}

async function renderedFiles(
  {declaration, lock, settings}: CheckQuery,
  heldLock: HeldLock,
  {path, xpkgFolder}: CheckedFolder & Pick<WholeTreeOptions, 'xpkgFolder'>,
  ports: RequestPorts,
): Promise<RenderedFiles> {
  const query: RequestQuery = {
    kind: 'declaration',
    file: declaration,
    settings,
    lock: {...lock, otherwise: 'reject'},
  }
  const {policy, packages} = await readRequest(query, ports)
  const unavailable = await unavailablePackages(heldLock.lock, packages)
  if (unavailable.length > 0) {
    expectUnjudged(unavailable, policy.teams)
    return {unavailable}
  }
  const choices = {flags: {}, defaults: {}, tree: {}}
  const sets = await renderSets({kind: 'resolution', query}, {choices, settings: {}}, ports)
  const options = treeOptions({}, declarationOf(sets))
  // Only files that a layout adds contain paths.
  const place = options.layout.name === 'plain' ? '' : await path()
  const rendered = await outputFiles(sets, {...options, path: place, xpkgFolder})
  return {rendered, ...present({declaration: declarationOf(sets)})}
}

/** A comparison of hashes judges no packages. Throws `policy-refused` if a policy would have to judge them. */
function expectUnjudged(names: readonly string[], policies: readonly SourcePolicy[] = []): void {
  const [policy] = policies
  if (policy === undefined) return
  const message = `cannot judge ${listSome(names)} by ${policy.file}: not available, and locked without a digest`
  throw new CrossplaneError('policy-refused', message, {
    suggestions: ['Pass --packages DIR with the folder of these packages.'],
  })
}

function unavailableError(folder: string, names: readonly string[]): CrossplaneError {
  const message = `cannot check ${folder}: not available, and locked without a digest: ${listSome(names)}`
  return new CrossplaneError('not-found', message, {
    suggestions: [
      'Pass --packages DIR with the folder of these packages.',
      'Pass --allow-unavailable to compare all files with their hashes instead.',
    ],
  })
}

function unavailableNote(names: readonly string[]): Diagnostic {
  const message = `not available, and locked without a digest: ${listSome(names)}; all files are compared with their hashes instead`
  return {severity: 'note', rule: 'checked-by-hashes', message}
}

/** Selects files that are not compared: those outside of the rendered folders, if others can be there. */
function otherThan(paths: readonly string[], {hasDeclaration}: CheckedFolder): (path: string) => boolean {
  if (!hasDeclaration) return () => false
  const folders = new Set(paths.filter(path => path.includes('/')).map(path => path.replace(/\/.*/, '')))
  return path => !folders.has(path.replace(/\/.*/, ''))
}

async function reported(
  {paths, unchanged}: FolderDrift,
  {entries, owned}: FolderContent,
  {folder}: CheckedFolder,
): Promise<FolderCheck> {
  const isPending = (await pendingWrite(folder)) !== undefined
  const checked = await Promise.all(
    paths.map(async ({content, ...rest}): Promise<CheckedPath> => {
      // A file of another owner can contain secrets.
      const isReadable = entries.get(rest.path)?.kind === 'file'
      const isShown =
        isReadable && (content !== undefined || (rest.change === 'extra' && owned.has(rest.path)))
      const before = isShown ? await folder.read(rest.path) : undefined
      return {
        ...rest,
        ...present({before, after: content}),
      }
    }),
  )
  const notes = entries.has(TREE_SETTINGS) || owned.size === 0 ? [] : [WITHOUT_SETTINGS]
  return {paths: [...(isPending ? [PENDING] : []), ...checked], unchanged, notes}
}

const WITHOUT_SETTINGS: Diagnostic = {
  severity: 'note',
  rule: 'tree-without-settings',
  message: `the files were rendered by a release that wrote no ${TREE_SETTINGS}; the next command that changes them adds it`,
}

const PENDING: CheckedPath = {
  path: JOURNAL,
  change: 'unfinished',
  reason: 'a write is in progress, or was interrupted',
}

function withoutList({folder, remedy}: CheckedFolder): CrossplaneError {
  return new CrossplaneError(
    'not-found',
    `cannot check the folder ${folder.name}: it has no ${OWNED_FILES}`,
    {
      suggestions: [remedy],
    },
  )
}
