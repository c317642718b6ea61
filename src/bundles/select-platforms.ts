import type {Descriptor} from '../fetch/image.js'
import {choosePlatform, type Platform} from '../fetch/platform.js'
import {isAttestation, listedImages} from '../fetch/read-image.js'

/** The annotation of an attestation of BuildKit with the digest of the image that it is about. */
const SUBJECT = 'vnd.docker.reference.digest'

/** Returns the entries of an index for some platforms, with their attestations, and those that name no platform. */
export function selectPlatforms(
  entries: readonly Descriptor[],
  platforms: readonly Platform[],
): readonly Descriptor[] {
  const images = listedImages(entries)
  const chosen = new Set(
    platforms.flatMap(platform => choosePlatform(images, platform) ?? []).map(({digest}) => digest),
  )
  return entries.filter(entry => {
    if (isAttestation(entry)) return chosen.has(entry.annotations[SUBJECT] as Descriptor['digest'])
    return entry.platform === undefined || chosen.has(entry.digest)
  })
}
