import {readdirSync} from 'node:fs'
import {join} from 'node:path'

/** The modules that touch the world or the terminal; every other one is a stage, and a stage has no excuse. */
const edges = new Set(['adapters', 'cli', 'commands', 'hooks'])
const stages = readdirSync(join(import.meta.dirname, 'src'), {withFileTypes: true})
  .filter(entry => entry.isDirectory() && !edges.has(entry.name))
  .map(entry => entry.name)

/** Plugins are held like stages. */
const plugins = readdirSync(join(import.meta.dirname, 'plugins'))

/** @type {import('jest').Config} */
export default {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  // Plugins are tested with the sources of their entry point.
  moduleNameMapper: {
    '^(\\.{1,2}/.*)\\.js$': '$1',
    '^kubectl-crossplane/plugin$': '<rootDir>/src/plugin.ts',
  },
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {jsc: {target: 'es2022', parser: {syntax: 'typescript'}}, module: {type: 'es6'}},
    ],
  },
  setupFiles: ['<rootDir>/test/setup.ts'],
  collectCoverageFrom: ['src/**/*.ts', 'plugins/*/src/**/*.ts'],
  coverageReporters: [['text', {skipFull: true}], 'json-summary'],
  coverageThreshold: Object.fromEntries(
    [...stages.map(stage => `./src/${stage}/`), ...plugins.map(plugin => `./plugins/${plugin}/src/`)].map(
      folder => [folder, {lines: 95}],
    ),
  ),
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
