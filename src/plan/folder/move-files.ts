import type {Diagnostic} from '../../diagnostic.js'
import type {Operation, Plan} from '../plan.js'
import {present} from '../../present.js'
import {asObject, asText, asTexts, isJsonObject} from '../../yaml/json-value.js'
import {writeYaml} from '../../yaml/write-yaml.js'
import type {OutputFile} from './file-tree.js'
import type {OwnedFiles} from './folder-snapshot.js'
import {documentIn, objectIn} from './object-in-file.js'
import {INSTALL_LISTS, isListPath, TREE_SETTINGS} from './owned-files.js'
import {guardedStart} from './tree-guard.js'
import {formatTreeSettings, readTreeSettings, xpkgFolderOf} from './tree-settings.js'
import {newXpkgFolder, type XpkgFolderName} from './xpkg-folder-name.js'

/** A tree whose files can move. */
export interface MovableTree {
  /** Its name for messages. */
  readonly name: string
  /** Its path with the name of its folder at the end. */
  readonly place: string
  /** Its path in the repository; empty for the root, and outside of a repository. */
  readonly path: string
  readonly lists: ReadonlyMap<string, OwnedFiles>
  /** The texts of its managed files, and of its settings, by path. */
  readonly texts: ReadonlyMap<string, string>
  /** The names of all files in the folder that moves. */
  readonly names: (folder: string) => Promise<readonly string[]>
}

/** A tree after a move. */
export interface MovedTree {
  readonly from: XpkgFolderName
  readonly to: XpkgFolderName
  readonly files: readonly OutputFile[]
  /** The files that name the folder. */
  readonly changed: readonly string[]
  readonly rejections: readonly Diagnostic[]
}

/**
 * Moves the requests of a tree of an earlier release to the folder that they have in new trees. No object changes: the other files
 * that get another content only name the folder. Returns undefined for a tree in which nothing has to move.
 */
export async function moveFiles(tree: MovableTree): Promise<MovedTree | undefined> {
  const {name, place: treePath, path, lists, texts} = tree
  const owned = [...new Set([...lists.values()].flatMap(list => [...list.keys()]))]
  const [from, to] = [xpkgFolderOf(owned, texts.get(TREE_SETTINGS), name, treePath), newXpkgFolder(treePath)]
  const moving = owned.filter(file => file.startsWith(`${from}/`))
  if (from === to || moving.length === 0) return undefined
  const place = {path, from, to}
  const installs = installsOf(lists)
  const files = [...texts].map(([file, text]): OutputFile => ({
    path: file.startsWith(`${from}/`) ? `${to}/${file.slice(from.length + 1)}` : file,
    content: movedText(file, text, place),
    ...present({installs: installs.get(file)}),
  }))
  const changed = [...texts].flatMap(([file, text]) =>
    file !== TREE_SETTINGS && movedText(file, text, place) !== text ? [file] : [],
  )
  const rejections = [
    ...applicationRejections(texts, place),
    ...unmanagedRejections(await tree.names(from), {from, to, moving}),
  ]
  return {from, to, files, changed, rejections}
}

interface MovePlace {
  readonly path: string
  readonly from: XpkgFolderName
  readonly to: XpkgFolderName
}

const TOP = 'kustomization.yaml'
/** The Application that applies the folder. */
const APPLICATION = 'argocd/applications/xpkgs.yaml'

function movedText(file: string, text: string, {path, from, to}: MovePlace): string {
  if (file === TREE_SETTINGS) return formatTreeSettings({...readTreeSettings(text, path), xpkgFolder: to})
  if (file === TOP && guardedStart(text) === undefined) {
    return withResources(text, resources => resources.map(resource => (resource === from ? to : resource)))
  }
  return file === APPLICATION ? withSource(text, inRepository(path, to)) : text
}

function withResources(text: string, change: (resources: readonly string[]) => readonly string[]): string {
  const kustomization = documentIn(text)
  if (!isJsonObject(kustomization)) return text
  return writeYaml([{...kustomization, resources: [...change(asTexts(kustomization.resources))]}])
}

function withSource(text: string, path: string): string {
  const application = objectIn(text)
  if (application === undefined) return text
  const spec = asObject(application.spec)
  return writeYaml([{...application, spec: {...spec, source: {...asObject(spec.source), path}}}])
}

function inRepository(tree: string, folder: string): string {
  return tree === '' ? folder : `${tree}/${folder}`
}

/** The installs in whose lists each file is: it stays in these. */
function installsOf(lists: MovableTree['lists']): ReadonlyMap<string, readonly string[]> {
  const installs = new Map<string, string[]>()
  for (const [path, owned] of lists) {
    if (!isListPath(path) || !path.startsWith(`${INSTALL_LISTS}/`)) continue
    const install = path.slice(INSTALL_LISTS.length + 1).replace(/\.sha256$/, '')
    for (const file of owned.keys()) installs.set(file, [...(installs.get(file) ?? []), install])
  }
  return installs
}

/** An Application with another path does not apply this tree: the move would take its objects away, or bring it others. */
function applicationRejections(texts: MovableTree['texts'], {path, from}: MovePlace): readonly Diagnostic[] {
  const application = objectIn(texts.get(APPLICATION))
  if (application === undefined) return []
  const applied = asText(asObject(asObject(application.spec).source).path)
  const expected = inRepository(path, from)
  if (applied === expected) return []
  return [
    {
      severity: 'error',
      rule: 'move-between-applications',
      message: `the Application applies ${applied}, not ${expected}: with the move, it would apply other files than now`,
      file: APPLICATION,
      suggestions: [
        'Render the tree again at its place in the repository, and let Argo CD sync it before the move.',
      ],
    },
  ]
}

/** Files of others would stay where no kustomization lists them. */
function unmanagedRejections(
  names: readonly string[],
  {from, to, moving}: {readonly from: string; readonly to: string; readonly moving: readonly string[]},
): readonly Diagnostic[] {
  const own = new Set(moving.map(file => file.split('/')[1]))
  return names
    .filter(name => !own.has(name))
    .map(name => ({
      severity: 'error',
      rule: 'move-leaves-file',
      message: `the file was not written by this program, and would stay in ${from} when the others move to ${to}`,
      file: `${from}/${name}`,
      suggestions: ['Move the unmanaged files out of the folder first.'],
    }))
}

/** Returns the plan of a move as what it is: no object is created or deleted, although its file is. */
export function movePlan(plan: Plan, {from, to}: Pick<MovedTree, 'from' | 'to'>): Plan {
  const operations = plan.operations.map(({object: _same, ...operation}): Operation => {
    const {path = '', action} = operation
    if (action === 'delete') return {...operation, reason: `moves to ${path.replace(from, to)}`}
    return action === 'create-only'
      ? {...operation, reason: `moves from ${path.replace(to, from)}`}
      : operation
  })
  return {...plan, operations}
}
