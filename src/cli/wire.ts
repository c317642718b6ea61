import type {CacheStore} from '../cache/cache-store.js'
import type {OutputFolder} from '../commit/output-folder.js'
import type {PackageFolder, PackageSources} from '../pipeline/package-sources.js'

/** The one place that names adapters. Each is loaded when it is first used, so that no command pays for another's. */
export const packageSources: PackageSources = {
  directory: async path => (await import('../adapters/local-package.js')).localPackage(path),
  files: async path => (await import('../adapters/local-files.js')).localFiles(path),
  file: async path => (await import('../adapters/local-files.js')).localFile(path),
}

export async function packageFolder(root: string): Promise<PackageFolder> {
  return (await import('../adapters/packages-folder.js')).packagesFolder(root)
}

export async function outputFolder(root: string): Promise<OutputFolder> {
  return (await import('../adapters/output-folder.js')).outputFolder(root)
}

export async function cacheStore(root: string): Promise<CacheStore> {
  return (await import('../adapters/cache-folder.js')).cacheFolder(root)
}
