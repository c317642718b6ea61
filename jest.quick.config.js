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
  // They run the compiled program, which Node.js loads once for each worker (docs/decisions/0039). Only sources have coverage.
  ...(process.argv.includes('--coverage')
    ? {}
    : {
        globalSetup: '<rootDir>/test/build-if-old.mjs',
        testEnvironment: '<rootDir>/test/compiled-suite-environment.cjs',
        runtime: '<rootDir>/test/compiled-runtime.cjs',
      }),
}
