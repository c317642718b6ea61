import {transform} from 'esbuild'
import {createHash} from 'node:crypto'
import {basename} from 'node:path'

/** @typedef {{readonly path: string, readonly text: string}} Chunk */

/**
 * Puts ES modules that import each other into one CommonJS module, each as a function that runs when it is first
 * imported: V8 neither compiles nor runs what a command does not import. It exports what the entry exports; its first line holds the SHA-256 of the rest.
 *
 * @param {Chunk} entry
 * @param {readonly Chunk[]} chunks
 * @param {import('esbuild').TransformOptions} options
 * @returns {Promise<string>}
 */
export async function packChunks(entry, chunks, options) {
  const functions = await Promise.all([entry, ...chunks].map(chunk => chunkFunction(chunk, options)))
  const text = `"use strict";
const loaded = new Map();
function load(name) {
  if (!(name in chunks)) return require(name);
  let module = loaded.get(name);
  if (module === undefined) {
    loaded.set(name, (module = {exports: {}}));
    chunks[name](module.exports, load, module);
  }
  return module.exports;
}
function define(exports, getters) {
  Object.defineProperty(exports, '__esModule', {value: true});
  for (const name in getters) Object.defineProperty(exports, name, {get: getters[name], enumerable: true});
}
const chunks = {
${functions.join(',\n')}
};
module.exports = load(${JSON.stringify(nameOf(entry.path))});
if (require.main === module) module.exports.main(process.argv.slice(2)).then(status => (process.exitCode = status));
`
  return `// ${createHash('sha256').update(text).digest('hex')}\n${text}`
}

/**
 * The function of a chunk. Its exports, which esbuild lists at the end, are defined by one function for all chunks;
 * esbuild would repeat that in each.
 *
 * @param {Chunk} chunk
 * @param {import('esbuild').TransformOptions} options
 */
async function chunkFunction({path, text}, options) {
  const [list = '', names = ''] = /export\{([^}]*)\};\s*$/.exec(text) ?? []
  const getters = names.split(',').filter(Boolean).map(getterOf)
  const body = `define(exports, {${getters.join(',')}});\n${text.slice(0, text.length - list.length)}`
  const {code} = await transform(body, {
    ...options,
    format: 'cjs',
    supported: {'dynamic-import': false},
  })
  return `${JSON.stringify(nameOf(path))}: function (exports, require, module) {\n${asciiOf(code)}}`
}

/** @param {string} exported as `local` or `local as name` */
function getterOf(exported) {
  const [local = '', name = local] = exported.trim().split(' as ')
  return `${name}:()=>${local}`
}

/** How other chunks import it. @param {string} path */
function nameOf(path) {
  return `./${basename(path)}`
}

/** Escapes what esbuild leaves in regular expressions: V8 stores texts of ASCII in half the memory. @param {string} code */
function asciiOf(code) {
  return code.replaceAll(/\P{ASCII}/gu, character =>
    character
      .split('')
      .map(unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  )
}
