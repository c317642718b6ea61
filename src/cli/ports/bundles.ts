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

/** Opens a bundle and, if it adds to another one, that. Throws as `openBundle` does. */
export async function openBundleAt(path: string, base?: string): Promise<Bundle> {
  const {openBundle} = await import('../../bundles/open-bundle.js')
  const under = base === undefined ? undefined : await openBundleAt(base)
  return await openBundle(await layoutFiles(bundlePlace(path)), under)
}

async function layoutFiles({kind, path}: BundlePlace) {
  if (kind === 'oci-layout') return await packageSources.files(path)
  const {archiveFiles} = await import('../../fetch/archive-files.js')
  return await archiveFiles(await packageSources.file(path))
}

/** Opens a folder of packages, or a bundle, which is read as one. */
export async function packageFolderAt(path: string, maxEntries?: number): Promise<PackageFolder> {
  if (!isBundle(path)) return await packageFolder(path, maxEntries)
  const {bundleFolder} = await import('../../bundles/bundle-folder.js')
  return bundleFolder(() => openBundleAt(path), bundlePlace(path))
}

/** Recognizes an archive by its name, since no folder of packages is a file, and a layout by its marker. */
export function isBundle(path: string): boolean {
  const stats = statSync(path, {throwIfNoEntry: false})
  if (stats?.isDirectory() === true) return existsSync(join(path, 'oci-layout'))
  return stats?.isFile() === true && path.endsWith('.tar')
}
