import {bundleArtifacts} from '../../bundles/bundle-artifacts.js'
import type {BundledImage} from '../../bundles/bundle-document.js'
import type {Bundle} from '../../bundles/open-bundle.js'
import {parsePackageImage} from '../../reference/package-reference.js'
import {type ImageToVerify, type SignaturePorts, verifyImages} from '../signatures/verify-images.js'
import type {SignatureReport, VerificationRules} from './verify-package.js'

/** Verifies every package and image of a bundle by the signatures that it carries, without a registry. */
export async function verifyBundled(
  bundle: Bundle,
  {rules, imageRules}: VerificationRules,
  {cryptography, sources}: Pick<SignaturePorts, 'cryptography' | 'sources'>,
): Promise<SignatureReport> {
  const folder: SignaturePorts['folder'] = {
    versions: () => Promise.resolve([]),
    all: () => Promise.resolve([]),
    artifacts: repository => Promise.resolve(bundleArtifacts(bundle, repository)),
  }
  const ports = {cryptography, sources, remote: {}, folder}
  const all = (role: BundledImage['role']) =>
    bundle.document.images.filter(image => image.role === role).map(imageToVerify)
  return {
    packages: await verifyImages(all('package'), rules, ports),
    images: imageRules.length === 0 ? [] : await verifyImages(all('image'), imageRules, ports),
  }
}

function imageToVerify({reference, digest, usedBy}: BundledImage): ImageToVerify {
  return {name: parsePackageImage(reference), digest: () => Promise.resolve(digest), usedBy}
}
