// Runs beside the process: node asks it to load each ES module (https://nodejs.org/api/module.html#hooks).
import {appendFileSync} from 'node:fs'
import {fileURLToPath} from 'node:url'

let list = ''

/** @param {string} file */
export function initialize(file) {
  list = file
}

/** @type {import('node:module').LoadHook} */
export async function load(url, context, nextLoad) {
  if (url.startsWith('file:')) appendFileSync(list, `${fileURLToPath(url)}\n`)
  return await nextLoad(url, context)
}
