import {CrossplaneError} from '../errors.js'
import type {Package} from '../unpack/package.js'
import {readPackage} from '../unpack/read-package.js'
import {locatePackage} from './locate-package.js'
import type {RenderPorts} from './render-part.js'

/** A package that may own CRDs which records name. */
interface CrdOwner {
  readonly name: string
  readonly package: Package
}

/** What a folder of packages holds: those that can be read, and why the others cannot. */
export interface PackagesAtHand {
  readonly owners: readonly CrdOwner[]
  readonly unreadable: readonly {readonly name: string; readonly reason: string}[]
}

/** Every package of the folder, read when they are first asked for and then never again. */
export function packagesAtHand(ports: RenderPorts): () => Promise<PackagesAtHand> {
  let read: Promise<PackagesAtHand> | undefined
  return () => (read ??= readAll(ports))
}

async function readAll({folder, ...ports}: RenderPorts): Promise<PackagesAtHand> {
  const owners: CrdOwner[] = []
  const unreadable: {name: string; reason: string}[] = []
  for (const {repositoryPath, tag} of (await folder?.all()) ?? []) {
    try {
      const name = {path: repositoryPath, tag}
      const located = await locatePackage(
        {kind: 'image', name},
        {...ports, ...(folder === undefined ? {} : {folder})},
      )
      owners.push({name: located.name, package: readPackage(located.name, located.files)})
    } catch (error) {
      if (!(error instanceof CrossplaneError)) throw error
      unreadable.push({name: `${repositoryPath}:${tag}`, reason: error.message})
    }
  }
  return {owners, unreadable}
}
