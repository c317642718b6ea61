import {describe, expect, it} from '@jest/globals'
import {Linter} from 'eslint'
import tseslint from 'typescript-eslint'
import config from '../../eslint.config.js'

const linter = new Linter({configType: 'flat'})

/** The rules that `code` breaks as the file `path`, without those that need the types of the whole program. */
function broken(path: string, code: string): readonly (string | null)[] {
  const configs = [...config, tseslint.configs.disableTypeChecked, untyped]
  const messages = linter.verify(code, configs, {filename: path})
  return messages.map(message => message.ruleId ?? message.message)
}

const untyped = {languageOptions: {parserOptions: {project: false}}}
const stage = 'src/render/crds.ts'

describe('names of an era', () => {
  it.each([
    {name: 'a group', in: "export const group = 'packages.crossplane.io'"},
    {name: 'the other group, with its version', in: "export const v = 'stacks.crossplane.io/v1alpha1'"},
    {name: 'a request kind', in: "export const kind = 'ClusterPackageInstall'"},
    {name: 'a record kind', in: "export const kind = 'Package'"},
    {name: 'a kind as a type', in: "export type Kind = 'StackInstall'"},
    {name: 'a template', in: 'export const label = (of: string) => `parent.packages.crossplane.io/${of}`'},
    {name: 'an expression', in: 'export const group = /^stacks\\.crossplane\\.io$/'},
    {name: 'a manager', in: "export const manager = 'crossplane:stack-manager:'"},
    {name: 'a finalizer', in: "export const finalizer = 'finalizer.packageinstall.crossplane.io'"},
    {name: 'a title', in: "export const title = 'package-title'"},
  ])('$name is rejected in a stage, a command and wiring, and allowed in the table', ({in: code}) => {
    const paths = [stage, 'src/commands/version.ts', 'src/cli/wire.ts', 'src/render/era.ts']
    expect(paths.map(path => broken(path, code))).toEqual([
      ['no-restricted-syntax'],
      ['no-restricted-syntax'],
      ['no-restricted-syntax'],
      [],
    ])
  })

  it.each([
    {name: 'what both eras share', in: "export const kind = 'StackDefinition'"},
    {name: 'a word of app.yaml', in: "export const type = 'Stack'"},
    {name: 'the domain alone', in: "export const label = 'core.crossplane.io/parent-group'"},
    {name: 'a sentence about packages', in: "export const said = 'The package manager'"},
  ])('$name is not a name of an era', ({in: code}) => {
    expect(broken(stage, code)).toEqual([])
  })
})

describe('names of values', () => {
  it.each([
    {name: 'a variable', in: 'const found = 1\nexport const count = found'},
    {name: 'a parameter', in: 'export const plus = (given: number) => given + 1'},
    {name: 'a binding', in: 'export const sizeOf = ({size: known}: {size: number}) => known'},
    {name: 'a function', in: 'function meant(): number {\n  return 1\n}\nexport const one = meant()'},
    {name: 'a field', in: 'export class Lines {\n  readonly written = 1\n}'},
  ])('$name must say what the value is', ({in: code}) => {
    expect(broken(stage, code)).toEqual(['house/names'])
  })

  it('may be part of a document', () => {
    expect(broken(stage, 'export const report = {written: 1}')).toEqual([])
  })
})

describe('the outside world', () => {
  const refused = [
    {name: 'the environment', in: 'export const home = process.env.HOME', want: 'no-restricted-globals'},
    {name: 'the clock', in: 'export const now = Date.now()', want: 'no-restricted-properties'},
    {name: 'the date', in: 'export const now = new Date()', want: 'no-restricted-syntax'},
    {name: 'chance', in: 'export const die = Math.random()', want: 'no-restricted-properties'},
    {
      name: 'random bytes',
      in: "import {randomBytes} from 'node:crypto'\nexport const key = randomBytes(1)",
      want: 'no-restricted-imports',
    },
    {
      name: 'the network',
      in: "export const got = fetch('https://example.org')",
      want: 'no-restricted-globals',
    },
    {name: 'a timer', in: 'setTimeout(() => 1, 1)', want: 'no-restricted-globals'},
    {name: 'the locale', in: "export const order = 'a'.localeCompare('b')", want: 'no-restricted-syntax'},
    {
      name: 'formats of the locale',
      in: 'export const format = new Intl.NumberFormat()',
      want: 'no-restricted-globals',
    },
    {name: 'the terminal', in: "console.log('x')", want: 'no-console'},
  ]

  it.each(refused)('$name is not available to a stage', ({in: code, want}) => {
    expect(broken(stage, code)).toContain(want)
  })

  it.each(refused)('$name is not available to a future module', ({in: code, want}) => {
    expect(broken('src/signature/verify.ts', code)).toContain(want)
  })

  it.each([
    {path: 'src/cli/wire.ts', want: []},
    {path: 'src/adapters/docker-keychain.ts', want: []},
    {path: 'test/adapters/docker-keychain.test.ts', want: []},
    {path: 'src/commands/version.ts', want: ['no-restricted-properties']},
    {path: 'src/plugin.ts', want: ['no-restricted-globals', 'no-restricted-properties']},
  ])('process.cwd is $want for $path', ({path, want}) => {
    expect([...broken(path, 'export const here = process.cwd()')].sort()).toEqual(want)
  })

  it('allows hashing and given dates in a stage', () => {
    const code =
      "import {createHash} from 'node:crypto'\nexport const at = [createHash('sha256'), new Date(0)]"
    expect(broken(stage, code)).toEqual([])
  })
})

