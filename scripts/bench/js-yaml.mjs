// The time that js-yaml itself takes to load and dump the YAML files of folders, as a program: `node js-yaml.mjs DIR`.
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

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const {dump, loadAll} = await import('js-yaml')
  const [folder = ''] = process.argv.slice(2)
  let bytes = 0
  for (const path of readdirSync(folder, {recursive: true, encoding: 'utf8'})) {
    if (!/\.ya?ml$/.test(path)) continue
    for (const document of loadAll(readFileSync(join(folder, path), 'utf8'))) bytes += dump(document).length
  }
  process.exitCode = bytes === 0 ? 1 : 0
}
