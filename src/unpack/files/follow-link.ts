import {CrossplaneError} from '../../errors.js'
import {quoted} from '../../text.js'
import type {SourceLimits} from '../../fetch/source-limits.js'
import type {DirectoryNode, FileNode, LinkNode, RegistryTree, TreeNode} from './registry-tree.js'

/** A folder's tree, and the path of the folder in the file system that absolute links refer to. */
export interface LinkContext {
  readonly tree: RegistryTree
  /** The path of the folder in the tree: `.registry`. */
  readonly top: readonly string[]
  /** The segments of the folder itself, from the root of that file system. None of them is a link. */
  readonly location: readonly string[]
  /** Names the source in errors. */
  readonly holder: string
  readonly limits: SourceLimits
}

/** The target of a link: a node, and its real path below the folder. */
export interface Place {
  readonly node: FileNode | DirectoryNode
  readonly path: readonly string[]
}

/**
 * Follows a link as a kernel does, segment by segment. `path` is that of the link below the folder, `shown` the one
 * that users see. Throws `source-unsafe` for anything but the folder and the directories above it.
 */
export function followLink(
  context: LinkContext,
  link: LinkNode,
  path: readonly string[],
  shown: readonly string[],
): Place {
  let at = baseOf(link, [...context.location, ...path.slice(0, -1)])
  const ahead = [...segmentsBackwards(link)]
  for (let steps = 0; ahead.length > 0; steps++) {
    if (steps === context.limits.linkSteps) {
      throw unsafeLink(context, shown, link, 'which is part of a loop or of a chain that is too long')
    }
    const next = stepped(at, ahead.pop() ?? '')
    const node = nodeAt(context, next)
    if (node === undefined) throw unsafeLink(context, shown, link, 'which is not in the package')
    const isLink = node !== 'above' && node.kind === 'symlink'
    if (isLink) ahead.push(...segmentsBackwards(node))
    at = isLink ? baseOf(node, at) : next
  }
  const place = placeAt(context, at)
  if (place === undefined) throw unsafeLink(context, shown, link, 'which is not in the package')
  return place
}

/** Returns the directory that a link's target is relative to: that of the link, or the root. */
function baseOf({target}: LinkNode, directory: readonly string[]): readonly string[] {
  return target.startsWith('/') ? [] : directory
}

/** The segments to follow for a link, the next one last. */
function segmentsBackwards({target}: LinkNode): readonly string[] {
  return target.split('/').reverse()
}

function stepped(at: readonly string[], segment: string): readonly string[] {
  if (segment === '' || segment === '.') return at
  return segment === '..' ? at.slice(0, -1) : [...at, segment]
}

function placeAt(context: LinkContext, at: readonly string[]): Place | undefined {
  const node = nodeAt(context, at)
  if (node === undefined || node === 'above' || node.kind === 'symlink') return undefined
  return {node, path: at.slice(context.location.length)}
}

/** Returns `above` for a directory on the way to the folder; undefined outside of it and for a missing one. */
function nodeAt({tree, top, location}: LinkContext, path: readonly string[]): TreeNode | 'above' | undefined {
  const shared = location.slice(0, path.length)
  if (!shared.every((segment, index) => path[index] === segment)) return undefined
  return path.length < location.length ? 'above' : tree.at([...top, ...path.slice(location.length)])
}

/** `shown` is the link's path below the folder; `why` ends the sentence after its target. */
export function unsafeLink(
  {holder, top}: LinkContext,
  shown: readonly string[],
  {target}: LinkNode,
  why: string,
): CrossplaneError {
  const name = quoted([...top, ...shown].join('/'))
  return new CrossplaneError(
    'source-unsafe',
    `cannot read ${holder}: ${name} is a link to ${quoted(target)}, ${why}`,
    {
      suggestions: ['Put the file itself in place of the link.'],
    },
  )
}
