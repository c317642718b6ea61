import type {Bundle} from '../../bundles/open-bundle.js'
import {CrossplaneError} from '../../errors.js'
import type {Digest} from '../../fetch/image.js'
import type {SourceFiles} from '../../fetch/source-files.js'
import type {PackageFolder} from '../../locate/package-sources.js'
import {packageFolder} from '../wire.js'
import {folderOfBundle, isBundle, openBundleAmong, openBundleAt} from './bundles.js'

/** The bundles that a bundle of packages adds to; those of a variable are a default, of which what does not fit is ignored. */
export interface PackageBases {
  readonly paths: readonly string[]
  readonly areDefault: boolean
}

/**
 * Opens a folder of packages, or a bundle with those that it adds to, which is read as one. Throws `usage` for a folder with a
 * base; a bundle without its base is rejected when it is first read.
 */
export async function packageFolderAt(path: string, bases: PackageBases): Promise<PackageFolder> {
  if (isBundle(path)) return await folderOfBundle(() => openWholeBundle(path, bases))
  const folder = await packageFolder(path)
  if (bases.areDefault || bases.paths.length === 0) return folder
  throw new CrossplaneError('usage', `${path} is a folder of packages, and adds to no bundle`, {
    suggestions: ['Leave out --packages-base, or pass a bundle with --packages.'],
  })
}

async function openWholeBundle(path: string, {paths, areDefault}: PackageBases): Promise<Bundle> {
  const bundle = await (areDefault ? openBundleAmong(path, paths) : openBundleAt(path, paths))
  const {missingBase, layout, document} = bundle
  if (missingBase === undefined) return bundle
  const error = lacksBase(path, missingBase)
  if (missingBase === document.base) throw error
  return {...bundle, layout: complete(layout, error)}
}

/** A delta of a delta can do without the bundle that the latter adds to. */
function complete(layout: SourceFiles, error: CrossplaneError): SourceFiles {
  return {
    name: layout.name,
    file: async path => {
      const file = await layout.file(path)
      if (file === undefined && path.startsWith('blobs/')) throw error
      return file
    },
  }
}

function lacksBase(path: string, base: Digest): CrossplaneError {
  return new CrossplaneError(
    'usage',
    `cannot read packages of ${path}: it adds to the bundle ${base}, which is not given`,
    {suggestions: ['Pass that bundle, too, with --packages-base FILE; bundle create printed its digest.']},
  )
}
