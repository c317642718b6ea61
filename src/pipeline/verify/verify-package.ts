import {CrossplaneError} from '../../errors.js'
import type {Digest} from '../../fetch/image.js'
import {locatePackage} from '../../locate/locate-package.js'
import {withPackages} from '../../locate/package-sources.js'
import {resolvedVersion} from '../../locate/pull-package.js'
import {RemoteRepository} from '../../locate/remote-repository.js'
import {present} from '../../present.js'
import {formatImageName, type ImageName, isDigest} from '../../reference/image-name.js'
import {nameFromSource} from '../../reference/image-source.js'
import {
  formatPackageReference,
  type PackageReference,
  parsePackageImage,
  parsePackageReference,
} from '../../reference/package-reference.js'
import type {SignatureRule} from '../../signatures/signature-rule.js'
import {inspectedImages} from '../inspect/bundle-closure.js'
import {imagesToVerify} from '../signatures/run-images.js'
import {type SignaturePorts, type VerifiedImage, verifyImages} from '../signatures/verify-images.js'

/** The signatures of packages and of the images that they run. */
export interface SignatureReport {
  readonly packages: readonly VerifiedImage[]
  readonly images: readonly VerifiedImage[]
}

/** Who has to have signed. */
export interface VerificationRules {
  readonly rules: readonly SignatureRule[]
  /** The rules for the images that packages run: those of policies. Without any, these images are not verified. */
  readonly imageRules: readonly SignatureRule[]
}

/**
 * Verifies a package and the images that it runs by default. Images are read only of a package that is signed as required.
 * Throws as reading it does.
 */
export async function verifyPackage(
  {reference, asPackage}: {readonly reference: string; readonly asPackage?: string},
  {rules, imageRules}: VerificationRules,
  ports: SignaturePorts,
): Promise<SignatureReport> {
  const own = await namedVersion(parsePackageReference(reference), asPackage, ports)
  const packages = await verifyImages(
    [{name: own.name, digest: () => Promise.resolve(own.digest)}],
    rules,
    ports,
  )
  const [first] = packages
  if (imageRules.length === 0 || first === undefined || first.status === 'rejected')
    return {packages, images: []}
  const local = asPackage === undefined ? {} : {asPackage}
  const read = asPackage === undefined ? first.reference : reference
  const names = await inspectedImages({reference: read, ...local}, ports)
  const images = imagesToVerify(
    names.map(image => ({image, by: formatImageName(own.name)})),
    ports,
  )
  return {packages, images: await verifyImages(images, imageRules, ports)}
}

interface NamedVersion {
  readonly name: ImageName
  readonly digest: Digest
}

/** A package in a registry is not read for its digest: images other than packages can be verified as well. */
async function namedVersion(
  target: PackageReference,
  asPackage: string | undefined,
  ports: SignaturePorts,
): Promise<NamedVersion> {
  if (target.kind !== 'image') return await localVersion(target, asPackage, ports)
  const {defaultSource, folder, remote} = ports
  const name = defaultSource === undefined ? target.name : nameFromSource(target.name, defaultSource)
  const versions = (await folder?.versions(target.name, defaultSource)) ?? []
  const inFolder = withPackages(versions, target.name.tag)
  if (inFolder.length > 0) return digested(target, await locatePackage(target, ports), name)
  const {tag, digest} = await resolvedVersion(name, new RemoteRepository(name, remote))
  return {name: {...name, ...present({tag})}, digest}
}

/** The signatures of a layout or an archive are in its registry. */
async function localVersion(
  target: PackageReference,
  asPackage: string | undefined,
  ports: SignaturePorts,
): Promise<NamedVersion> {
  const text = formatPackageReference(target)
  if (asPackage === undefined && target.kind !== 'directory') {
    throw new CrossplaneError(
      'usage',
      `${text} is not a bundle, and has no name by which its signatures can be read`,
      {
        suggestions: ['Add --as-package REF, the reference that it was pulled by.'],
      },
    )
  }
  const name = parsePackageImage(asPackage ?? 'local')
  return digested(target, await locatePackage(target, {...ports, asPackage: name}), name)
}

function digested(
  target: PackageReference,
  {digest, tag, reference}: {readonly digest?: string; readonly tag?: string; readonly reference?: ImageName},
  name: ImageName,
): NamedVersion {
  if (digest === undefined || !isDigest(digest)) {
    throw new CrossplaneError(
      'usage',
      `cannot verify ${formatPackageReference(target)}: a folder has no digest, and no signatures`,
      {
        suggestions: ['Push the package to a registry first: kubectl crossplane package push --help'],
      },
    )
  }
  return {name: {...name, ...present({tag: name.tag ?? reference?.tag ?? tag})}, digest}
}
