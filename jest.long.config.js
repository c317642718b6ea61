import {availableParallelism} from 'node:os'
import base from './jest.config.js'

/**
 * The campaigns that take minutes even for a few rounds, with processes that are killed, whole repositories and packages at
 * every limit. They run in `npm run soak`; suites with chosen moments, repositories and packages run here.
 */
const LONG_CAMPAIGNS =
  'test/soak/(core-clusters|core-rings|core-worlds|limits|removals|interruptions|git-commits|gitops|pid-namespaces)\\.soak\\.ts$'

/**
 * What `npm run check:full` adds: the suites that `jest.quick.config.js` leaves out.
 *
 * @type {import('jest').Config}
 */
export default {
  ...base,
  testMatch: base.testMatch.map(pattern => pattern.replace('*.test.ts', '*.{real,long}.test.ts')),
  testPathIgnorePatterns: [LONG_CAMPAIGNS],
  coverageDirectory: 'coverage/long',
  // As in jest.quick.config.js.
  ...(process.argv.includes('--coverage')
    ? {}
    : {testEnvironment: '<rootDir>/test/compiled-environment.cjs'}),
  // These suites wait for servers and for programs now and then.
  maxWorkers: availableParallelism() + 1,
}
