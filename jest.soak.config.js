import base from './jest.config.js'

/** The campaigns of test/soak, for as long as scripts/soak.mjs says, and suites that it gives more rounds. @type {import('jest').Config} */
export default {
  ...base,
  testMatch: [
    '<rootDir>/test/soak/**/*.soak.ts',
    '<rootDir>/test/checks/clusters.real.test.ts',
    '<rootDir>/test/commands/bundle.real.test.ts',
    '<rootDir>/test/xpkg/core/translated.real.test.ts',
    '<rootDir>/plugins/{package-manager,services}/test/{corpus,disturbed,side-by-side}.real.test.ts',
  ],
}
