import {transform} from 'esbuild'
import {createHash} from 'node:crypto'
import {basename} from 'node:path'
import {withLateModules} from './late-modules.mjs'

/** @typedef {{readonly path: string, readonly text: string}} Chunk */

/**
 * Puts ES modules that import each other into one CommonJS module, each as a function that runs when it is first
 * imported: V8 neither compiles nor runs what a command does not import. The functions are in parts, of which each is one
 * expression, so that bin/load-bundle.js reads and compiles a part when a module of it is first imported. The module exports
 * what the entry exports, which is the first chunk of the first part; its first line says where the parts are.
 *
 * @param {readonly (readonly Chunk[])[]} parts
 * @param {import('esbuild').TransformOptions} options
 * @returns {Promise<string>}
 */
export async function packChunks(parts, options) {
  /** @type {ReadonlyMap<string, string>} */
  const names = new Map(
    parts.flatMap((chunks, part) =>
      chunks.map(({path}) => [`./${basename(path)}`, `${part}/${basename(path)}`]),
    ),
  )
  const [first = '', ...rest] = await Promise.all(
    parts.map(async chunks => {
      const functions = await Promise.all(chunks.map(chunk => chunkFunction(chunk, names, options)))
      return `{\n${functions.join(',\n')}\n}`
    }),
  )
  const [entry = ''] = names.values()
  const texts = [
    firstPart(first, entry),
    ...rest.map(chunks => `(function (define) {\n"use strict";\nreturn ${chunks};\n})`),
  ]
  return `// ${JSON.stringify(texts.map(indexOf))}
module.exports = ((...parts) => parts[0](require, part => parts[part], name => require('node:fs').readFileSync(__dirname + '/' + name)))(
${texts.join(',\n')}
);
`
}

/**
 * The first part has what links the chunks of all parts. The name of a chunk begins with the number of its part, that of a
 * module of Node.js with a letter.
 *
 * @param {string} chunks
 * @param {string} entry
 */
function firstPart(chunks, entry) {
  return `(function (require, loadPart, readBundleFile) {
"use strict";
const loaded = new Map([['bundle-files', {exports: {readBundleFile}}]]);
function load(name) {
  let module = loaded.get(name);
  if (module !== undefined) return module.exports;
  const part = name.charCodeAt(0) - 48;
  if (part > 9) return require(name);
  loaded.set(name, (module = {exports: {}}));
  (parts[part] ??= loadPart(part)(define))[name](module.exports, load, module);
  return module.exports;
}
function define(exports, getters) {
  Object.defineProperty(exports, '__esModule', {value: true});
  for (const name in getters) Object.defineProperty(exports, name, {get: getters[name], enumerable: true});
}
const parts = [${chunks}];
return load(${JSON.stringify(entry)});
})`
}

/**
 * What is said of a part in the first line: its hash, and how many characters and lines it has.
 *
 * @param {string} text
 */
function indexOf(text) {
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 32)
  return {hash, length: text.length, lines: text.split('\n').length}
}

/**
 * The function of a chunk. Its exports, which esbuild lists at the end, are defined by one function for all chunks;
 * esbuild would repeat that in each.
 *
 * @param {Chunk} chunk
 * @param {ReadonlyMap<string, string>} names of all chunks, by how esbuild names them
 * @param {import('esbuild').TransformOptions} options
 */
async function chunkFunction({path, text}, names, options) {
  const [list = '', exported = ''] = /export\{([^}]*)\};\s*$/.exec(text) ?? []
  const getters = exported.split(',').filter(Boolean).map(getterOf)
  const body = `define(exports, {${getters.join(',')}});\n${text.slice(0, text.length - list.length)}`
  const {code} = await transform(body, {
    ...options,
    format: 'cjs',
    supported: {'dynamic-import': false},
  })
  const linked = withLateModules(code).replaceAll(/(?<=\brequire\()"(\.\/[^"]+)"/g, (_, name) =>
    JSON.stringify(names.get(name) ?? name),
  )
  return `${JSON.stringify(names.get(`./${basename(path)}`))}: function (exports, require, module) {\n${asciiOf(linked)}}`
}

/** @param {string} exported as `local` or `local as name` */
function getterOf(exported) {
  const [local = '', name = local] = exported.trim().split(' as ')
  return `${name}:()=>${local}`
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
