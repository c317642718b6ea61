import {expect, it} from '@jest/globals'
import {execFileSync} from 'node:child_process'

/** What stands at the top of the repository: the program and its tests, what its readers look for, and files that tools find only there. */
const PROGRAM = ['bin', 'krew-manifest.yaml', 'package.json', 'plugins', 'src', 'test', 'tsconfig.json']
const READERS = [
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'LICENSE',
  'README.md',
  'THIRD-PARTY-LICENSES',
  'docs',
  'examples',
]
const TOOLS = [
  ...['.ci', '.dependency-cruiser.cjs', '.editorconfig', '.github', '.gitignore', '.npmrc'],
  ...['.oxfmtrc.jsonc', '.oxlintrc.json', 'action.yml', 'eslint.config.js', 'jest.config.js'],
  ...['jest.long.config.js', 'jest.quick.config.js', 'jest.soak.config.js', 'knip.json', 'package-lock.json'],
  ...['scripts', 'templates', 'tsconfig.build.json'],
]

it('has nothing at its top that nobody decided to put there', () => {
  const tracked = execFileSync('git', ['ls-files', '-z'], {encoding: 'utf8'}).split('\0').filter(Boolean)
  const top = [...new Set(tracked.map(path => path.split('/')[0] ?? ''))].sort()
  expect(top).toEqual([...PROGRAM, ...READERS, ...TOOLS].sort())
})
