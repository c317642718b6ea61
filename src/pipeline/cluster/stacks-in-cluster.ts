import type {InstalledFormat} from './installed-format.js'

/** Packages of Crossplane up to v0.12 in a cluster. What one use case needs is loaded for it. */
export const STACKS_IN_CLUSTER: InstalledFormat = {
  removal: async ({install, ...query}, api) => {
    if (install === undefined) return undefined
    const {prepareUninstall} = await import('./uninstall.js')
    return await prepareUninstall({...query, id: install}, api)
  },
}
