import type {LockedImage} from '../../declaration/locked-signatures.js'
import {podImages} from '../../kubernetes/pod-images.js'
import type {PackagePorts} from '../../locate/located-package.js'
import {resolvedVersion} from '../../locate/pull-package.js'
import {RemoteRepository} from '../../locate/remote-repository.js'
import {formatImageName, type ImageName, isDigest, parseImageName} from '../../reference/image-name.js'
import {formatRepository, repositoryOf} from '../../reference/repository.js'
import {runBehavior} from '../../render/behavior-deployment.js'
import type {Era} from '../../render/era.js'
import type {Package} from '../../unpack/package.js'

/** Returns the images that a package runs unless a request says otherwise, without its own. */
export function defaultImages({controller, behavior}: Package, era: Era): readonly string[] {
  const own = controller === undefined ? [] : podImages([controller])
  if (behavior === undefined) return own
  const {controllerImage, source} = runBehavior(era, behavior, {})
  return [controllerImage, ...(source.image === undefined ? [] : [source.image])]
}

/**
 * Verifies the images that a policy covers, each for one digest: that of its name, the one that was locked, or else the one that
 * its tag has now. Throws `signature-refused`, and as registries do.
 * @param lockedDigest - the digest of an image without one.
 */
export async function verifyRunImages(
  images: readonly string[],
  {remote, folder}: Pick<PackagePorts, 'remote' | 'folder'>,
  lockedDigest: (image: string) => string | undefined,
): Promise<readonly LockedImage[]> {
  const verified: LockedImage[] = []
  for (const image of [...new Set(images)].sort()) {
    const name = parseImageName(image)
    if (name === undefined || remote.trust?.covers(formatRepository(repositoryOf(name))) !== true) continue
    const repository = new RemoteRepository(name, remote)
    const locked = name.digest ?? lockedDigest(image) ?? (await bundledDigest(name, folder))
    const digest = isDigest(locked)
      ? locked
      : (await resolvedVersion({...name, tag: name.tag ?? 'latest'}, repository)).digest
    verified.push({image, digest, signatures: (await repository.expectTrusted(digest)) ?? []})
  }
  return verified
}

/** The digest of an image in a bundle, which has full names; empty if it is in none. */
async function bundledDigest(name: ImageName, folder: PackagePorts['folder']): Promise<string> {
  const full = formatImageName({...name, ...repositoryOf(name), tag: name.tag ?? 'latest'})
  return (await folder?.digestOf?.(full)) ?? ''
}
