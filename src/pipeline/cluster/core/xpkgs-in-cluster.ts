import type {InstalledFormat} from '../installed-format.js'

/** Packages of a current Crossplane in a cluster. What one use case needs is loaded for it. */
export const XPKGS_IN_CLUSTER: InstalledFormat = {
  removal: async (query, api) => {
    const {prepareUninstallPackage} = await import('./uninstall-packages.js')
    return await prepareUninstallPackage(query, api)
  },
}
