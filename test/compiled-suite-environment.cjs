// The environment of suites that run the compiled program: the globals are those of Node.js, and what a suite changes of them does
// not reach the next suite of a worker.
const CompiledEnvironment = require('./compiled-environment.cjs')

/** @typedef {NonNullable<CompiledEnvironment['fakeTimersModern']>} FakeTimers */

class CompiledSuiteEnvironment extends CompiledEnvironment {
  /** @param {ConstructorParameters<typeof CompiledEnvironment>} args */
  constructor(...args) {
    super(...args)
    const [{projectConfig}] = args
    /** @type {State} */
    this.before = stateOf()
    const global = /** @type {CompiledEnvironment['global']} */ (/** @type {unknown} */ (globalThis))
    this.global = global
    const {constructor} = /** @type {FakeTimers} */ (this.fakeTimersModern)
    const Timers = /** @type {new (options: object) => FakeTimers} */ (constructor)
    this.fakeTimersModern = new Timers({config: projectConfig, global})
  }

  /** @override */
  getVmContext() {
    return null
  }

  /** @override */
  async setup() {
    await super.setup()
    globalThis.importsCompiled = true
    // Jest sets ten times as many, which makes each error slower.
    Error.stackTraceLimit = 10
  }

  /** @override */
  async teardown() {
    await super.teardown()
    restore(this.before)
  }
}

module.exports = CompiledSuiteEnvironment

/**
 * @typedef {object} State
 * @property {Record<PropertyKey, PropertyDescriptor>} globals
 * @property {NodeJS.ProcessEnv} env
 * @property {string} folder
 * @property {Pick<NodeJS.Process, 'argv' | 'exit' | 'exitCode'>} own
 */

/** @returns {State} */
function stateOf() {
  const {argv, exit, exitCode} = process
  return {
    globals: Object.getOwnPropertyDescriptors(globalThis),
    env: {...process.env},
    folder: process.cwd(),
    own: {argv, exit, exitCode},
  }
}

/** @param {State} state */
function restore({globals, env, folder, own}) {
  for (const name of Reflect.ownKeys(globalThis)) {
    if (!Object.hasOwn(globals, name)) Reflect.deleteProperty(globalThis, name)
  }
  Object.defineProperty(globalThis, 'console', globals.console ?? {})
  for (const name of Object.keys(process.env)) if (!Object.hasOwn(env, name)) delete process.env[name]
  Object.assign(process.env, env)
  Object.assign(process, own)
  if (process.cwd() !== folder) process.chdir(folder)
}
