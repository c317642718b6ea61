import type {SourceControl} from '../author/build/source-control.js'
import type {OutputFolder} from '../commit/output-folder.js'
import {CrossplaneError} from '../errors.js'
import type {PackageFolder, PackageSources} from '../pipeline/package-sources.js'
import type {ImageOutputs} from '../pipeline/write-image.js'
import type {Registry} from '../registry/registry.js'

/** The one place that names adapters. Each is loaded when it is first used, so that no command pays for another's. */
export const packageSources: PackageSources = {
  directory: async path => (await import('../adapters/local-package.js')).localPackage(path),
  files: async path => (await import('../adapters/local-files.js')).localFiles(path),
  file: async path => (await import('../adapters/local-files.js')).localFile(path),
}

/** What version control says of a folder. */
export const sourceControl: SourceControl = {
  facts: async folder => (await import('../adapters/git.js')).git.facts(folder),
}

export async function imageOutputs(): Promise<ImageOutputs> {
  const {writableFile, writableFolder} = await import('../adapters/image-output.js')
  return {folder: path => writableFolder(path), file: path => writableFile(path)}
}

/** Where pushes go. The seam: the client of src/registry is put in here. */
export function registry(): Promise<Registry> {
  return Promise.reject(
    new CrossplaneError(
      'unsupported',
      'this build of the program cannot push: it has no client of registries',
      {
        suggestions: [
          'Build into a layout with package build, and push it with: skopeo copy oci:DIR:TAG docker://REF.',
        ],
      },
    ),
  )
}

export async function packageFolder(root: string): Promise<PackageFolder> {
  return (await import('../adapters/packages-folder.js')).packagesFolder(root)
}

export async function outputFolder(root: string): Promise<OutputFolder> {
  return (await import('../adapters/output-folder.js')).outputFolder(root)
}
