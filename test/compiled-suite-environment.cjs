// The environment of suites that run the compiled program: the globals are those of Node.js, and what a suite changes of them does
// not reach the next suite of a worker.
const CompiledEnvironment = require('./compiled-environment.cjs')
const {restore, stateOf} = require('./suite-state.cjs')

/** @typedef {NonNullable<CompiledEnvironment['fakeTimersModern']>} FakeTimers */

class CompiledSuiteEnvironment extends CompiledEnvironment {
  /** @param {ConstructorParameters<typeof CompiledEnvironment>} args */
  constructor(...args) {
    super(...args)
    const [{projectConfig}] = args
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