describe('the shape of a file', () => {
  const lines = (count: number, line: string) => Array.from({length: count}, () => line).join('\n')
  const branches = Array.from({length: 10}, (_, i) => `if (x === ${i}) return ${i}`).join('\n')

  it.each([
    {name: 'a default export', in: 'export default class {}', want: 'no-restricted-syntax'},
    {name: 'a barrel', in: "export * from './crds.js'", want: 'no-restricted-syntax'},
    {name: 'a name passed on', in: "export {crds} from './crds.js'", want: 'no-restricted-syntax'},
    {name: 'an enum', in: 'export enum Phase { First }', want: 'no-restricted-syntax'},
    {
      name: 'a namespace',
      in: 'export namespace phases { export const first = 1 }',
      want: 'no-restricted-syntax',
    },
    {name: 'any', in: 'export const x: any = 1', want: '@typescript-eslint/no-explicit-any'},
    {name: 'a mutated input', in: 'export function f(x: {y: number}) { x.y = 1 }', want: 'no-param-reassign'},
    {name: 'an empty block', in: 'export function f() { if (Date.parse("")) {} }', want: 'no-empty'},
    {name: 'a long file', in: lines(401, '// line'), want: 'max-lines'},
    {
      name: 'a long function',
      in: `export function f() {\n${lines(60, '// line')}\n}`,
      want: 'max-lines-per-function',
    },
    {name: 'a maze', in: `export function f(x: number) {\n${branches}\nreturn x\n}`, want: 'complexity'},
    {
      name: 'a suppression without a reason',
      in: 'export const x = 1 == Number(2) // eslint-disable-line eqeqeq',
      want: 'comments/require-description',
    },
    {
      name: 'a suppression of everything',
      in: '/* eslint-disable -- because */\nexport const x = 1 == Number(2)',
      want: 'comments/no-unlimited-disable',
    },
    {
      name: 'a suppression of nothing',
      in: '// eslint-disable-next-line eqeqeq -- nothing here\nexport const x = 1',
      want: "Unused eslint-disable directive (no problems were reported from 'eqeqeq').",
    },
    {
      name: 'an unexplained ts-expect-error',
      in: '// @ts-expect-error\nexport const x: string = 1',
      want: '@typescript-eslint/ban-ts-comment',
    },
  ])('$name is rejected', ({in: code, want}) => {
    expect(broken(stage, code)).toContain(want)
  })

  it('allows the default class of an oclif command, and the exports of the entry point', () => {
    expect([
      broken('src/commands/version.ts', 'export default class Version {\n  run = 1\n}'),
      broken('src/plugin.ts', "export {CrossplaneError} from './errors.js'"),
    ]).toEqual([[], []])
  })
})

describe('a test', () => {
  it.each([
    {name: 'mocks a module', in: "jest.mock('../src/errors.js')"},
    {name: 'mocks a module of ESM', in: "jest.unstable_mockModule('../src/errors.js', () => ({}))"},
    {name: 'skips', in: "it.skip('x', () => {})"},
    {name: 'skips a table', in: "it.skip.each([1])('x', () => {})"},
    {name: 'runs alone', in: "describe.only('x', () => {})"},
  ])('is rejected if it $name', ({in: code}) => {
    expect(broken('test/render/crds.test.ts', code)).toContain('no-restricted-properties')
  })

  it('can be a long list', () => {
    expect(broken('test/render/crds.test.ts', `describe('x', () => {\n${'\n'.repeat(90)}})`)).toEqual([])
  })
})
