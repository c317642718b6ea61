import type {LockedImage} from '../../declaration/locked-signatures.js'
import {CrossplaneError} from '../../errors.js'
import {podImages, withPodImages} from '../../kubernetes/pod-images.js'
import type {InstallSet, SetObject} from '../../render/install-set.js'
import type {ClosurePackage} from '../../render/xpkg/closure.js'
import type {HeldLock} from '../../resolve/lock/held-lock.js'
import type {ResolutionPolicy} from '../../resolve/packages/resolution-policy.js'
import {type SignerChange, signerChangeText} from '../../resolve/signer-changes.js'
import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import {present} from '../../present.js'
import {type ImagePorts, type RunImage, verifyRunImages} from './run-images.js'
import type {SignedPackages} from './signed-packages.js'

/**
 * Verifies the images that rendered objects run, and names them by the digest that was verified: a tag could be moved before a
 * node pulls it. Images of packages that the cluster has already, from the same source, stay as they are. Throws `signature-refused`.
 */
export async function withVerifiedImages(
  {objects, installs}: Pick<InstallSet, 'objects' | 'installs'>,
  signed: SignedPackages,
  {installed, trust}: Pick<ResolutionPolicy, 'installed' | 'trust'>,
  ports: ImagePorts,
): Promise<readonly SetObject[]> {
  if (trust === undefined) return objects
  const before = new Set(
    (installed?.packages ?? []).map(({identity, digest = '', inventory}) =>
      keyOf(identity, digest, inventory?.settings.source),
    ),
  )
  const kept = new Set(
    installs.flatMap(({namespace, name, package: own, request}) =>
      own !== undefined && before.has(keyOf(own.identity, own.digest, request?.source))
        ? [`${namespace}/${name}`]
        : [],
    ),
  )
  const isNew = ({install}: SetObject) =>
    install === undefined || !kept.has(`${install.namespace}/${install.name}`)
  const digests = new Map([...signed.values()].flatMap(own => (own.images ?? []).map(pairOf)))
  const run = imagesInSet({objects: objects.filter(isNew), installs})
  const names = await pinnedNames(run, ports, image => digests.get(image))
  return names.size === 0
    ? objects
    : objects.map(own => (isNew(own) ? {...own, object: withPodImages(own.object, names)} : own))
}

function keyOf(identity: string, digest = '', source = ''): string {
  return `${identity}@${digest} ${source}`
}

/** Returns the images that the objects of a set run, with their packages. */
export function imagesInSet({
  objects,
  installs,
}: Pick<InstallSet, 'objects' | 'installs'>): readonly RunImage[] {
  const packages = new Map(
    installs.map(({namespace, name, package: own}) => [
      `${namespace}/${name}`,
      own === undefined ? undefined : `${own.identity}:${own.tag}`,
    ]),
  )
  return objects.flatMap(({object, install}) => {
    const by = install === undefined ? undefined : packages.get(`${install.namespace}/${install.name}`)
    return podImages([object]).map(image => ({image, ...present({by})}))
  })
}

/** Verifies the images that objects run, and others; returns the names with digests of those that a policy covers. */
export async function verifiedImages(
  objects: readonly KubernetesObject[],
  ports: ImagePorts,
  others: readonly RunImage[] = [],
): Promise<ReadonlyMap<string, string>> {
  const run = objects.flatMap(object =>
    podImages([object]).map(image => ({image, by: `${object.kind} ${object.metadata.name}`})),
  )
  return await pinnedNames([...run, ...others], ports, () => undefined)
}

/** Returns what a Crossplane before 2.0 runs in place of the images of packages. */
export function formerImages(
  packages: readonly Pick<ClosurePackage, 'repository' | 'version' | 'formerImage'>[],
): readonly RunImage[] {
  return packages.flatMap(({repository, version, formerImage}) =>
    formerImage === undefined ? [] : [{image: formerImage, by: `${repository}:${version}`}],
  )
}

async function pinnedNames(
  ...[run, ports, lockedDigest]: Parameters<typeof verifyRunImages>
): Promise<ReadonlyMap<string, string>> {
  const verified = await verifyRunImages(run, ports, lockedDigest)
  return new Map(
    verified.map(({image, digest}) => [image, image.includes('@') ? image : `${image}@${digest}`]),
  )
}

function pairOf({image, digest}: LockedImage): readonly [string, string] {
  return [image, digest]
}

/** Throws `lock-outdated` if a lock must not change and other signers signed, as far as their signatures were read. */
export function expectSameSigners(changes: readonly SignerChange[], lock: HeldLock | undefined): void {
  if (lock?.otherwise !== 'reject' || changes.length === 0) return
  throw new CrossplaneError('lock-outdated', `the lock ${lock.name} has other signers`, {
    diagnostics: changes.map(change => ({
      severity: 'error',
      rule: 'signer-changed',
      message: signerChangeText(change),
    })),
    suggestions: [lock.remedy],
  })
}
