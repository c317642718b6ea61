import {availableParallelism} from 'node:os'
import base from './jest.config.js'

/**
 * What `npm run check:full` adds: the suites that `jest.quick.config.js` leaves out.
 *
 * @type {import('jest').Config}
 */
export default {
  ...base,
  testMatch: base.testMatch.map(pattern => pattern.replace('*.test.ts', '*.{real,long}.test.ts')),
  coverageDirectory: 'coverage/long',
  // These suites wait for servers and for programs now and then.
  maxWorkers: availableParallelism() + 1,
}
