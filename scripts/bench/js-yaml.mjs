// The time that js-yaml itself takes to load and dump the YAML files of folders, as a program: `node js-yaml.mjs DIR`, or
// `node js-yaml.mjs DIR load` for loading alone.
import {readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import process from 'node:process'
import {fileURLToPath} from 'node:url'

/**
 * A job that loads and dumps the files of a folder.
 *
 * @param {string} work
 * @param {string} folder
 * @returns {import('./measure.mjs').Job}
 */
export function jsYaml(work, folder) {
  return {work, command: [process.execPath, fileURLToPath(import.meta.url), folder]}
}

/**
 * A job that only loads them.
 *
 * @param {string} work
 * @param {string} folder
 * @returns {import('./measure.mjs').Job}
 */
export function jsYamlLoad(work, folder) {
  return {work, command: [...jsYaml(work, folder).command, 'load']}
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const {dump, loadAll} = await import('js-yaml')
  const [folder = '', only] = process.argv.slice(2)
  const sizeOf = (/** @type {unknown} */ document) => (only === 'load' ? 1 : dump(document).length)
  let bytes = 0
  for (const path of readdirSync(folder, {recursive: true, encoding: 'utf8'})) {
    if (!/\.ya?ml$/.test(path)) continue
    for (const document of loadAll(readFileSync(join(folder, path), 'utf8'))) bytes += sizeOf(document)
  }
  process.exitCode = bytes === 0 ? 1 : 0
}
