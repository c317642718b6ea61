import {CrossplaneError} from '../../errors.js'
import type {Allowance} from '../../fetch/allowance.js'
import {quoted} from '../../text.js'
import type {OutsideLinks} from './outside-links.js'
import type {RegistryTree} from './registry-tree.js'

/**
 * The change that one entry of a layer makes to the layers below it. Paths begin at the image's root. The last two
 * are for entries outside of `.registry/`: a link, and an entry that changes the package if one of its parents is a
 * link there.
 */
export type LayerChange =
  | {readonly kind: 'file'; readonly path: readonly string[]; readonly bytes: Uint8Array}
  | {readonly kind: 'symlink'; readonly path: readonly string[]; readonly target: string}
  | HardLink
  | {readonly kind: 'directory' | 'hide' | 'hide-children'; readonly path: readonly string[]}
  | OutsideLink
  | {readonly kind: 'outside-entry'; readonly path: readonly string[]}

/** A second name for an earlier entry of the tar, or of a layer below. `name` and `linkName` are as written. */
interface HardLink {
  readonly kind: 'hardlink'
  readonly path: readonly string[]
  readonly target: readonly string[]
  readonly name: string
  readonly linkName: string
}

/** A symlink, or a hard link with its target, which can be a symlink. */
interface OutsideLink {
  readonly kind: 'outside-link'
  readonly path: readonly string[]
  readonly hardTarget?: readonly string[]
}

/** A layer that is applied to those below it. `holder` names it; `bytes` is shared by all layers. */
export interface LayerContext {
  /** The first segment of the paths that are kept. */
  readonly top: string
  readonly tree: RegistryTree
  readonly links: OutsideLinks
  readonly layer: number
  readonly holder: string
  readonly bytes: Allowance
}

/** Applies one change to the tree; layers in their order, and changes in the order of their layer. */
export function applyChange(context: LayerContext, change: LayerChange): void {
  const {tree, layer, holder} = context
  switch (change.kind) {
    case 'file':
      return tree.put(change.path, {kind: 'file', layer, bytes: change.bytes}, holder)
    case 'symlink':
      return tree.put(change.path, {kind: 'symlink', layer, target: change.target}, holder)
    case 'hardlink':
      return applyHardLink(context, change)
    case 'directory':
      return tree.putDirectory(change.path, layer, holder)
    case 'hide':
      return tree.hide(change.path, layer)
    case 'hide-children':
      return tree.hideChildren(change.path, layer)
    case 'outside-link':
      return addOutsideLink(context, change)
    case 'outside-entry':
      return context.links.expectNotBelow(change.path, holder)
  }
}

/** Kept only if it is a symlink itself: most hard links are not. */
function addOutsideLink({top, tree, links, holder}: LayerContext, {path, hardTarget}: OutsideLink): void {
  if (path.includes(top)) links.expectNotBelow(path, holder)
  if (hardTarget !== undefined && tree.at(hardTarget)?.kind === 'symlink') throw linkInto(holder, path, top)
  if (hardTarget === undefined || links.has(hardTarget)) links.add(path, holder)
}

/** A link outside of the folder that leads into it, so that files written below it would change the package. */
export function linkInto(holder: string, path: readonly string[], top: string): CrossplaneError {
  return new CrossplaneError(
    'source-unsafe',
    `cannot read ${holder}: ${quoted(path.join('/'))} is a link into ${top}/`,
    {suggestions: ['Build the image again without the link.']},
  )
}

function applyHardLink({top, tree, layer, holder, bytes}: LayerContext, link: HardLink): void {
  const node = link.target[0] === top ? tree.at(link.target) : undefined
  if (node === undefined || node.kind === 'directory') throw unsafeHardLink(holder, link, top)
  bytes.spend(node.kind === 'file' ? node.bytes.length : 0, holder)
  tree.put(link.path, {...node, layer}, holder)
}

function unsafeHardLink(holder: string, {name, linkName}: HardLink, top: string): CrossplaneError {
  return new CrossplaneError(
    'source-unsafe',
    `cannot read ${holder}: ${quoted(name)} is a hard link to ${quoted(linkName)}, which is not a file below ${top}/`,
    {suggestions: ['Put the file itself in place of the link.']},
  )
}
