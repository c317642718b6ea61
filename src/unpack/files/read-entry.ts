import {CrossplaneError} from '../../errors.js'
import type {Allowance} from '../../fetch/allowance.js'
import {memberPath} from '../../fetch/member-path.js'
import {quoted} from '../../text.js'
import type {SourceLimits} from '../../fetch/source-limits.js'
import type {TarEntry} from '../../fetch/tar-entries.js'
import type {LayerChange} from './layer-change.js'
import {REGISTRY, expectSafePath, expectShortTarget} from './registry-path.js'

/** One layer being read. `holder` names it; what it may hold is shared by all layers. */
export interface EntryContext {
  readonly holder: string
  readonly limits: SourceLimits
  readonly files: Allowance
  readonly bytes: Allowance
}

/** What is at an image's root when it is a package for Crossplane v0.13 or later. */
export const XPKG = 'package.yaml'

/**
 * What one entry of a layer's tar changes about a package, with its content read; undefined for what lies outside of
 * `.registry/`, unless its name is `source-unsafe` anywhere: absolute, or with `..`.
 */
export async function readEntry(context: EntryContext, entry: TarEntry): Promise<LayerChange | undefined> {
  const path = memberPath(entry.name, context.holder)
  const name = path.at(-1) ?? ''
  if (name.startsWith(WHITEOUT)) return whiteout(context, path.slice(0, -1), name.slice(WHITEOUT.length))
  if (path[0] === REGISTRY) return keptEntry(context, path, entry)
  // Its content is another program's to read; that it is there tells people what they have.
  return isXpkg(path) ? {kind: 'file', path, bytes: new Uint8Array(0)} : undefined
}

const WHITEOUT = '.wh.'
const OPAQUE = '.wh..opq'

function isXpkg(path: readonly string[]): boolean {
  return path.length === 1 && path[0] === XPKG
}

/**
 * Other names that begin with `.wh..wh.` are aufs's own, and mean nothing here.
 * https://github.com/opencontainers/image-spec/blob/v1.1.1/layer.md#whiteouts
 */
function whiteout(
  {holder}: EntryContext,
  directory: readonly string[],
  hidden: string,
): LayerChange | undefined {
  if (['', '.', '..'].includes(hidden)) {
    throw new CrossplaneError(
      'source-unsafe',
      `${holder} has a whiteout of nothing in ${quoted(directory.join('/'))}.`,
    )
  }
  if (hidden === OPAQUE) {
    return directory.length === 0 || directory[0] === REGISTRY
      ? {kind: 'hide-children', path: directory}
      : undefined
  }
  const path = [...directory, hidden]
  const isOurs = path[0] === REGISTRY || isXpkg(path)
  return isOurs && !hidden.startsWith(WHITEOUT) ? {kind: 'hide', path} : undefined
}

async function keptEntry(
  context: EntryContext,
  path: readonly string[],
  entry: TarEntry,
): Promise<LayerChange> {
  const {holder, limits} = context
  expectSafePath(path.slice(1), holder, limits)
  switch (entry.kind) {
    case 'file':
      return keptFile(context, path, entry)
    case 'directory':
      return {kind: 'directory', path}
    case 'symlink':
      return keptLink(context, path, entry)
    case 'hardlink':
      return keptHardLink(context, path, entry)
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

async function keptFile(
  context: EntryContext,
  path: readonly string[],
  entry: TarEntry,
): Promise<LayerChange> {
  if (entry.size > context.limits.fileBytes) throw tooLarge(context, entry)
  context.files.spend(1, context.holder)
  context.bytes.spend(entry.size, context.holder)
  return {kind: 'file', path, bytes: await entry.read()}
}

function keptLink(context: EntryContext, path: readonly string[], {linkName}: TarEntry): LayerChange {
  expectShortTarget(linkName, context.holder, context.limits)
  context.files.spend(1, context.holder)
  return {kind: 'symlink', path, target: linkName}
}

/** Its target is meant from the image's root. */
function keptHardLink({files, holder}: EntryContext, path: readonly string[], entry: TarEntry): LayerChange {
  files.spend(1, holder)
  const {name, linkName} = entry
  return {kind: 'hardlink', path, target: memberPath(linkName.replace(/^\/+/, ''), holder), name, linkName}
}

function tooLarge({holder, limits}: EntryContext, {name, size}: TarEntry): CrossplaneError {
  return new CrossplaneError(
    'limit-exceeded',
    `${holder} has ${quoted(name)} with ${size} bytes; a file of a package has at most ${limits.fileBytes}.`,
  )
}
