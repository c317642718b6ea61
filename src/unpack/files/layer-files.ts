import {CrossplaneError} from '../../errors.js'
import {Allowance} from '../../fetch/allowance.js'
import {ByteCursor} from '../../fetch/byte-cursor.js'
import type {Blob} from '../../fetch/image.js'
import {claimsWholeRegistry} from '../../fetch/registry-layer.js'
import {SOURCE_LIMITS} from '../../fetch/source-limits.js'
import type {SourceLimits} from '../../fetch/source-limits.js'
import {tarEntries} from '../../fetch/tar-entries.js'
import {layerBytes} from './layer-bytes.js'
import {applyChange} from './layer-change.js'
import type {LayerChange} from './layer-change.js'
import {readAhead} from './read-ahead.js'
import {readEntry} from './read-entry.js'
import type {EntryContext} from './read-entry.js'
import {OutsideLinks} from './outside-links.js'
import type {PackageFile} from '../package-file.js'
import {REGISTRY} from './registry-path.js'
import {RegistryTree} from './registry-tree.js'
import {treeFiles} from './tree-files.js'
import {WholeLayerProof} from './whole-layer-proof.js'

/** The number of layers that are read concurrently, and of changes that are buffered for each later one. */
const AHEAD = {most: 3, capacity: 1024}

/**
 * Reads the files below `.registry/` at the root of an image, in the order of a sorted walk. Each layer is read once
 * as a stream, a few at a time, and applied to those below it in order: only files below `.registry/` are kept.
 * Layers below one that contains all of `.registry/` are not read at all. Undefined if the image has no `.registry/`.
 * Throws `source-invalid`, `source-unsafe`, `limit-exceeded` or `digest-mismatch`, naming layer and file.
 */
export async function registryFiles(
  layers: readonly Blob[],
  limits: SourceLimits = SOURCE_LIMITS,
): Promise<readonly PackageFile[] | undefined> {
  const whole = layers.findLastIndex(({descriptor}) => claimsWholeRegistry(descriptor))
  const tree =
    (await treeOf(layers, REGISTRY, Math.max(0, whole), limits)) ??
    (await treeOf(layers, REGISTRY, 0, limits))
  const path = [REGISTRY]
  return tree && treeFiles({tree, top: path, location: path, holder: 'the image', limits})
}

/**
 * Reads the files of any other folder of an image, by its path from the image's root, in the same way; undefined if the
 * image has no such folder.
 */
export async function folderInLayers(
  layers: readonly Blob[],
  path: readonly string[],
  limits: SourceLimits = SOURCE_LIMITS,
): Promise<readonly PackageFile[] | undefined> {
  const tree = await treeOf(layers, path[0] ?? '', 0, limits)
  return tree && treeFiles({tree, top: path, location: path, holder: 'the image', limits})
}

/**
 * Returns the tree of the layers from `start` on; undefined if those below it are required, because the layer does
 * not begin as one that contains all of `.registry/` does. So two readers never read two different packages, whatever
 * an annotation claims: see docs/decisions/0008.
 */
async function treeOf(
  layers: readonly Blob[],
  top: string,
  start: number,
  limits: SourceLimits,
): Promise<RegistryTree | undefined> {
  const context = imageContext(top, limits, start === 0)
  const read = layers.slice(start)
  const changes = readAhead(
    read.map(
      (layer, index) => isRequested =>
        layerChanges(
          context,
          whileRequested(layer, isRequested),
          start + index,
          nameOf(layers, start + index),
        ),
    ),
    AHEAD,
  )
  const proof = new WholeLayerProof(start)
  for await (const {layer, change} of changes) {
    if (!proof.allows(layer, change)) return undefined
    applyChange({...context, layer, holder: nameOf(layers, layer)}, change)
  }
  return proof.isComplete ? context.tree : undefined
}

function nameOf(layers: readonly Blob[], index: number): string {
  return `layer ${index + 1} of ${layers.length} (${layers[index]?.descriptor.digest})`
}

interface ImageContext extends Omit<EntryContext, 'holder'> {
  readonly tree: RegistryTree
  readonly links: OutsideLinks
  readonly stored: Allowance
  readonly unpacked: Allowance
  readonly headers: Allowance
}

function imageContext(top: string, limits: SourceLimits, knowsLinks: boolean): ImageContext {
  return {
    top,
    links: new OutsideLinks(
      new Allowance(limits.linkBytes, 'bytes in names of links, with the other layers'),
    ),
    knowsLinks,
    tree: new RegistryTree(
      new Allowance(limits.directories, `directories below ${top}/, with the other layers`),
    ),
    limits,
    stored: new Allowance(limits.unpackedBytes, 'bytes as stored, with the other layers'),
    unpacked: new Allowance(limits.unpackedBytes, 'bytes, unpacked and with the other layers'),
    headers: new Allowance(limits.tarHeaders, 'entries, with the other layers'),
    files: new Allowance(limits.files, `files below ${top}/, with the other layers`),
    bytes: new Allowance(limits.packageBytes, `bytes below ${top}/, with the other layers`),
  }
}

interface ChangeOfLayer {
  readonly layer: number
  readonly change: LayerChange
}

async function* layerChanges(
  context: ImageContext,
  layer: Blob,
  index: number,
  holder: string,
): AsyncGenerator<ChangeOfLayer, void, undefined> {
  const {limits, headers, unpacked} = context
  context.stored.spend(layer.descriptor.size, holder)
  const cursor = new ByteCursor(layerBytes(layer, holder, unpacked, limits))
  try {
    for await (const entry of tarEntries(cursor, holder, {headers, headerBytes: limits.tarHeaderBytes})) {
      const change = await readEntry({...context, holder}, entry)
      if (change !== undefined) yield {layer: index, change}
    }
  } catch (error) {
    if (error instanceof CrossplaneError && error.code === 'source-invalid') await expectIntact(layer)
    throw error
  } finally {
    await cursor.close()
  }
}

/**
 * Stops a layer whose entries are no longer requested: most of a layer is outside of `.registry/`, and after a
 * failure of another one users should not wait for gigabytes of that.
 */
function whileRequested(layer: Blob, isRequested: () => boolean): Blob {
  return {
    ...layer,
    async *open() {
      for await (const chunk of layer.open()) {
        if (!isRequested()) throw new Error('this layer is no longer read')
        yield chunk
      }
    },
  }
}

/** Reads a damaged layer to its end, so that a digest mismatch is reported as such and not as an invalid package. */
async function expectIntact(layer: Blob): Promise<void> {
  const cursor = new ByteCursor(layer.open())
  try {
    await cursor.skip(Number.POSITIVE_INFINITY)
  } finally {
    await cursor.close()
  }
}
