import {CrossplaneError} from '../../errors.js'
import type {Allowance} from '../../fetch/allowance.js'
import {quoted} from '../../text.js'
import {REGISTRY} from './registry-path.js'
import type {RegistryTree} from './registry-tree.js'

/** What one entry of a layer does to what the layers below it left. Paths begin at the image's root. */
export type LayerChange =
  | {readonly kind: 'file'; readonly path: readonly string[]; readonly bytes: Uint8Array}
  | {readonly kind: 'symlink'; readonly path: readonly string[]; readonly target: string}
  | HardLink
  | {readonly kind: 'directory' | 'hide' | 'hide-children'; readonly path: readonly string[]}

/** A second name for what the tar, or a layer below, has had already. `name` and `linkName` are as written. */
interface HardLink {
  readonly kind: 'hardlink'
  readonly path: readonly string[]
  readonly target: readonly string[]
  readonly name: string
  readonly linkName: string
}

/** One layer being laid over those below it. `holder` names it; `bytes` is shared by all layers. */
export interface LayerContext {
  readonly tree: RegistryTree
  readonly layer: number
  readonly holder: string
  readonly bytes: Allowance
}

/** Lays one change over the tree; layers in their order, and changes in the order of their layer. */
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
  }
}

function applyHardLink({tree, layer, holder, bytes}: LayerContext, link: HardLink): void {
  const node = link.target[0] === REGISTRY ? tree.at(link.target) : undefined
  if (node === undefined || node.kind === 'directory') throw unsafeHardLink(holder, link)
  bytes.spend(node.kind === 'file' ? node.bytes.length : 0, holder)
  tree.put(link.path, {...node, layer}, holder)
}

function unsafeHardLink(holder: string, {name, linkName}: HardLink): CrossplaneError {
  return new CrossplaneError(
    'source-unsafe',
    `${holder} has ${quoted(name)} as a link to ${quoted(linkName)}, which is no file below .registry/.`,
    {suggestions: ['Put the file itself in place of the link.']},
  )
}
