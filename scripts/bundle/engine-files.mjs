import {copyFileSync, readFileSync} from 'node:fs'
import {join} from 'node:path'

/** The files of the template engines, which lie beside a bundle or are assets of an executable. */
export const ENGINE_FILES = /** @type {const} */ (['engines.wasm.gz', 'worker.cjs'])

/**
 * @param {string} root the folder of package.json
 * @param {string} name
 */
export function engineFile(root, name) {
  return join(root, 'plugins/template-stacks/engines', name)
}

/**
 * @param {string} root
 * @param {string} folder of a bundle
 */
export function copyEngineFiles(root, folder) {
  for (const name of ENGINE_FILES) copyFileSync(engineFile(root, name), join(folder, name))
}

/**
 * Returns the licenses of the Go modules in the engines, which `npm run build:engines` writes.
 *
 * @param {string} root
 */
export function engineLicenses(root) {
  return readFileSync(engineFile(root, 'THIRD-PARTY-LICENSES'), 'utf8')
}

/**
 * Lets a bundle read the files of the engines by what starts it: `bin/load-bundle.js` beside the bundle, an executable
 * from its assets.
 *
 * @type {import('esbuild').Plugin}
 */
export const engineFiles = {
  name: 'engine-files',
  setup(build) {
    build.onResolve({filter: /^bundle-files$/}, ({path}) => ({path, external: true}))
    build.onLoad({filter: /template-stacks[\\/]dist[\\/]engines[\\/]engine-files\.js$/}, () => ({
      contents: "export {readBundleFile as readEngineFile} from 'bundle-files'",
    }))
  },
}
