import {CrossplaneError} from '../../errors.js'
import type {Allowance} from '../../fetch/allowance.js'
import {memberPath} from '../../fetch/member-path.js'
import {quoted} from '../../fetch/quoted.js'
import type {SourceLimits} from '../../fetch/source-limits.js'
import type {TarEntry} from '../../fetch/tar-entries.js'
import {REGISTRY, expectSafePath, expectShortTarget} from './registry-path.js'
import type {RegistryTree} from './registry-tree.js'

/** One layer being laid over those below it. `holder` names it; what it may hold is shared by all layers. */
export interface LayerContext {
  readonly tree: RegistryTree
  readonly layer: number
  readonly holder: string
  readonly limits: SourceLimits
  readonly files: Allowance
  readonly bytes: Allowance
}

/** What is at an image's root when it is a package for Crossplane v0.13 or later. */
export const XPKG = 'package.yaml'

/**
 * Lays one entry of a layer's tar over the tree. What lies outside of `.registry/` is passed over, unless its name is
 * `source-unsafe` anywhere: absolute, or with `..`.
 */
export async function applyEntry(context: LayerContext, entry: TarEntry): Promise<void> {
  const path = memberPath(entry.name, context.holder)
  const name = path.at(-1) ?? ''
  if (name.startsWith(WHITEOUT)) applyWhiteout(context, path.slice(0, -1), name.slice(WHITEOUT.length))
  else if (path[0] === REGISTRY) await keepEntry(context, path, entry)
  else if (path.length === 1 && name === XPKG) keepMark(context, path)
}

const WHITEOUT = '.wh.'
const OPAQUE = '.wh..opq'

/**
 * Other names that begin with `.wh..wh.` are aufs's own, and mean nothing here.
 * https://github.com/opencontainers/image-spec/blob/v1.1.1/layer.md#whiteouts
 */
function applyWhiteout(
  {tree, layer, holder}: LayerContext,
  directory: readonly string[],
  hidden: string,
): void {
  if (['', '.', '..'].includes(hidden)) {
    throw new CrossplaneError(
      'source-unsafe',
      `${holder} has a whiteout of nothing in ${quoted(directory.join('/'))}.`,
    )
  }
  if (hidden === OPAQUE) tree.hideChildren(directory, layer)
  else if (!hidden.startsWith(WHITEOUT)) tree.hide([...directory, hidden], layer)
}

/** Its content is another program's to read; that it is there tells people what they have. */
function keepMark({tree, layer, holder}: LayerContext, path: readonly string[]): void {
  tree.put(path, {kind: 'file', layer, bytes: new Uint8Array(0)}, holder)
}

async function keepEntry(context: LayerContext, path: readonly string[], entry: TarEntry): Promise<void> {
  const {tree, layer, holder, limits} = context
  expectSafePath(path.slice(1), holder, limits)
  switch (entry.kind) {
    case 'file':
      return keepFile(context, path, entry)
    case 'directory':
      return tree.putDirectory(path, layer, holder)
    case 'symlink':
      return keepLink(context, path, entry)
    case 'hardlink':
      return keepHardLink(context, path, entry)
    case 'other':
      throw new CrossplaneError(
        'unsupported',
        `${holder} has ${quoted(entry.name)} as a sparse or special file.`,
      )
    case 'device':
    case 'fifo':
      throw new CrossplaneError('source-unsafe', `${holder} has ${quoted(entry.name)} as a ${entry.kind}.`)
  }
}

async function keepFile(context: LayerContext, path: readonly string[], entry: TarEntry): Promise<void> {
  const {tree, layer, holder, limits} = context
  if (entry.size > limits.fileBytes) throw tooLarge(context, entry)
  context.files.spend(1, holder)
  context.bytes.spend(entry.size, holder)
  tree.put(path, {kind: 'file', layer, bytes: await entry.read()}, holder)
}

function keepLink(context: LayerContext, path: readonly string[], {linkName}: TarEntry): void {
  const {tree, layer, holder, limits} = context
  expectShortTarget(linkName, holder, limits)
  context.files.spend(1, holder)
  tree.put(path, {kind: 'symlink', layer, target: linkName}, holder)
}

/** A second name for what the tar, or a layer below, has had already. Its target is meant from the image's root. */
function keepHardLink(context: LayerContext, path: readonly string[], entry: TarEntry): void {
  const {tree, layer, holder} = context
  const target = memberPath(entry.linkName.replace(/^\/+/, ''), holder)
  const node = target[0] === REGISTRY ? tree.at(target) : undefined
  if (node === undefined || node.kind === 'directory') throw unsafeHardLink(holder, entry)
  context.files.spend(1, holder)
  context.bytes.spend(node.kind === 'file' ? node.bytes.length : 0, holder)
  tree.put(path, {...node, layer}, holder)
}

function unsafeHardLink(holder: string, {name, linkName}: TarEntry): CrossplaneError {
  return new CrossplaneError(
    'source-unsafe',
    `${holder} has ${quoted(name)} as a link to ${quoted(linkName)}, which is no file below .registry/.`,
    {suggestions: ['Put the file itself in place of the link.']},
  )
}

function tooLarge({holder, limits}: LayerContext, {name, size}: TarEntry): CrossplaneError {
  return new CrossplaneError(
    'limit-exceeded',
    `${holder} has ${quoted(name)} with ${size} bytes; a file of a package has at most ${limits.fileBytes}.`,
  )
}
