import {join} from 'node:path/posix'
import type {Diagnostic} from '../../diagnostic.js'
import {blobsOf, documentsOf, type Image} from '../../fetch/image.js'
import {present} from '../../present.js'
import {baseImage, type BasePorts} from './base-image.js'
import type {BuildPorts, BuildQuery} from '../../package/build.js'
import {buildPackage} from './build-package.js'
import {buildPlaces, notForXpkgFiles} from './build-places.js'
import {type ImageOutputs, writeImage} from './write-image.js'

/** The package to build and its target. */
export interface BuildToDisk extends BuildQuery {
  readonly target: string
  /** Whether only the target is given, which can be the folder of a package for a current Crossplane instead. */
  readonly isAlone?: boolean
  /** The base image. */
  readonly from?: string
}

/** The image that was written. Sizes are in bytes. */
export interface BuildReport {
  /** The reference of the image. */
  readonly target: string
  readonly tag?: string
  readonly digest: string
  readonly size: number
  /** The number of files of the package. */
  readonly files: number
  /** The number of images: one for each platform of the base image, otherwise one. */
  readonly images: number
  readonly warnings: readonly Diagnostic[]
}

/** Builds a package and writes it into a layout or an archive. Throws as reading, lint and writing do. */
export async function buildToDisk(
  query: BuildToDisk,
  ports: BuildPorts & BasePorts & {readonly outputs: ImageOutputs},
): Promise<BuildReport> {
  const places = await buildPlaces(query, ports.sources)
  const base = query.from === undefined ? undefined : await baseImage(query.from, ports)
  const {image, tag, files, warnings, fileName} = await buildPackage(
    {...query, path: places.path},
    places.target?.tag,
    base,
    ports,
  )
  const target = places.target ?? {kind: 'xpkg', path: join(places.path, fileName ?? '')}
  if (target.kind === 'xpkg' && fileName === undefined) throw notForXpkgFiles(places.path)
  const reference = await writeImage(image, target, tag, ports.outputs)
  return {target: reference, ...present({tag}), files, warnings, ...measured(image)}
}

/** The digest and size of an image. */
export function measured(image: Image): Pick<BuildReport, 'digest' | 'size' | 'images'> {
  const documents = documentsOf(image)
  const size = [...blobsOf(image), ...documents].reduce((sum, {descriptor}) => sum + descriptor.size, 0)
  return {digest: image.descriptor.digest, size, images: documents.filter(({images}) => !images).length}
}
