/** The folder of requests for a current Crossplane in trees of earlier releases, and in new ones. */
export const FORMER_XPKG_FOLDER = 'packages'
export const XPKG_FOLDER = 'xpkgs'
export const XPKG_FOLDERS = [XPKG_FOLDER, FORMER_XPKG_FOLDER] as const
export type XpkgFolderName = (typeof XPKG_FOLDERS)[number]

/**
 * Returns the name of that folder in a new tree: never the one of the folder that the tree is in.
 * @param tree - a path that ends with the name of that folder.
 */
export function newXpkgFolder(tree: string): XpkgFolderName {
  return /(?:^|[/\\])xpkgs[/\\]*$/.test(tree) ? FORMER_XPKG_FOLDER : XPKG_FOLDER
}
