import {CrossplaneError} from '../errors.js'
import type {FolderVersion, PackageFolder, PackagePlace} from '../locate/package-sources.js'
import {type ImageName, parseImageName} from '../reference/image-name.js'
import {identityOf} from '../reference/repository-name.js'
import {bundleArtifacts} from './bundle-artifacts.js'
import type {BundledImage} from './bundle-document.js'
import type {Bundle} from './open-bundle.js'

/** The packages of a bundle as a folder of packages, except that they are looked up by their full names. */
export function bundleFolder(open: () => Promise<Bundle>): PackageFolder {
  let opened: Promise<Bundle> | undefined
  const bundle = () => (opened ??= open())
  const packages = async () => packagesIn(await bundle())
  return {
    versions: async (requested, defaultSource) => {
      const identity = identityOf(requested, defaultSource)
      return (await packages()).filter(({name}) => identityOf(name) === identity)
    },
    all: async () =>
      (await packages()).map(version => ({
        ...version,
        repositoryPath: `${version.name.registry ?? ''}/${version.name.path}`,
      })),
    artifacts: async repository => bundleArtifacts(await bundle(), repository),
    digestOf: async reference =>
      (await bundle()).document.images.find(image => image.reference === reference)?.digest,
  }
}

interface NamedVersion extends FolderVersion {
  readonly name: ImageName
}

function packagesIn(bundle: Bundle): readonly NamedVersion[] {
  return bundle.document.images.flatMap(image => (image.role === 'package' ? [versionOf(image, bundle)] : []))
}

function versionOf({reference, isXpkg, digest}: BundledImage, {name: path, layout}: Bundle): NamedVersion {
  const name = parseImageName(reference)
  if (name === undefined) throw new CrossplaneError('source-invalid', `${reference} is not a reference`)
  const at: PackagePlace = {kind: 'bundle', path, tag: reference, layout}
  return {name, tag: name.tag ?? digest, at, ...(isXpkg ? {isXpkg} : {})}
}
