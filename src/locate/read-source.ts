import {fetchImage, lacksPlatform} from '../fetch/fetch-image.js'
import type {Digest} from '../fetch/image.js'
import type {Platform} from '../fetch/platform.js'
import type {PackageFile} from '../unpack/package-file.js'
import type {XpkgSource} from './xpkg-source.js'
import {
  filesInDirectory,
  packageInDirectory,
  packageInImage,
  filesInImage,
  imageFacts,
  type ImageFacts,
} from './image-files.js'
import {imageStoreOf} from './image-store-of.js'
import type {ExampleChoice, SourceFolderChoices} from './source-folder.js'
import type {PackagePlace, PackageSources} from './package-sources.js'

/** The files of a package: of a directory, or of an image with its tag and digest. */
export interface ReadSource {
  readonly files: readonly PackageFile[]
  readonly folder?: string
  readonly tag?: string
  readonly digest?: Digest
  /** Of a package for a current Crossplane: its files are a stream, or those of which one is built. */
  readonly xpkg?: XpkgSource
  /** Reads what the containers of the image can run; only where another folder of an image was read. */
  readonly facts?: () => Promise<ImageFacts>
  /** Of a layout or archive: reports whether it has no image for a platform. */
  readonly lacksPlatform?: (platform: Platform) => Promise<boolean>
}

/** What to read of a package. */
export interface ReadOptions extends ExampleChoice {
  readonly platform?: Platform
  /** Another folder in place of `.registry/`. */
  readonly filesOf?: string
  /** How the source folder of a package for a current Crossplane is read, to build or lint it. */
  readonly sourceFolder?: SourceFolderChoices
}

/** Reads a package from a directory, a layout or an archive. Throws as reading and unpacking them does. */
export async function readSource(
  place: PackagePlace,
  sources: PackageSources,
  {platform, filesOf, sourceFolder, withExamples = false}: ReadOptions,
): Promise<ReadSource> {
  const at = xpkgFile(place)
  if (at.kind === 'directory') {
    const directory = await sources.directory(at.path)
    if (filesOf !== undefined) return {files: await filesInDirectory(directory, filesOf), folder: at.path}
    return {...(await packageInDirectory(directory, sourceFolder, {withExamples})), folder: at.path}
  }
  const store = await imageStoreOf(at, sources, platform)
  const image = await fetchImage(store, {platform})
  const digest = store.isDerived === true ? undefined : image.descriptor.digest
  const read =
    filesOf === undefined
      ? await packageInImage(image, {withExamples})
      : {files: await filesInImage(image, filesOf), facts: async () => await imageFacts(image)}
  const lacks = async (other: Platform) => await lacksPlatform(store, other)
  return {...read, tag: image.tag, digest, lacksPlatform: lacks}
}

/** The file that `crossplane xpkg build` writes, an archive, is recognized by its name. */
function xpkgFile(place: PackagePlace): PackagePlace {
  const isFile = place.kind === 'directory' && place.path.endsWith('.xpkg')
  return isFile ? {kind: 'tarball', path: place.path} : place
}
