import {CrossplaneError} from '../../errors.js'
import type {PackageSources} from '../../locate/package-sources.js'
import {isArchiveText} from '../../reference/package-reference.js'
import {shellWord} from '../../text.js'
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
  if (canBeFolder && (await hasXpkg(target, sources))) return {path: target}
  return {path, target: parseImageTarget(target)}
}

async function hasXpkg(path: string, sources: PackageSources): Promise<boolean> {
  const directory = await sources.directory(path).catch(() => undefined)
  return directory !== undefined && (await isXpkgFolder(directory))
}

/** The error for a package with `.registry/`, which has another format. */
export function notForXpkgFiles(path: string): CrossplaneError {
  return new CrossplaneError('usage', `cannot write an .xpkg file: ${path} has no crossplane.yaml`, {
    suggestions: [`kubectl crossplane package build oci-archive:package.tar ${shellWord(path)}`],
  })
}
