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
}
