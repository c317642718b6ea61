import {tagWarnings} from '../../author/build/build-image.js'
import {copiedImage, platformOf} from '../../author/layout/copied-image.js'
import type {Diagnostic} from '../../diagnostic.js'
import {CrossplaneError} from '../../errors.js'
import {fetchImage} from '../../fetch/fetch-image.js'
import type {Image} from '../../fetch/image.js'
import type {ImageStore} from '../../fetch/image-store.js'
import {type PackageFiles, packageInImage} from '../../locate/image-files.js'
import type {PackagePlace} from '../../locate/package-sources.js'
import {isArchiveText, parsePackageReference} from '../../reference/package-reference.js'
import {invalidPackage, readPackage} from '../../unpack/read-package.js'
import {examineXpkg} from '../../xpkg/content/examine-xpkg.js'
import type {BuildQuery} from '../../package/build.js'
import {isXpkgFile} from './write-image.js'

/** A package that was built before. */
export interface BuiltBefore {
  readonly image: Image
  readonly tag?: string
  readonly content: PackageFiles
  readonly warnings: readonly Diagnostic[]
}

/** Returns where a built package is; undefined for a folder to build. */
export function builtSource(path: string): Exclude<PackagePlace, {readonly kind: 'directory'}> | undefined {
  if (isXpkgFile(path)) return {kind: 'tarball', path}
  const source = isArchiveText(path) ? parsePackageReference(path) : undefined
  return source === undefined || source.kind === 'image' || source.kind === 'directory' ? undefined : source
}

/** Reads a built image as it will be pulled, before it is pushed. */
export async function builtImage(store: ImageStore, tag: string | undefined): Promise<BuiltBefore> {
  const image = await copiedImage(store)
  const read = await fetchImage(store, {platform: platformOf(image)})
  const content = await packageInImage(read)
  const version = readVersion(store.name, content)
  const own = tag ?? (store.isDerived === true ? undefined : read.tag) ?? version
  return {image, tag: own, content, warnings: tagWarnings(version, own)}
}

/** Checks that the package can be read; one for a current Crossplane has no version. */
function readVersion(name: string, {files, xpkg}: PackageFiles): string | undefined {
  if (xpkg === undefined) return readPackage(name, files).version
  const {errors} = examineXpkg(files)
  if (errors.length > 0) throw invalidPackage(name, errors)
  return undefined
}

/** Throws `usage` for flags about building, of a package that was built before. */
export function rejectBuildFlags({
  from,
  bake,
  examples,
  ignore = [],
  copies = [],
  path,
}: BuildQuery & {readonly from?: string}): void {
  const flags = {
    from: from !== undefined,
    'bake-metadata': bake !== undefined,
    examples: examples !== undefined,
    ignore: ignore.length > 0,
    copy: copies.length > 0,
  }
  const flag = Object.entries(flags).find(([, isSet]) => isSet)?.[0]
  if (flag === undefined) return
  throw new CrossplaneError('usage', `--${flag} does not apply to ${path}, which was built before`, {
    suggestions: [`Pass --${flag} to package build, or push the folder of the package`],
  })
}
