// The runtime of jest for suites that run the compiled program: what they import from src is what the build made of it, and Node.js
// itself loads that, dependencies and jest's own modules, once for all suites of a worker. Jest loads only what is below test/ and
// scripts/ for each suite. There is one set of globals (compiled-suite-environment.cjs), so that the values of all are of the same
// classes.
const {default: Runtime} = require('jest-runtime')
const {createRequire} = require('node:module')
const {dirname, join, sep} = require('node:path')
const {pathToFileURL} = require('node:url')
const {SyntheticModule} = require('node:vm')

/**
 * What jest keeps to itself; its version is fixed in package.json.
 *
 * @typedef {object} Internals
 * @property {Loader} esmLoader
 * @property {{canResolveSync(): boolean}} _resolution
 *
 * @typedef {object} Loader
 * @property {() => object | undefined} getContext
 * @property {(path: string, suffix?: string) => Promise<object>} loadEsmModule
 * @property {(from: string, path: string) => Promise<object> | undefined} loadCjsAsEsm
 */

const ROOT = dirname(__dirname)
const SOURCES = /^(plugins\/[^/]+\/)?src\/(.*)\.ts$/
/** Has the state of the suite that runs: each suite has its own. */
const CIRCUS = `${sep}node_modules${sep}jest-circus${sep}`

/** What Node.js has loaded, as suites import it, by path. @type {Map<string, Promise<object>>} */
const loaded = new Map()

/** Returns what Node.js loads for a path; undefined for what jest loads. @param {string} path */
function compiledPath(path) {
  if (!path.endsWith('.ts')) return /\.[cm]?js$/.test(path) ? path : undefined
  const [, folder = '', name] = SOURCES.exec(path.slice(ROOT.length + 1).replaceAll(sep, '/')) ?? []
  return name === undefined ? undefined : join(ROOT, folder, 'dist', `${name}.js`)
}

/** @param {string} path */
function nativeOf(path) {
  const compiled = compiledPath(path)
  if (compiled === undefined) return undefined
  const module = loaded.get(compiled) ?? nativeModule(compiled)
  loaded.set(compiled, module)
  return module
}

/** @param {string} path */
async function nativeModule(path) {
  const names = await import(pathToFileURL(path).href)
  const keys = Object.keys(names)
  const module = new SyntheticModule(
    keys,
    () => {
      for (const key of keys) module.setExport(key, names[key])
    },
    {identifier: path},
  )
  await module.link(() => {
    throw new RangeError(`${path} imports nothing through jest`)
  })
  await module.evaluate()
  return module
}

module.exports = class CompiledRuntime extends Runtime {
  /** @param {ConstructorParameters<typeof Runtime>} args */
  constructor(...args) {
    super(...args)
    const {esmLoader, _resolution: resolution} = /** @type {Internals} */ (/** @type {unknown} */ (this))
    const load = esmLoader.loadEsmModule.bind(esmLoader)
    esmLoader.getContext = () => undefined
    esmLoader.loadEsmModule = async (path, suffix) => await (nativeOf(path) ?? load(path, suffix))
    esmLoader.loadCjsAsEsm = (_, path) => nativeOf(path)
    // With newer versions of Node.js, jest would load all modules of a suite at once, past these.
    resolution.canResolveSync = () => false
  }

  /**
   * @param {string} from
   * @param {string} [to]
   * @returns {any}
   * @override
   */
  requireInternalModule(from, to) {
    if (to !== undefined) return createRequire(from)(to)
    for (const path of Object.keys(require.cache)) if (path.includes(CIRCUS)) delete require.cache[path]
    return require(from)
  }

  /**
   * What suites require, too.
   *
   * @param {string} from
   * @param {string} name
   * @returns {any}
   * @override
   */
  requireModuleOrMock(from, name) {
    return createRequire(from)(name)
  }
}
