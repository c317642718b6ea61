import base from './jest.config.js'

/** The campaigns of test/soak, for as long as scripts/soak.mjs says, and suites that it gives more rounds. @type {import('jest').Config} */
export default {
  ...base,
  testMatch: [
    '<rootDir>/test/soak/**/*.soak.ts',
    '<rootDir>/test/checks/clusters.real.test.ts',
    '<rootDir>/test/commands/bundle.real.test.ts',
    '<rootDir>/test/commands/git/update-rounds.long.test.ts',
    '<rootDir>/test/crd/instances/instances.real.test.ts',
    '<rootDir>/test/index/registry/snapshots.long.test.ts',
    '<rootDir>/test/plan/cluster/core/move.test.ts',
    '<rootDir>/test/resolve/solve.property.long.test.ts',
    '<rootDir>/test/unpack/random-package.property.long.test.ts',
    '<rootDir>/test/usage/mutated-objects.test.ts',
    '<rootDir>/test/usage/mutations.test.ts',
    '<rootDir>/test/xpkg/core/translated.real.test.ts',
    '<rootDir>/test/yaml/block-reader.long.test.ts',
    '<rootDir>/plugins/catalog/test/*.real.test.ts',
    '<rootDir>/plugins/{package-manager,services}/test/{corpus,disturbed,side-by-side}.real.test.ts',
  ],
}
