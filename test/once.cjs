/**
 * What is made once for all suites of a worker, by name: where suites run the compiled program, Node.js itself loads this file.
 *
 * @type {Map<string, unknown>}
 */
const made = new Map()

/**
 * @template T
 * @param {string} name
 * @param {() => T} make
 * @returns {T}
 */
function once(name, make) {
  if (!made.has(name)) made.set(name, make())
  return /** @type {T} */ (made.get(name))
}

module.exports = {once}
