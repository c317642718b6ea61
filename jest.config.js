/** @type {import('jest').Config} */
export default {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  // Plugins are tested with the sources of their entry point.
  moduleNameMapper: {
    '^(?:\\.{1,2}/)+worker-code\\.js$': '<rootDir>/test/adapters/cel/worker-code.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
    '^kubectl-crossplane/plugin$': '<rootDir>/src/plugin.ts',
    '^kubectl-crossplane-services$': '<rootDir>/plugins/services/src/library.ts',
  },
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {jsc: {target: 'es2022', parser: {syntax: 'typescript'}}, module: {type: 'es6'}},
    ],
  },
  setupFiles: ['<rootDir>/test/setup.ts'],
  collectCoverageFrom: ['src/**/*.ts', 'plugins/*/src/**/*.ts'],
  coverageReporters: ['json'],
  // The campaigns run their short number of rounds; `npm run soak` runs them for minutes.
  testMatch: [
    '<rootDir>/test/**/*.test.ts',
    '<rootDir>/test/soak/*.soak.ts',
    '<rootDir>/plugins/*/test/**/*.test.ts',
  ],
  testSequencer: '<rootDir>/scripts/long-suites-first.cjs',
  // Their package.json files all claim one name.
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/test/architecture/fixtures/'],
  testTimeout: 60_000,
}
