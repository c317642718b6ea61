import {createHash} from 'node:crypto'
import {CrossplaneError} from '../../errors.js'
import type {Blob, Digest} from '../../fetch/image.js'
import {quoted} from '../../text.js'
import {REGISTRY_LAYER, WHOLE} from '../../fetch/registry-layer.js'
import {
  baseName,
  compareBytes,
  directoryOf,
  displayPath,
  type PackageFile,
} from '../../unpack/package-file.js'
import {gzipped} from './gzip.js'
import {OCI_TYPES} from '../../fetch/media-types.js'
import {blobOf} from '../../fetch/oci-parts.js'
import {tarEnd, tarHeader, type TarMember, tarPadding} from './tar-writer.js'

/** The layer that holds `.registry/`: as it is stored, and the digest of its tar before compression. */
export interface PackageLayer {
  readonly blob: Blob
  readonly diffId: Digest
}

export interface LayerChoices {
  /** The modification time of every member, in seconds since 1970. */
  readonly mtime: number
  /** Hide `.registry/` of the layers below. */
  readonly replaces: boolean
}

/** Throws `package-invalid` for names that would hide other files instead of creating one. */
export function packageLayer(files: readonly PackageFile[], choices: LayerChoices): PackageLayer {
  rejectWhiteouts(files)
  const hash = createHash('sha256')
  const bytes = gzipped(hashed(layerTar(files, choices), hash))
  const annotations = {[REGISTRY_LAYER]: WHOLE}
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
const OPAQUE = `${REGISTRY}/.wh..wh..opq`

interface Content extends TarMember {
  readonly bytes: Uint8Array
}

function* layerTar(
  files: readonly PackageFile[],
  {mtime, replaces}: LayerChoices,
): Generator<Uint8Array, void, undefined> {
  const [root, ...others] = membersOf(files)
  const opaque: Content = {path: OPAQUE, kind: 'file', size: 0, bytes: NOTHING}
  for (const member of [root, ...(replaces ? [opaque] : []), ...others]) {
    yield tarHeader(member, mtime)
    yield member.bytes
    yield tarPadding(member.size)
  }
  yield tarEnd()
}

const NOTHING = new Uint8Array(0)

/** Directories before their content, all else in the order of the bytes of their paths. */
function membersOf(files: readonly PackageFile[]): [Content, ...Content[]] {
  const folders = new Set(files.flatMap(foldersOf))
  const members = [
    ...[...folders].map((path): Content => ({path, kind: 'directory', size: 0, bytes: NOTHING})),
    ...files.map((file): Content => {
      return {path: displayPath(file), kind: 'file', size: file.bytes.length, bytes: file.bytes}
    }),
  ]
  const named = ({path, kind}: Content) => (kind === 'directory' ? `${path}/` : path)
  return [
    {path: REGISTRY, kind: 'directory', size: 0, bytes: NOTHING},
    ...members.sort((a, b) => compareBytes(named(a), named(b))),
  ]
}

/** Returns every folder below `.registry/` that contains a file. */
function foldersOf(file: PackageFile): string[] {
  const segments = [REGISTRY, ...directoryOf(file)]
  return segments.slice(1).map((_, index) => segments.slice(0, index + 2).join('/'))
}

function rejectWhiteouts(files: readonly PackageFile[]): void {
  const names = files.filter(file =>
    displayPath(file)
      .split('/')
      .some(segment => segment.startsWith('.wh.')),
  )
  if (names.length === 0) return
  throw new CrossplaneError(
    'package-invalid',
    'file names that begin with .wh. delete files when an image is unpacked',
    {
      diagnostics: names.map(file => {
        const message = `${quoted(baseName(file))} cannot be in an image`
        return {severity: 'error', rule: 'whiteout', message, file: displayPath(file)}
      }),
      suggestions: ['Give these files and folders other names.'],
    },
  )
}
