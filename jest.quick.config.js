import base from './jest.config.js'

/**
 * What `npm run check` runs: no suite that needs real tools, servers or the corpus (`*.real.test.ts`), and none that
 * takes long (`*.long.test.ts`, and the campaigns).
 *
 * @type {import('jest').Config}
 */
export default {
  ...base,
  testPathIgnorePatterns: ['\\.((real|long)\\.test|soak)\\.ts$'],
  coverageDirectory: 'coverage/quick',
  // Command lines run on the compiled program, which jest does not load again for each suite. Only sources have coverage.
  ...(process.argv.includes('--coverage')
    ? {}
    : {testEnvironment: '<rootDir>/test/compiled-environment.cjs'}),
}
