import {CrossplaneError} from '../../errors.js'
import {Allowance} from '../../fetch/allowance.js'
import {ByteCursor} from '../../fetch/byte-cursor.js'
import type {Blob} from '../../fetch/image.js'
import {XPKG_BASE, XPKG_LAYER} from '../../fetch/xpkg-layer.js'
import {SOURCE_LIMITS, type SourceLimits} from '../../fetch/source-limits.js'
import {type TarEntry, tarEntries} from '../../fetch/tar-entries.js'
import {layerBytes} from '../../unpack/files/layer-bytes.js'

/** The YAML stream of a package for a current Crossplane, and how its image marks the layer with it. */
export interface XpkgStream {
  readonly bytes: Uint8Array
  /** The number of layers with the annotation; without any, all layers are searched. */
  readonly baseLayers: number
}

/** The file with the stream. */
export const STREAM_FILE = 'package.yaml'

/**
 * Finds the `package.yaml` of an image as the core does: in the annotated layer alone, or without one in all layers,
 * where higher ones hide lower ones. It is recognized by its base name, and the first one counts. Undefined if an image
 * without annotations has none. Throws `source-invalid` if the annotated layer has none, `limit-exceeded`, and the
 * errors of reading layers.
 */
export async function findStream(
  layers: readonly Blob[],
  limits: SourceLimits = SOURCE_LIMITS,
): Promise<XpkgStream | undefined> {
  const based = layers.filter(({descriptor}) => descriptor.annotations[XPKG_LAYER] === XPKG_BASE)
  const search = new Search(limits)
  for (const layer of based.length > 0 ? based.slice(0, 1) : [...layers].reverse()) {
    const bytes = await search.layer(layer)
    if (bytes !== undefined) return {bytes, baseLayers: based.length}
  }
  if (based.length === 0) return undefined
  throw new CrossplaneError(
    'source-invalid',
    `the image is not a package: its layer with the annotation ${XPKG_LAYER}: ${XPKG_BASE} has no ${STREAM_FILE}`,
    {suggestions: ['Build it again with package build or crossplane xpkg build.']},
  )
}

const WHITEOUT = '.wh.'

/** Searches layers from the highest down, so that a file or folder that a higher one hides is not found. */
class Search {
  readonly #limits: SourceLimits
  readonly #unpacked: Allowance
  readonly #headers: Allowance
  readonly #hiddenBytes: Allowance
  readonly #hidden = new Set<string>()

  constructor(limits: SourceLimits) {
    this.#limits = limits
    this.#unpacked = new Allowance(limits.unpackedBytes, 'bytes, unpacked and with the other layers')
    this.#headers = new Allowance(limits.tarHeaders, 'entries, with the other layers')
    this.#hiddenBytes = new Allowance(limits.linkBytes, 'bytes in names of deleted files')
  }

  async layer(layer: Blob): Promise<Uint8Array | undefined> {
    const holder = `the layer ${layer.descriptor.digest}`
    const cursor = new ByteCursor(layerBytes(layer, holder, this.#unpacked, this.#limits))
    const bounds = {headers: this.#headers, headerBytes: this.#limits.tarHeaderBytes}
    const hidden: string[] = []
    let stream: Uint8Array | undefined
    try {
      for await (const entry of tarEntries(cursor, holder, bounds)) {
        const path = segmentsOf(entry.name)
        const name = path.at(-1) ?? ''
        if (name.startsWith(WHITEOUT)) {
          const target = [...path.slice(0, -1), name.slice(WHITEOUT.length)].join('/')
          this.#hiddenBytes.spend(target.length, holder)
          hidden.push(target)
        } else if (
          stream === undefined &&
          name === STREAM_FILE &&
          entry.kind === 'file' &&
          this.#isShown(path)
        ) {
          stream = await this.#read(entry, holder)
        }
      }
    } finally {
      await cursor.close()
    }
    for (const path of hidden) this.#hidden.add(path)
    return stream
  }

  #isShown(path: readonly string[]): boolean {
    return !path.some((_segment, index) => this.#hidden.has(path.slice(0, index + 1).join('/')))
  }

  async #read(entry: TarEntry, holder: string): Promise<Uint8Array> {
    const {xpkgBytes} = this.#limits
    if (entry.size <= xpkgBytes) return await entry.read()
    throw new CrossplaneError(
      'limit-exceeded',
      `cannot read ${holder}: its ${STREAM_FILE} has ${entry.size} bytes; the maximum is ${xpkgBytes}`,
    )
  }
}

/** Names are compared without `.` and empty segments; they are never used as paths on disk. */
function segmentsOf(name: string): readonly string[] {
  return name.split('/').filter(segment => segment !== '' && segment !== '.')
}
