import type {Checkout} from '../../commit/checkout.js'
import {previewFolder} from '../../commit/write-folder.js'
import type {Diagnostic} from '../../diagnostic.js'
import {folderSummary} from '../../inspect/folder-summary.js'
import type {HomePlace} from '../../plan/folder/home.js'
import {type MovedTree, moveFiles, movePlan} from '../../plan/folder/move-files.js'
import {joinOwnedFiles, parseLists, TREE_SETTINGS} from '../../plan/folder/owned-files.js'
import {folderReaders, isReadByControllers} from '../../plan/git/folder-readers.js'
import type {CheckoutState} from '../../plan/git/checkout-snapshot.js'
import {present} from '../../present.js'
import {count, escaped, plural} from '../../text.js'
import {desiredHashes, joinedPlan, joinedTexts, judgedCheckout} from './changed-paths.js'
import {committedHome} from '../home/committed-home.js'
import type {GitChange, GitPorts} from './git-change.js'
import type {GitQuery} from './git-request.js'
import {heldLock, type HomeFiles, noDeclaration} from '../home/committed-home.js'

/**
 * Decides a commit that moves the files of a tree of an earlier release to the folders of new trees, as HEAD has them: nothing is
 * resolved or rendered, and no object changes. Throws `not-found` for a home without a declaration or a lock.
 */
export async function prepareMove(
  query: Pick<GitQuery, 'request' | 'subject'>,
  place: HomePlace,
  ports: GitPorts,
): Promise<GitChange> {
  const {checkout} = ports
  const state = await checkout.state()
  const base = await committedHome(place, state, ports)
  const lock = heldLock(base)?.lock
  if (lock === undefined) throw noDeclaration(base.declaration.name)
  const folders = {
    tree: await ports.folder(`${state.root}/${base.tree}`),
    whole: await ports.folder(state.root),
  }
  const {moved, readers} = await movedHome(base, checkout)
  const change =
    moved === undefined ? NO_CHANGE : await plannedMove(moved, {place, base, state}, folders, checkout)
  const {plan, desired} = change
  const message = messageOf(query.subject, base.tree, moved)
  const {branch, head} = state
  return {
    ...{request: query.request, state, message, before: change.before, isEmpty: change.isEmpty},
    plan: {
      ...plan,
      rejections: [...readers.filter(({severity}) => severity === 'error'), ...plan.rejections],
    },
    summary: folderSummary({operations: [], before: new Map(), oldLock: lock, newLock: lock, owners: []}),
    set: {warnings: readers.filter(({severity}) => severity !== 'error')},
    ...{firstOwners: [], ownerChanges: [], signers: [], notes: []},
    commit: {
      ...{
        tree: moved?.files ?? [],
        files: [],
        declarations: new Map(),
        writtenFiles: desired,
        own: new Set(),
      },
      message,
      tip: present({branch, head}),
    },
    ports: {...folders, checkout},
    ...{oldLock: lock, newLock: lock},
  }
}

const NO_CHANGE = {
  plan: {operations: [], unchanged: 0, rejections: []},
  before: new Map(),
  desired: new Map(),
  isEmpty: true,
} as const

/** Plans the files of a tree that moves, in a working tree that must have them as HEAD has. */
async function plannedMove(
  moved: MovedTree,
  {place, base, state}: {readonly place: HomePlace; readonly base: HomeFiles; readonly state: CheckoutState},
  {tree, whole}: Pick<GitChange['ports'], 'tree' | 'whole'>,
  checkout: Checkout,
) {
  const {files} = moved
  const home = {...place, tree: base.tree}
  const preview = await previewFolder(files, tree)
  const inHead = joinOwnedFiles(parseLists(base.lists, base.tree).values())
  const lists = [...base.lists.keys(), ...preview.lists]
  const desired = desiredHashes({texts: new Map(), files}, home, lists, inHead, preview.owned)
  const {isChanged, rejections} = await judgedCheckout(state, desired, whole, checkout)
  const plan = joinedPlan(movePlan(preview.plan, moved), [], home)
  return {
    plan: {...plan, rejections: [...inTree(moved, base.tree), ...rejections, ...plan.rejections]},
    before: joinedTexts(preview.before, [], home),
    desired,
    isEmpty: plan.operations.length === 0 && !isChanged,
  }
}

/** Moves the files of HEAD, and finds what else of HEAD has a controller apply them. */
async function movedHome(
  {tree, lists, settings}: HomeFiles,
  checkout: Checkout,
): Promise<{readonly moved: MovedTree | undefined; readonly readers: readonly Diagnostic[]}> {
  const parsed = parseLists(lists, tree)
  const inRepository = new Set([...joinOwnedFiles(parsed.values()).keys()].map(path => `${tree}/${path}`))
  const committed = await checkout.committedFiles([...inRepository])
  const texts = [...committed].map(
    ([path, bytes]) => [path.slice(tree.length + 1), Buffer.from(bytes).toString()] as const,
  )
  const moved = await moveFiles({
    ...{name: tree, place: tree, path: tree, lists: parsed},
    texts: new Map([...texts, ...(settings === undefined ? [] : [[TREE_SETTINGS, settings] as const])]),
    names: async folder =>
      (await checkout.pathsBelow(`${tree}/${folder}`)).map(path =>
        path.slice(tree.length + folder.length + 2),
      ),
  })
  if (moved === undefined) return {moved, readers: []}
  const others = (await checkout.pathsBelow('')).filter(
    path => isReadByControllers(path) && !inRepository.has(path),
  )
  const files = [...(await checkout.committedFiles(others))].map(([path, bytes]) => ({path, bytes}))
  const names = moved.files.flatMap(({path}) =>
    path.startsWith(`${moved.to}/`) ? [path.slice(moved.to.length + 1)] : [],
  )
  return {moved, readers: folderReaders(files, {folder: `${tree}/${moved.from}`, names})}
}

function inTree(moved: MovedTree, tree: string): readonly Diagnostic[] {
  return moved.rejections.map(({file = '', ...diagnostic}) => ({
    ...diagnostic,
    file: `${tree}/${file}`,
  }))
}

function messageOf(subject: string | undefined, tree: string, moved: MovedTree | undefined): string {
  if (moved === undefined) return ''
  const {from, to, files, changed} = moved
  const total = files.filter(({path}) => path.startsWith(`${to}/`)).length
  const [old, next] = [`${tree}/${from}`, `${tree}/${to}`].map(text => escaped(text))
  const lines = [
    subject ?? `Rename ${old} to ${next}`,
    '',
    `No object changes: ${count(total, 'file')} ${plural(total, 'moves', 'move')} from ${old} to ${next} with the same content.`,
    ...(changed.length === 0
      ? []
      : [
          `${plural(changed.length, 'This file names', 'These files name')} the new folder: ${changed.map(path => escaped(`${tree}/${path}`)).join(', ')}.`,
        ]),
    `If something outside of this repository applies ${old}, let it apply ${next} once this commit is pushed.`,
  ]
  return `${lines.join('\n')}\n`
}
