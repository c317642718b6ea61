/** An import, as esbuild writes it, of a module of Node.js that takes a millisecond or more to load and that few commands use. */
const IMPORT = /\b(\w+)=(?:__toESM\()?(require\("node:(?:crypto|fs\/promises|net|zlib)"\))\)?(?=[,;])/g

/**
 * Changes a CommonJS module so that it loads these when it uses something of them: it gets an object with what it uses. One
 * that passes them on as a whole is left as it is.
 *
 * @param {string} code
 */
export function withLateModules(code) {
  return code.replaceAll(IMPORT, (statement, name, load) => {
    const uses = [...code.matchAll(new RegExp(`\\b${name}\\b(?:\\.(\\w+))?`, 'g'))]
    const properties = uses.flatMap(([, property]) => property ?? [])
    // One use is the import itself, without a property. A default import is the whole module.
    if (uses.length > properties.length + 1 || properties.includes('default')) return statement
    const getters = [...new Set(properties)].map(property => `get ${property}(){return ${load}.${property}}`)
    return `${name}={${getters.join(',')}}`
  })
}
