import {CrossplaneError} from '../../errors.js'
import {Allowance} from '../../fetch/allowance.js'
import {ByteCursor} from '../../fetch/byte-cursor.js'
import type {Layer} from '../../fetch/image.js'
import {SOURCE_LIMITS} from '../../fetch/source-limits.js'
import type {SourceLimits} from '../../fetch/source-limits.js'
import {tarEntries} from '../../fetch/tar-entries.js'
import {XPKG, applyEntry} from './apply-entry.js'
import type {LayerContext} from './apply-entry.js'
import {layerBytes} from './layer-bytes.js'
import type {RegistryFile} from '../registry-file.js'
import {REGISTRY} from './registry-path.js'
import {RegistryTree} from './registry-tree.js'
import {treeFiles} from './tree-files.js'

/**
 * The files below `.registry/` at the root of an image, in the order of a sorted walk. Layers are read one after the
 * other, lowest first, each once and in passing: only what lies below `.registry/` is kept. Throws `not-found` when the
 * image has no `.registry/`, `unsupported` when it is a package of today's kind, and otherwise `source-invalid`,
 * `source-unsafe`, `limit-exceeded` or `digest-mismatch`, naming layer and file.
 */
export async function registryFiles(
  layers: readonly Layer[],
  limits: SourceLimits = SOURCE_LIMITS,
): Promise<readonly RegistryFile[]> {
  const context = imageContext(limits)
  for (const [index, layer] of layers.entries()) {
    const holder = `Layer ${index + 1} of ${layers.length}${layer.digest === undefined ? '' : ` (${layer.digest})`}`
    await addLayer({...context, layer: index, holder}, layer)
  }
  const files = treeFiles({tree: context.tree, location: [REGISTRY], holder: 'the image', limits})
  if (files === undefined) throw noRegistry(context.tree)
  return files
}

type ImageContext = Omit<LayerContext, 'layer' | 'holder'> & {
  readonly stored: Allowance
  readonly unpacked: Allowance
  readonly headers: Allowance
}

function imageContext(limits: SourceLimits): ImageContext {
  return {
    tree: new RegistryTree(
      new Allowance(limits.directories, 'directories below .registry/, with the layers below it'),
    ),
    limits,
    stored: new Allowance(limits.unpackedBytes, 'bytes as stored, with the layers below it'),
    unpacked: new Allowance(limits.unpackedBytes, 'bytes, unpacked and with the layers below it'),
    headers: new Allowance(limits.tarHeaders, 'entries, with the layers below it'),
    files: new Allowance(limits.files, 'files below .registry/, with the layers below it'),
    bytes: new Allowance(limits.packageBytes, 'bytes below .registry/, with the layers below it'),
  }
}

async function addLayer(context: LayerContext & ImageContext, layer: Layer): Promise<void> {
  const {holder, limits, headers, unpacked} = context
  context.stored.spend(layer.size, holder)
  const cursor = new ByteCursor(layerBytes(layer, holder, unpacked, limits))
  try {
    for await (const entry of tarEntries(cursor, holder, {headers, headerBytes: limits.tarHeaderBytes})) {
      await applyEntry(context, entry)
    }
  } catch (error) {
    if (error instanceof CrossplaneError && error.code === 'source-invalid') await expectIntact(layer)
    throw error
  } finally {
    await cursor.close()
  }
}

/** Reads a damaged layer to its end, so that bytes changed on the way are called that and not a bad package. */
async function expectIntact(layer: Layer): Promise<void> {
  const cursor = new ByteCursor(layer.open())
  try {
    await cursor.skip(Number.POSITIVE_INFINITY)
  } finally {
    await cursor.close()
  }
}

/** Crossplane packages since v0.13 are one `package.yaml` at an image's root. */
function noRegistry(tree: RegistryTree): CrossplaneError {
  if (tree.at([XPKG]) !== undefined) {
    return new CrossplaneError(
      'unsupported',
      'The image is a package for Crossplane v0.13 or later (xpkg).',
      {
        suggestions: [
          'Install it with a current Crossplane: kubectl apply a Provider or Configuration that names it.',
        ],
      },
    )
  }
  return new CrossplaneError('not-found', 'The image is no package: it has no .registry/ at its root.')
}
