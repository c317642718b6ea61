// Gives suites a function that runs the compiled program outside of jest.
const {TestEnvironment} = require('jest-environment-node')
const {runCompiled} = require('./compiled-program.cjs')

class CompiledEnvironment extends TestEnvironment {
  /** @override */
  async setup() {
    await super.setup()
    this.global.runCompiled = runCompiled
  }
}

module.exports = CompiledEnvironment
