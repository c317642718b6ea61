import {CrossplaneError} from '../errors.js'
import type {Descriptor, Digest} from '../fetch/image.js'
import type {ImageStore} from '../fetch/image-store.js'
import type {SourceFiles} from '../fetch/source-files.js'
import {shellWord} from '../text.js'
import type {BundledImage} from './bundle-document.js'
import {blobFile, type Bundle} from './open-bundle.js'

/** Opens an image of a bundle; `readImage` and `gatherImage` verify what they read of it. */
export function bundleStore(bundle: Bundle, image: BundledImage): ImageStore {
  const {reference, digest, size, mediaType} = image
  const blob = (descriptor: Pick<Descriptor, 'digest'>, start?: number) => bytesOf(bundle, descriptor, start)
  return {
    name: `${reference} in ${bundle.name}`,
    root: () => Promise.resolve({mediaType, digest, size, bytes: blob(image)}),
    manifest: descriptor => blob(descriptor),
    blob,
  }
}

async function* bytesOf(
  {name, layout, missingBase}: Bundle,
  descriptor: Pick<Descriptor, 'digest'>,
  start?: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  const file = await layout.file(blobFile(descriptor))
  if (file === undefined) throw missingBlob(name, descriptor, missingBase)
  yield* file.read(start)
}

function missingBlob(
  name: string,
  {digest}: Pick<Descriptor, 'digest'>,
  missingBase: Digest | undefined,
): CrossplaneError {
  const why = missingBase === undefined ? '' : `; it adds to the bundle ${missingBase}`
  return new CrossplaneError('not-found', `${name} lacks ${digest}${why}`, {
    suggestions: [
      missingBase !== undefined
        ? 'Pass that bundle, too, with --base FILE.'
        : `List everything that is missing: kubectl crossplane bundle verify ${shellWord(name)}`,
    ],
  })
}

/** Reports whether a layout has a blob of this size. */
export async function hasBlob(layout: SourceFiles, descriptor: Descriptor): Promise<boolean> {
  return (await layout.file(blobFile(descriptor)))?.size === descriptor.size
}
