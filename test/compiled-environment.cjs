// Gives suites a function that runs the compiled program outside of jest.
const {TestEnvironment} = require('jest-environment-node')
const {endContexts} = require('./async-contexts.cjs')
const {runCompiled} = require('./compiled-program.cjs')

class CompiledEnvironment extends TestEnvironment {
  /** @override */
  async setup() {
    await super.setup()
    this.global.runCompiled = runCompiled
  }

  /** @override */
  async teardown() {
    await super.teardown()
    endContexts()
  }
}

module.exports = CompiledEnvironment
