import {CrossplaneError, reasonOf} from '../errors.js'
import type {Package} from '../unpack/package.js'
import {readPackage} from '../unpack/read-package.js'
import type {PackagePorts} from './located-package.js'
import {readSource} from './read-source.js'

/** A package that can own the CRDs of records. */
interface CrdOwner {
  readonly name: string
  readonly package: Package
}

/** The packages of a folder, and the reason for each that cannot be read. */
export interface AvailablePackages {
  readonly owners: readonly CrdOwner[]
  readonly unreadable: readonly {readonly name: string; readonly reason: string}[]
}

/** Returns a function that reads all packages of the folder once, at its first call. */
export function availablePackages(ports: PackagePorts): () => Promise<AvailablePackages> {
  let read: Promise<AvailablePackages> | undefined
  return () => (read ??= readAll(ports))
}

async function readAll({folder, sources, platform}: PackagePorts): Promise<AvailablePackages> {
  const owners: CrdOwner[] = []
  const unreadable: {name: string; reason: string}[] = []
  for (const {repositoryPath, tag, at, isXpkg} of (await folder?.all()) ?? []) {
    if (isXpkg === true) continue
    const name = `${repositoryPath}:${tag}`
    try {
      const {files, xpkg} = await readSource(at, sources, {platform})
      if (xpkg !== undefined) continue
      owners.push({name, package: readPackage(name, files)})
    } catch (error) {
      if (!(error instanceof CrossplaneError)) throw error
      unreadable.push({name, reason: reasonOf(error)})
    }
  }
  return {owners, unreadable}
}
