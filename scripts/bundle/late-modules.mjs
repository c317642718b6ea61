import {createRequire} from 'node:module'

const require = createRequire(import.meta.url)

/** Modules of Node.js that take a millisecond or more to load, which most commands do not use. */
const LATE = /^node:(crypto|fs\/promises|net|zlib)$/

/**
 * Loads them when something of them is used, not when a module imports it.
 *
 * @type {import('esbuild').Plugin}
 */
export const lateModules = {
  name: 'late-modules',
  setup(build) {
    build.onResolve({filter: LATE}, ({path, kind}) =>
      kind === 'import-statement' ? {path, namespace: 'late'} : undefined,
    )
    build.onLoad({filter: LATE, namespace: 'late'}, ({path}) => ({contents: lateModule(path)}))
  },
}

/** A CommonJS module with the exports of another. @param {string} name */
function lateModule(name) {
  const exported = JSON.stringify(Object.keys(require(name)))
  return `
    for (const name of ${exported})
      Object.defineProperty(exports, name, {enumerable: true, get: () => require(${JSON.stringify(name)})[name]})`
}
