// The order in which jest starts suites: those that take long by their names first, so that no core is left alone with
// one at the end. Jest itself knows only how long a suite took before, which a fresh clone does not have.
const {default: TestSequencer} = require('@jest/test-sequencer')

const LONG = /\.((real|long)\.test|soak)\.ts$/

module.exports = class LongSuitesFirst extends TestSequencer {
  /**
   * @param {Parameters<InstanceType<typeof TestSequencer>['sort']>[0]} tests
   * @override
   */
  async sort(tests) {
    const sorted = await super.sort([...tests])
    return [...sorted.filter(({path}) => LONG.test(path)), ...sorted.filter(({path}) => !LONG.test(path))]
  }
}
