import {CrossplaneError} from '../../errors.js'
import type {Allowance} from '../../fetch/allowance.js'
import {memberPath} from '../../fetch/member-path.js'
import {quoted} from '../../text.js'
import type {SourceLimits} from '../../fetch/source-limits.js'
import type {TarEntry} from '../../fetch/tar-entries.js'
import {linkInto} from './layer-change.js'
import type {LayerChange} from './layer-change.js'
import {expectSafePath, expectShortTarget} from './registry-path.js'

/** A layer that is read. `holder` names it; its limits are shared by all layers. */
export interface EntryContext {
  readonly holder: string
  /** The first segment of the paths that are kept, such as `.registry`. */
  readonly top: string
  readonly limits: SourceLimits
  readonly files: Allowance
  readonly bytes: Allowance
  /** Whether the layers below it are read as well, so that every link is known. */
  readonly knowsLinks: boolean
}

/**
 * Returns the change that one entry of a layer's tar makes to a package, with its content read; undefined for entries
 * outside of `.registry/` that cannot reach it. Throws `source-unsafe` for names that are absolute or have `..`,
 * anywhere, and for links into `.registry/`.
 */
export async function readEntry(context: EntryContext, entry: TarEntry): Promise<LayerChange | undefined> {
  const path = memberPath(entry.name, context.holder)
  const name = path.at(-1) ?? ''
  if (name.startsWith(WHITEOUT)) {
    return whiteout(context, path.slice(0, -1), name.slice(WHITEOUT.length), entry)
  }
  if (path[0] === context.top) return keptEntry(context, path, entry)
  return outsideEntry(context, path, entry)
}

const WHITEOUT = '.wh.'
const OPAQUE = '.wh..opq'

function outsideEntry(
  context: EntryContext,
  path: readonly string[],
  {kind, linkName}: TarEntry,
): LayerChange | undefined {
  const {holder, top} = context
  if (kind === 'symlink') {
    // Unless the segment is in a target, links lead into the folder only if the path of an entry contains it.
    if (path.length === 0 || linkName.split('/').includes(top)) throw linkInto(holder, path, top)
    return {kind: 'outside-link', path}
  }
  if (kind === 'hardlink') return {kind: 'outside-link', path, hardTarget: hardTarget(linkName, holder)}
  return mayPassLink(context, path, path.includes(context.top))
}

/** `reaches`: a link among the parents would lead the entry into the folder. All may, if links are unknown. */
function mayPassLink(
  {knowsLinks}: EntryContext,
  path: readonly string[],
  reaches: boolean,
): LayerChange | undefined {
  return path.length > 1 && (reaches || !knowsLinks) ? {kind: 'outside-entry', path} : undefined
}

/**
 * Other names that begin with `.wh..wh.` are aufs's own, and have no meaning here.
 * https://github.com/opencontainers/image-spec/blob/v1.1.1/layer.md#whiteouts
 */
function whiteout(
  context: EntryContext,
  directory: readonly string[],
  hidden: string,
  {kind}: TarEntry,
): LayerChange | undefined {
  const {holder, top} = context
  if (['', '.', '..'].includes(hidden)) {
    throw unsafeWhiteout(holder, directory, 'is a whiteout without a name')
  }
  const path = hidden === OPAQUE ? directory : [...directory, hidden]
  const isOurs = path[0] === top || path.length === 0
  if (!isOurs) return mayPassLink(context, [...directory, hidden], hidden === OPAQUE || path.includes(top))
  if (kind !== 'file') throw unsafeWhiteout(holder, path, 'has a whiteout that is not a file')
  if (hidden === OPAQUE) return {kind: 'hide-children', path}
  return hidden.startsWith(WHITEOUT) ? undefined : {kind: 'hide', path}
}

function unsafeWhiteout(holder: string, path: readonly string[], cause: string): CrossplaneError {
  return new CrossplaneError('source-unsafe', `cannot read ${holder}: ${quoted(path.join('/'))} ${cause}`)
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
        `cannot read ${holder}: ${quoted(entry.name)} is a sparse or special file`,
      )
    case 'device':
    case 'fifo':
      throw new CrossplaneError(
        'source-unsafe',
        `cannot read ${holder}: ${quoted(entry.name)} is a ${entry.kind}`,
      )
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

/** The target of a hard link is relative to the image's root. */
function hardTarget(linkName: string, holder: string): readonly string[] {
  return memberPath(linkName.replace(/^\/+/, ''), holder)
}

function keptHardLink({files, holder}: EntryContext, path: readonly string[], entry: TarEntry): LayerChange {
  files.spend(1, holder)
  const {name, linkName} = entry
  return {kind: 'hardlink', path, target: hardTarget(linkName, holder), name, linkName}
}

function tooLarge({holder, limits}: EntryContext, {name, size}: TarEntry): CrossplaneError {
  return new CrossplaneError(
    'limit-exceeded',
    `cannot read ${holder}: ${quoted(name)} has ${size} bytes; a file of a package has at most ${limits.fileBytes}`,
  )
}
