import {type LockedImage, statementsAbout} from '../../declaration/locked-signatures.js'
import type {Digest} from '../../fetch/image.js'
import {podImages} from '../../kubernetes/pod-images.js'
import type {PackagePorts} from '../../locate/located-package.js'
import {resolvedVersion} from '../../locate/pull-package.js'
import {RemoteRepository} from '../../locate/remote-repository.js'
import {formatImageName, type ImageName, isDigest, parseImageName} from '../../reference/image-name.js'
import {repositoryOf} from '../../reference/repository.js'
import {identityOf} from '../../reference/repository-name.js'
import {runBehavior} from '../../render/behavior-deployment.js'
import type {Era} from '../../render/era.js'
import type {Package} from '../../unpack/package.js'
import type {ImageToVerify} from './verify-images.js'
import {withRunner} from './with-runner.js'

/** Returns the images that a package runs unless a request says otherwise, without its own. */
export function defaultImages({controller, behavior}: Package, era: Era): readonly string[] {
  const own = controller === undefined ? [] : podImages([controller])
  if (behavior === undefined) return own
  const {controllerImage, source} = runBehavior(era, behavior, {})
  return [controllerImage, ...(source.image === undefined ? [] : [source.image])]
}

/** An image, and what runs it. */
export interface RunImage {
  readonly image: string
  /** The package, as `REPOSITORY:TAG`, or an object. */
  readonly by?: string
}

/** Where images are read from. */
export type ImagePorts = Pick<PackagePorts, 'remote' | 'folder'>

/** The digest of an image without one, as it was locked. */
type LockedDigest = (image: string) => string | undefined

/**
 * Verifies the images that a policy covers, each for one digest: that of its name, the one that was locked, or else the one that
 * its tag has now. Throws `signature-refused`, and as registries do, naming what runs the image.
 */
export async function verifyRunImages(
  images: readonly RunImage[],
  {remote, folder}: ImagePorts,
  lockedDigest: LockedDigest,
): Promise<readonly LockedImage[]> {
  const verified: LockedImage[] = []
  for (const {image, name, runners} of distinctImages(images)) {
    if (remote.trust?.covers(identityOf(name)) !== true) continue
    verified.push(
      await withRunner(runners[0], async () => {
        const repository = new RemoteRepository(name, remote)
        const digest = await digestOf({image, name}, {remote, folder}, lockedDigest)
        return {
          image,
          digest,
          signatures: statementsAbout(digest, (await repository.expectTrusted(digest)) ?? []),
        }
      }),
    )
  }
  return verified
}

/** Returns images for a report, each once, with what runs them. */
export function imagesToVerify(
  images: readonly RunImage[],
  ports: ImagePorts,
  lockedDigest: LockedDigest = () => undefined,
): readonly ImageToVerify[] {
  return distinctImages(images).map(({image, name, runners}) => ({
    name,
    digest: async () => await digestOf({image, name}, ports, lockedDigest),
    usedBy: runners,
  }))
}

/** Text that is not a reference of an image is left to the cluster, which does not run it. */
function distinctImages(images: readonly RunImage[]) {
  return [...new Set(images.map(({image}) => image))].sort().flatMap(image => {
    const name = parseImageName(image)
    const runners = images.flatMap(({image: other, by}) => (other === image && by !== undefined ? [by] : []))
    return name === undefined ? [] : [{image, name, runners: [...new Set(runners)]}]
  })
}

async function digestOf(
  {image, name}: {readonly image: string; readonly name: ImageName},
  {remote, folder}: ImagePorts,
  lockedDigest: LockedDigest,
): Promise<Digest> {
  const locked = name.digest ?? lockedDigest(image) ?? (await bundledDigest(name, folder))
  if (isDigest(locked)) return locked
  const tagged = {...name, tag: name.tag ?? 'latest'}
  return (await resolvedVersion(tagged, new RemoteRepository(name, remote))).digest
}

/** The digest of an image in a bundle, which has full names; empty if it is in none. */
async function bundledDigest(name: ImageName, folder: PackagePorts['folder']): Promise<string> {
  const full = formatImageName({...name, ...repositoryOf(name), tag: name.tag ?? 'latest'})
  return (await folder?.digestOf?.(full)) ?? ''
}
