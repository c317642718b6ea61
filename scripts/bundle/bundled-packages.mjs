import {readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'

/**
 * An npm package of which a bundle contains code: its folder in node_modules, an SPDX expression, and the texts of its
 * license and its notice files.
 *
 * @typedef {object} BundledPackage
 * @property {string} folder
 * @property {string} name
 * @property {string} version
 * @property {string} license
 * @property {readonly string[]} texts
 */

const TEXTS = /^(licen[cs]e|notice|copying)\b/i

/**
 * Returns the packages of which a bundle contains code, by their folders.
 *
 * @param {string} root the folder that the paths of the metafile are relative to
 * @param {import('esbuild').Metafile} metafile
 * @returns {readonly BundledPackage[]}
 */
export function bundledPackages(root, {outputs}) {
  const inputs = Object.values(outputs).flatMap(({inputs}) =>
    Object.keys(inputs).filter(path => (inputs[path]?.bytesInOutput ?? 0) > 0),
  )
  const folders = inputs.flatMap(path => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0] ?? [])
  return [...new Set(folders)].sort().map(folder => packageAt(root, folder))
}

/**
 * @param {string} root
 * @param {string} folder
 * @returns {BundledPackage}
 */
function packageAt(root, folder) {
  const path = join(root, folder)
  const {name, version, license} = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'))
  if (license === undefined) throw new Error(`cannot find the license of ${name}`)
  const files = readdirSync(path).filter(file => TEXTS.test(file))
  const texts = files.sort().map(file => readFileSync(join(path, file), 'utf8'))
  return {folder, name, version, license, texts}
}
