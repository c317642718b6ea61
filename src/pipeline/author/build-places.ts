import {CrossplaneError} from '../../errors.js'
import type {PackageSources} from '../../locate/package-sources.js'
import {isArchiveText} from '../../reference/package-reference.js'
import {shellWord} from '../../text.js'
import type {PackageDirectory} from '../../unpack/files/package-directory.js'
import {isXpkgFolder} from '../../xpkg/image/xpkg-folder.js'
import {type ImageTarget, isXpkgFile, parseImageTarget} from './write-image.js'

/** What a build reads and writes. */
export interface BuildPlaces {
  readonly path: string
  /** Absent for the default file of a package for a current Crossplane. */
  readonly target?: ImageTarget
}

/**
 * Tells the target from the folder: the only argument is the folder if that has a package for a current Crossplane. Throws
 * `usage` for any other target that is not one.
 */
export async function buildPlaces(
  {
    target,
    path,
    isAlone = false,
  }: {readonly target: string; readonly path: string; readonly isAlone?: boolean},
  sources: PackageSources,
): Promise<BuildPlaces> {
  const canBeFolder = isAlone && !isArchiveText(target) && !isXpkgFile(target)
  const folder = canBeFolder ? await sources.directory(target).catch(() => undefined) : undefined
  if (folder !== undefined && (await isXpkgFolder(folder))) return {path: target}
  if (folder !== undefined && (await isStackFolder(folder))) throw noTarget(target)
  return {path, target: parseImageTarget(target)}
}

async function isStackFolder(folder: PackageDirectory): Promise<boolean> {
  const entries = await Promise.all(['.registry', 'app.yaml'].map(inside => folder.entry(inside)))
  return entries.some(({kind}) => kind !== 'absent')
}

/** The error for the folder of a package with `.registry/` in place of the target. */
function noTarget(path: string): CrossplaneError {
  return new CrossplaneError(
    'usage',
    `missing argument TARGET: ${path} is the folder of a package of Crossplane v0.12`,
    {suggestions: [intoArchive(path)]},
  )
}

/** The error for a package with `.registry/`, which has another format. */
export function notForXpkgFiles(path: string): CrossplaneError {
  return new CrossplaneError('usage', `cannot write an .xpkg file: ${path} has no crossplane.yaml`, {
    suggestions: [intoArchive(path)],
  })
}

function intoArchive(path: string): string {
  return `kubectl crossplane package build oci-archive:package.tar ${shellWord(path)}`
}
