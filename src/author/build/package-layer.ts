import {createHash} from 'node:crypto'
import {CrossplaneError} from '../../errors.js'
import type {Blob, Digest} from '../../fetch/image.js'
import {quoted} from '../../text.js'
import {REGISTRY_LAYER, WHOLE} from '../../fetch/registry-layer.js'
import {compareBytes, displayPath, type PackageFile} from '../../unpack/package-file.js'
import {gzipped} from './gzip.js'
import {OCI_TYPES} from '../../fetch/media-types.js'
import {blobOf} from '../../fetch/oci-parts.js'
import {tarEnd, tarHeader, type TarMember, tarPadding} from './tar-writer.js'

/** A layer with files of a package: as it is stored, and the digest of its tar before compression. */
export interface PackageLayer {
  readonly blob: Blob
  readonly diffId: Digest
}

export interface LayerChoices {
  /** The modification time of every member, in seconds since 1970. */
  readonly mtime: number
  /** Hide the same folder of the layers below. */
  readonly replaces: boolean
}

/** A file of a layer, by its path from the root of the image. */
interface LayerFile {
  readonly path: string
  readonly bytes: Uint8Array
}

/** Throws `package-invalid` for names that would hide other files instead of creating one. */
export function packageLayer(files: readonly PackageFile[], choices: LayerChoices): PackageLayer {
  const members = files.map(file => ({path: displayPath(file), bytes: file.bytes}))
  return layerOf(members, REGISTRY, choices, {[REGISTRY_LAYER]: WHOLE})
}

/**
 * Returns the layer of another folder of a package, such as its templates; `path` leads to it from the root of the image.
 * Throws as `packageLayer` does.
 */
export function folderLayer(
  files: readonly PackageFile[],
  path: string,
  choices: LayerChoices,
): PackageLayer {
  const members = files.map(file => ({path: `${path}/${file.path}`, bytes: file.bytes}))
  return layerOf(members, path, choices, {})
}

/** Returns a layer with one file alone, without the folders above it; `mtime` is in seconds since 1970. */
export function fileLayer(
  file: LayerFile,
  mtime: number,
  annotations: Readonly<Record<string, string>>,
): PackageLayer {
  const {path, bytes} = file
  const member: Content = {path, kind: 'file', size: bytes.length, bytes}
  return layerOfTar(fileTar(member, mtime), annotations)
}

function* fileTar(member: Content, mtime: number): Generator<Uint8Array, void, undefined> {
  yield* contentOf(member, mtime)
  yield tarEnd()
}

function layerOf(
  files: readonly LayerFile[],
  root: string,
  choices: LayerChoices,
  annotations: Readonly<Record<string, string>>,
): PackageLayer {
  rejectWhiteouts(files)
  return layerOfTar(layerTar(files, root, choices), annotations)
}

function layerOfTar(tar: Iterable<Uint8Array>, annotations: Readonly<Record<string, string>>): PackageLayer {
  const hash = createHash('sha256')
  const bytes = gzipped(hashed(tar, hash))
  return {blob: blobOf(OCI_TYPES.gzip, bytes, annotations), diffId: `sha256:${hash.digest('hex')}`}
}

function* hashed(
  chunks: Iterable<Uint8Array>,
  hash: ReturnType<typeof createHash>,
): Generator<Uint8Array, void, undefined> {
  for (const chunk of chunks) {
    hash.update(chunk)
    yield chunk
  }
}

const REGISTRY = '.registry'
/** https://github.com/opencontainers/image-spec/blob/v1.1.1/layer.md#opaque-whiteout */
const OPAQUE = '.wh..wh..opq'

interface Content extends TarMember {
  readonly bytes: Uint8Array
}

function* layerTar(
  files: readonly LayerFile[],
  root: string,
  {mtime, replaces}: LayerChoices,
): Generator<Uint8Array, void, undefined> {
  const opaque: Content = {path: `${root}/${OPAQUE}`, kind: 'file', size: 0, bytes: NOTHING}
  for (const member of membersOf(files, root)) {
    yield* contentOf(member, mtime)
    if (replaces && member.path === root) yield* contentOf(opaque, mtime)
  }
  yield tarEnd()
}

function* contentOf(member: Content, mtime: number): Generator<Uint8Array, void, undefined> {
  yield tarHeader(member, mtime)
  yield member.bytes
  yield tarPadding(member.size)
}

const NOTHING = new Uint8Array(0)

/** Directories before their content, all else in the order of the bytes of their paths. */
function membersOf(files: readonly LayerFile[], root: string): readonly Content[] {
  const folders = new Set([...foldersOf(`${root}/`), ...files.flatMap(({path}) => foldersOf(path))])
  const members = [
    ...[...folders].map((path): Content => ({path, kind: 'directory', size: 0, bytes: NOTHING})),
    ...files.map(({path, bytes}): Content => ({path, kind: 'file', size: bytes.length, bytes})),
  ]
  const named = ({path, kind}: Content) => (kind === 'directory' ? `${path}/` : path)
  return members.sort((a, b) => compareBytes(named(a), named(b)))
}

/** Returns every folder above a file. */
function foldersOf(path: string): string[] {
  const segments = path.split('/').slice(0, -1)
  return segments.map((_, index) => segments.slice(0, index + 1).join('/'))
}

function rejectWhiteouts(files: readonly LayerFile[]): void {
  const names = files.filter(({path}) => path.split('/').some(segment => segment.startsWith('.wh.')))
  if (names.length === 0) return
  throw new CrossplaneError(
    'package-invalid',
    'file names that begin with .wh. delete files when an image is unpacked',
    {
      diagnostics: names.map(({path}) => {
        const message = `${quoted(path.slice(path.lastIndexOf('/') + 1))} cannot be in an image`
        return {severity: 'error', rule: 'whiteout', message, file: path}
      }),
      suggestions: ['Give these files and folders other names.'],
    },
  )
}
