import {CrossplaneError} from '../errors.js'
import type {FolderVersion, PackageFolder, PackagePlace} from '../locate/package-sources.js'
import {type ImageName, parseImageName} from '../reference/image-name.js'
import {bundleArtifacts} from './bundle-artifacts.js'
import type {BundledImage} from './bundle-document.js'
import type {Bundle} from './open-bundle.js'

/**
 * The packages of a bundle as a folder of packages: they are looked up by their paths, as in any folder.
 * @param at - the layout or archive of the bundle.
 */
export function bundleFolder(
  open: () => Promise<Bundle>,
  at: {readonly kind: 'oci-layout' | 'oci-archive'; readonly path: string},
): PackageFolder {
  let opened: Promise<Bundle> | undefined
  const bundle = () => (opened ??= open())
  const packages = async () => (await bundle()).document.images.flatMap(packageIn)
  return {
    versions: async path =>
      (await packages()).filter(({name}) => pathsOf(name).includes(path)).map(image => versionOf(image, at)),
    all: async () =>
      (await packages()).map(image => ({
        ...versionOf(image, at),
        repositoryPath: `${image.name.registry ?? ''}/${image.name.path}`,
      })),
    artifacts: async repository => bundleArtifacts(await bundle(), repository),
    digestOf: async reference =>
      (await bundle()).document.images.find(image => image.reference === reference)?.digest,
  }
}

interface NamedImage extends BundledImage {
  readonly name: ImageName
}

function packageIn(image: BundledImage): readonly NamedImage[] {
  if (image.role !== 'package') return []
  const name = parseImageName(image.reference)
  if (name !== undefined) return [{...image, name}]
  throw new CrossplaneError('source-invalid', `${image.reference} is not a reference`)
}

/** Docker writes the images of docker.io that have one name without `library/`. */
function pathsOf({path}: ImageName): readonly string[] {
  return path.startsWith('library/') ? [path, path.slice('library/'.length)] : [path]
}

function versionOf(
  {name, reference, isXpkg, digest}: NamedImage,
  at: {readonly kind: 'oci-layout' | 'oci-archive'; readonly path: string},
): FolderVersion {
  const place: PackagePlace = {...at, tag: reference}
  return {tag: name.tag ?? digest, at: place, ...(isXpkg ? {isXpkg} : {})}
}
