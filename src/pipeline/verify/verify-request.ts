import type {Lock} from '../../declaration/lock.js'
import {signaturesIn} from '../../declaration/locked-sources.js'
import {present} from '../../present.js'
import {isDigest} from '../../reference/image-name.js'
import {parsePackageImage} from '../../reference/package-reference.js'
import {renderedImages} from '../inspect/bundle-closure.js'
import {lockRequest} from '../resolution/lock-request.js'
import type {ReadRequest} from '../request/read-request.js'
import {imagesToVerify} from '../signatures/run-images.js'
import {type ImageToVerify, type SignaturePorts, verifyImages} from '../signatures/verify-images.js'
import type {SignatureReport, VerificationRules} from './verify-package.js'

/**
 * Verifies every package of the lock of a request, or of its resolution if it has no lock, and every image that they run. Images
 * are read only of packages that are signed as required. Throws as resolving and rendering do.
 */
export async function verifyRequest(
  request: ReadRequest,
  {rules, imageRules}: VerificationRules,
  {cryptography}: Pick<SignaturePorts, 'cryptography'>,
): Promise<SignatureReport> {
  const ports = {...request.packages, cryptography}
  const read = withoutImageRules(request)
  const lock = request.policy.lock?.lock ?? (await lockRequest(read)).lock
  const packages = await verifyImages(lockedPackages(lock), rules, ports)
  const isRejected = packages.some(({status}) => status === 'rejected')
  if (imageRules.length === 0 || isRejected) return {packages, images: []}
  const run = await renderedImages(read)
  const images = imagesToVerify(run, ports, image => signaturesIn(lock).digestOf(image))
  return {packages, images: await verifyImages(images, imageRules, ports)}
}

function lockedPackages({packages, xpkgs = []}: Lock): readonly ImageToVerify[] {
  const locked = [...packages.map(own => ({repository: own.identity, ...own})), ...xpkgs]
  return locked.map(({repository, tag, digest}) => ({
    name: {...parsePackageImage(repository), ...present({tag})},
    digest: () => Promise.resolve(digest !== undefined && isDigest(digest) ? digest : undefined),
  }))
}

/** Packages are verified before they are read for their images; images are verified for the report, which names all of them. */
function withoutImageRules({policy, packages, ...request}: ReadRequest): ReadRequest {
  const {judge: _rules, trust: _trust, ...others} = policy
  const {trust} = packages.remote
  if (trust === undefined) return {...request, policy: others, packages}
  const remote = {...packages.remote, trust: {...trust, covers: () => false}}
  return {...request, policy: others, packages: {...packages, remote}}
}
