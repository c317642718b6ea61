import {DEFAULT_PIN} from '../../xpkg/pins.js'
import type {GivenPackage} from '../../locate/locate-package.js'
import type {Lock} from '../../declaration/lock.js'
import {withoutExtends} from '../../declaration/entries/read-base.js'
import {writeLock} from '../../declaration/write-lock.js'
import type {Diagnostic} from '../../diagnostic.js'
import {CrossplaneError} from '../../errors.js'
import type {Digest} from '../../fetch/image.js'
import {isDigest} from '../../reference/image-name.js'
import {SYSTEM_NAMESPACE} from '../../reference/instance-name.js'
import {parsePackageImage} from '../../reference/package-reference.js'
import {present} from '../../present.js'
import type {PackagePorts} from '../../locate/located-package.js'
import {RemoteRepository} from '../../locate/remote-repository.js'
import {inspect} from './inspect.js'
import {lockRequest} from '../resolution/lock-request.js'
import {renderRecognized} from '../render/render-recognized.js'
import type {GivenChoices} from '../../package/given-choices.js'
import type {ReadRequest} from '../request/read-request.js'
import type {SourcePolicy} from '../../resolve/packages/resolution-policy.js'
import {expectAllowedLock} from '../../package/allowed-sources.js'
import {podImages} from '../../kubernetes/pod-images.js'
import {imagesInSet} from '../signatures/rendered-images.js'
import type {RunImage} from '../signatures/run-images.js'
import {type RequestedImage, RequestedImages} from './requested-images.js'

/** What a bundle is to have. */
export interface BundleClosure {
  readonly images: readonly RequestedImage[]
  readonly declaration?: Uint8Array
  readonly lock: string
  readonly notes: readonly Diagnostic[]
}

/** Nothing is rejected for its permissions: a bundle only has the images of Pods. */
const CHOICES: GivenChoices = {
  flags: {},
  defaults: {nonStructural: 'preserve', allowCorePermissions: true, allowFullDeployment: true},
}

/**
 * Resolves a request, renders it, and returns its packages and the images that they run. Throws as `lockRequest` and
 * rendering do, and `unsupported` for a package that no registry has.
 */
export async function requestClosure(
  request: ReadRequest,
  others: readonly string[],
): Promise<BundleClosure> {
  const {lock, notes} = await lockRequest(request, request.policy.lock)
  const images = new RequestedImages()
  addPackages(lock, images)
  for (const {image, by} of await renderedImages(request)) images.add(image, by)
  for (const image of others) images.add(image)
  const {declaration} = request
  return {
    images: images.all(),
    lock: writeLock(lock),
    notes,
    ...(declaration?.bytes === undefined
      ? {}
      : {declaration: withoutExtends({name: declaration.name, bytes: declaration.bytes})}),
  }
}

/**
 * Returns the packages of a lock and the images that each runs by default. Throws as reading the packages does, and
 * `policy-refused`.
 */
export async function lockClosure(
  lock: Lock,
  others: readonly string[],
  ports: PackagePorts,
  teams?: readonly SourcePolicy[],
): Promise<BundleClosure> {
  expectAllowedLock(lock, teams)
  const images = new RequestedImages()
  addPackages(lock, images)
  await expectTrusted(images.all(), ports)
  for (const {identity, tag, digest} of lock.packages) {
    const name = `${identity}:${tag}`
    const reference = digest === undefined ? name : `${name}@${digest}`
    for (const image of await inspectedImages({reference}, ports)) images.add(image, name)
  }
  for (const image of others) images.add(image)
  return {images: images.all(), lock: writeLock(lock), notes: []}
}

/** Only packages with `.registry/` are read: the others are copied as they are. */
async function expectTrusted(
  packages: readonly RequestedImage[],
  {remote}: Pick<PackagePorts, 'remote'>,
): Promise<void> {
  for (const {name} of packages) await new RemoteRepository(name, remote).expectTrusted(name.digest)
}

function addPackages({packages, xpkgs = []}: Lock, images: RequestedImages): void {
  const locked = [
    ...packages.map(({identity, tag, digest}) => ({repository: identity, tag, digest, isXpkg: false})),
    ...xpkgs.map(({repository, tag, digest}) => ({repository, tag, digest, isXpkg: true})),
  ]
  for (const {repository, tag, digest, isXpkg} of locked) {
    const name = parsePackageImage(repository)
    images.addPackage({...name, ...present({tag, digest: expectDigest(repository, tag, digest)})}, isXpkg)
  }
}

function expectDigest(repository: string, tag: string | undefined, digest: string | undefined): Digest {
  if (digest !== undefined && isDigest(digest)) return digest
  const name = tag === undefined ? repository : `${repository}:${tag}`
  throw new CrossplaneError(
    'unsupported',
    `cannot bundle ${name}: it is read from a folder and has no digest`,
    {
      suggestions: ['Push the package to a registry first: kubectl crossplane package push --help'],
    },
  )
}

/** Renders a request, and returns the images that its packages run. Throws as rendering does. */
export async function renderedImages(request: ReadRequest): Promise<readonly RunImage[]> {
  if (request.requested.length === 0) return []
  const {stacks, xpkgs} = await renderRecognized(request, {choices: CHOICES, settings: {pin: DEFAULT_PIN}})
  const ofStacks = stacks === undefined ? [] : imagesInSet(stacks)
  const objects = xpkgs?.objects.map(({object}) => object) ?? []
  return [...ofStacks, ...podImages(objects).map(image => ({image}))]
}

/**
 * Returns the images that a package runs by default. Placeholders of a request take the place of a namespace: images do not depend
 * on it. Throws as inspecting does.
 */
export async function inspectedImages(named: GivenPackage, ports: PackagePorts): Promise<readonly string[]> {
  const {defaultSource: _own, ...others} = ports
  const parameters = {
    imagePullSecrets: [],
    serviceAccountAnnotations: {},
    systemNamespace: SYSTEM_NAMESPACE,
    pin: true,
  }
  return (await inspect({api: 'packages', ...named, parameters}, others)).images
}
