// Gives suites a function that runs the compiled program outside of jest.
const {TestEnvironment} = require('jest-environment-node')
const {runCompiled} = require('./compiled-program.cjs')

module.exports = class extends TestEnvironment {
  /** @override */
  async setup() {
    await super.setup()
    this.global.runCompiled = runCompiled
  }
}
