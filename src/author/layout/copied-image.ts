import {CrossplaneError} from '../../errors.js'
import {type Descriptor, type Image, platformImages} from '../../fetch/image.js'
import type {ImageStore} from '../../fetch/image-store.js'
import {isManifestType} from '../../fetch/media-types.js'
import {choosePlatform, DEFAULT_PLATFORM, type Platform} from '../../fetch/platform.js'
import {isAttestation, manifestName, readImage} from '../../fetch/read-image.js'
import {quoted} from '../../text.js'

/**
 * Reads an image to copy unchanged: every manifest keeps its bytes, and so the image its digest. Throws as `readImage`
 * does, `unsupported` for an index that lists anything but images, and `source-invalid` for an image without a config.
 */
export async function copiedImage(store: ImageStore): Promise<Image> {
  const image = await readImage(store, allImages)
  for (const {config, descriptor} of platformImages(image))
    if (config === undefined)
      throw new CrossplaneError('source-invalid', `${manifestName(store, descriptor)} has no config`)
  return image
}

/** Returns a platform of the image: the default one, else the first that it lists. */
export function platformOf(image: Image): Platform {
  const listed = platformImages(image).map(({descriptor}) => descriptor)
  const selected =
    choosePlatform(listed, DEFAULT_PLATFORM) ??
    listed.find(entry => entry.platform !== undefined && !isAttestation(entry))
  return selected?.platform ?? DEFAULT_PLATFORM
}

function allImages(entries: readonly Descriptor[], holder: string): readonly Descriptor[] {
  const other = entries.find(({mediaType}) => !isManifestType(mediaType))
  if (other === undefined) return entries
  throw new CrossplaneError(
    'unsupported',
    `cannot copy ${holder}: it lists ${quoted(other.mediaType)}, which is not an image`,
  )
}
