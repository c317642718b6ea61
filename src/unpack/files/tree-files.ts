import {Allowance} from '../../fetch/allowance.js'
import {followLink, unsafeLink} from './follow-link.js'
import type {LinkContext, Place} from './follow-link.js'
import {compareBytes, compareWalkOrder} from '../package-file.js'
import type {PackageFile} from '../package-file.js'
import {expectSafePath} from './registry-path.js'
import type {DirectoryNode, FileNode, TreeNode} from './registry-tree.js'

/**
 * Lists the files of a tree, in the order of a sorted walk. The target of a link is listed under the link's path, a
 * directory with all its content. Undefined if there is no such folder. Throws `source-unsafe` for links that leave
 * it, are dangling or circular, `limit-exceeded` for the content that links multiply.
 */
export function treeFiles(context: LinkContext): readonly PackageFile[] | undefined {
  const root = context.tree.at(context.top)
  if (root?.kind === 'symlink')
    throw unsafeLink(context, [], root, 'and a package must not start with a link')
  if (root?.kind !== 'directory') return undefined
  const walk: Walk = {...context, ...allowances(context), open: []}
  return [...filesBelow(walk, root, [], [])].sort(compareWalkOrder)
}

interface Walk extends LinkContext {
  readonly files: Allowance
  readonly directories: Allowance
  readonly bytes: Allowance
  /** The directories that the walk is in; reaching one of them again is a cycle. */
  readonly open: readonly DirectoryNode[]
}

function allowances({limits, top}: LinkContext): Pick<Walk, 'files' | 'directories' | 'bytes'> {
  const below = `below ${top.join('/')}/, links counted as what they lead to`
  return {
    files: new Allowance(limits.files, `files ${below}`),
    directories: new Allowance(limits.directories, `directories ${below}`),
    bytes: new Allowance(limits.packageBytes, `bytes ${below}`),
  }
}

/** `path` is that of the directory; `shown` is that of the walk, which differs behind links. */
function* filesBelow(
  walk: Walk,
  directory: DirectoryNode,
  path: readonly string[],
  shown: readonly string[],
): Generator<PackageFile, void, undefined> {
  const inside = {...walk, open: [...walk.open, directory]}
  for (const [name, node] of [...directory.children].sort(([one], [other]) => compareBytes(one, other))) {
    const here = [...shown, name]
    expectSafePath(here, walk.holder, walk.limits)
    const place = placeOf(inside, node, [...path, name], here)
    if (place.node.kind === 'file') yield shownFile(walk, place.node, here)
    else yield* filesBelow(inside, place.node, place.path, here)
  }
}

function placeOf(walk: Walk, node: TreeNode, path: readonly string[], shown: readonly string[]): Place {
  const place = node.kind === 'symlink' ? followLink(walk, node, path, shown) : {node, path}
  if (place.node.kind === 'directory') walk.directories.spend(1, walk.holder)
  if (node.kind !== 'symlink' || !walk.open.some(directory => directory === place.node)) return place
  throw unsafeLink(walk, shown, node, 'which contains the link itself')
}

function shownFile(walk: Walk, {bytes}: FileNode, shown: readonly string[]): PackageFile {
  walk.files.spend(1, walk.holder)
  walk.bytes.spend(bytes.length, walk.holder)
  return {path: shown.join('/'), bytes}
}
