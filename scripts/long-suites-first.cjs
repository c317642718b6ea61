// The order in which jest starts suites: those that take long by their names first, so that no core is left alone with
// one at the end. Jest itself knows only how long a suite took before, which a fresh clone does not have.
const {default: TestSequencer} = require('@jest/test-sequencer')

/** From those that take minutes, the campaigns and the controllers of GitOps, to those that take seconds. */
const KINDS = [/\.soak\.ts$|\/gitops\//, /\.(real|long)\.test\.ts$/, /^/]

/** @param {string} path */
const kindOf = path => KINDS.findIndex(kind => kind.test(path))

module.exports = class LongSuitesFirst extends TestSequencer {
  /**
   * @param {Parameters<InstanceType<typeof TestSequencer>['sort']>[0]} tests
   * @override
   */
  async sort(tests) {
    const sorted = await super.sort([...tests])
    return sorted.sort((one, other) => kindOf(one.path) - kindOf(other.path))
  }
}
