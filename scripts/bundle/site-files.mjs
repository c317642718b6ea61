import {copyFileSync, readdirSync} from 'node:fs'
import {join} from 'node:path'

/** What the names of these files begin with beside a bundle, and as assets of an executable. */
const PREFIX = 'catalog-'

/**
 * Returns the styles and scripts of catalogs: their names in a bundle, and their paths.
 *
 * @param {string} root the folder of package.json
 * @returns {{name: string, path: string}[]}
 */
export function sitePaths(root) {
  const folder = join(root, 'plugins/catalog/site')
  return readdirSync(folder)
    .sort()
    .map(name => ({name: `${PREFIX}${name}`, path: join(folder, name)}))
}

/**
 * @param {string} root
 * @param {string} folder of a bundle
 */
export function copySiteFiles(root, folder) {
  for (const {name, path} of sitePaths(root)) copyFileSync(path, join(folder, name))
}

/**
 * Lets a bundle read them by what starts it, as the files of the template engines.
 *
 * @type {import('esbuild').Plugin}
 */
export const siteFiles = {
  name: 'site-files',
  setup(build) {
    build.onLoad({filter: /catalog[\\/]dist[\\/]site-files\.js$/}, () => ({
      contents: `import {readBundleFile} from 'bundle-files'
export const readSiteFile = name => new TextDecoder().decode(readBundleFile('${PREFIX}' + name))`,
    }))
  },
}
