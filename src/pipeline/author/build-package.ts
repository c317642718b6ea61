import type {BaseImage} from '../../author/build/base-image.js'
import {folderFormat} from '../../locate/image-files.js'
import type {BuildPorts, BuildQuery, BuiltImage} from '../../package/build.js'
import {packageFormat} from '../../package/formats.js'

/** Lints and builds the package of a folder, whose format its content tells. Throws as the formats do. */
export async function buildPackage(
  query: BuildQuery,
  tag: string | undefined,
  base: BaseImage | undefined,
  ports: BuildPorts,
): Promise<BuiltImage> {
  const directory = await ports.sources.directory(query.path)
  const format = await packageFormat(await folderFormat(directory))
  return await format.build(query, {directory, tag, base}, ports)
}
