import {existsSync, statSync} from 'node:fs'
import {join} from 'node:path'
import type {Bundle} from '../../bundles/open-bundle.js'
import type {PackageFolder} from '../../locate/package-sources.js'
import {packageFolder, packageSources} from '../wire.js'

/** The place of a bundle: an archive or a folder. */
export interface BundlePlace {
  readonly kind: 'oci-layout' | 'oci-archive'
  readonly path: string
}

/** Returns where a bundle is; a path that does not exist is an archive. */
export function bundlePlace(path: string): BundlePlace {
  const isFolder = statSync(path, {throwIfNoEntry: false})?.isDirectory() === true
  return {kind: isFolder ? 'oci-layout' : 'oci-archive', path}
}

/** Opens a bundle with those that it adds to, in any order. Throws as `openBundle` and `withBases` do. */
export async function openBundleAt(path: string, bases: readonly string[] = []): Promise<Bundle> {
  const [{openBundle}, {withBases}] = await bundleModules()
  const bundle = await openBundle(await layoutFiles(bundlePlace(path)))
  return withBases(bundle, await openEach(bases))
}

/** Opens a bundle with those of some bundles that it adds to. Throws as `openBundle` does. */
export async function openBundleAmong(path: string, bases: readonly string[]): Promise<Bundle> {
  const [, {withBasesAmong}] = await bundleModules()
  return withBasesAmong(await openBundleAt(path), await openEach(bases))
}

/** Opens two bundles to compare them; the first one can be the base of the second. Throws as `openBundle` does. */
export async function openBoth(
  old: string,
  newer: string,
  bases: readonly string[],
): Promise<{readonly before: Bundle; readonly after: Bundle}> {
  const [, {withBasesAmong}] = await bundleModules()
  const [before, after, others] = [await openBundleAt(old), await openBundleAt(newer), await openEach(bases)]
  return {before: withBasesAmong(before, others), after: withBasesAmong(after, [before, ...others])}
}

/** Opens bundles that add to one another as the base of a new one. Throws as `openBundle` and `joinedBases` do. */
export async function openBases(bases: readonly string[]): Promise<Bundle | undefined> {
  const [, {joinedBases}] = await bundleModules()
  return joinedBases(await openEach(bases))
}

async function bundleModules() {
  return await Promise.all([import('../../bundles/open-bundle.js'), import('../../bundles/join-bases.js')])
}

/** A bundle that is named twice is one base. */
async function openEach(paths: readonly string[]): Promise<readonly Bundle[]> {
  const opened = await Promise.all(paths.map(path => openBundleAt(path)))
  return [...new Map(opened.map(bundle => [bundle.artifact.digest, bundle])).values()]
}

async function layoutFiles({kind, path}: BundlePlace) {
  if (kind === 'oci-layout') return await packageSources.files(path)
  const {archiveFiles} = await import('../../fetch/archive-files.js')
  return await archiveFiles(await packageSources.file(path))
}

/** Opens a folder of packages, or a bundle, which is read as one, also without its base: only names are read. */
export async function packageNamesAt(path: string, maxEntries: number): Promise<PackageFolder> {
  return isBundle(path)
    ? await folderOfBundle(() => openBundleAt(path))
    : await packageFolder(path, maxEntries)
}

/** Returns a bundle that is opened when it is first read, as a folder of packages. */
export async function folderOfBundle(open: () => Promise<Bundle>): Promise<PackageFolder> {
  const {bundleFolder} = await import('../../bundles/bundle-folder.js')
  return bundleFolder(open)
}

/** Recognizes an archive by its name, since no folder of packages is a file, and a layout by its marker. */
export function isBundle(path: string): boolean {
  const stats = statSync(path, {throwIfNoEntry: false})
  if (stats?.isDirectory() === true) return existsSync(join(path, 'oci-layout'))
  return stats?.isFile() === true && path.endsWith('.tar')
}
