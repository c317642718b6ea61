import {expect, it} from '@jest/globals'
import {spawnSync} from 'node:child_process'
import {temporaryFolder, writeTree} from '../temporary-folder.js'

const PLANTED = [
  {rule: 'no-floating-promises', code: 'export function start(work: () => Promise<void>) {\n  work()\n}'},
  {
    rule: 'no-misused-promises',
    code: 'export const all = (names: string[]) => names.forEach(async () => undefined)',
  },
  {rule: 'no-unsafe-assignment', code: 'export const value: string = JSON.parse("1")'},
  {rule: 'no-unsafe-return', code: 'export const parse = (text: string): number => JSON.parse(text)'},
  {rule: 'no-unnecessary-condition', code: 'export const size = (text: string) => text?.length'},
  {rule: 'no-base-to-string', code: 'export const text = (of: {a: number}) => `${of}`'},
  {rule: 'restrict-template-expressions', code: 'export const text = (of: readonly string[]) => `${of}`'},
  {rule: 'require-await', code: 'export async function one() {\n  return 1\n}'},
  {
    rule: 'return-await',
    code: 'export async function a(b: Promise<1>) {\n  try {\n    return b\n  } catch {\n    return 2\n  }\n}',
  },
  {
    rule: 'switch-exhaustiveness-check',
    code: "export function a(b: 'x' | 'y') {\n  switch (b) {\n    case 'x':\n      return 1\n  }\n  return 2\n}",
  },
  {rule: 'unbound-method', code: 'class A {\n  b() {\n    return this\n  }\n}\nexport const b = new A().b'},
  {rule: 'no-deprecated', code: '/** @deprecated */\nconst a = 1\nexport const b = a'},
  {rule: 'only-throw-error', code: "export function a() {\n  throw 'b'\n}"},
  {rule: 'await-thenable', code: 'export const a = async (b: number) => await b'},
]

const folder = temporaryFolder()

it('finds every planted violation of a rule that needs types', () => {
  writeTree(folder, {
    'tsconfig.json': JSON.stringify({compilerOptions: {strict: true, target: 'ES2022', module: 'NodeNext'}}),
    ...Object.fromEntries(PLANTED.map(({rule, code}) => [`${rule}.ts`, `${code}\n`])),
  })
  const args = ['--type-aware', '--format', 'json', '--config', '.oxlintrc.json', folder]
  const {stdout} = spawnSync('node_modules/.bin/oxlint', args, {encoding: 'utf8'})
  const {diagnostics} = JSON.parse(stdout) as {diagnostics: readonly {code: string; filename: string}[]}
  const found = new Set(diagnostics.map(({code, filename}) => `${/\((.+)\)/.exec(code)?.[1]} ${filename}`))
  const missed = PLANTED.filter(
    ({rule}) => ![...found].some(each => each.startsWith(`${rule} `) && each.endsWith(`${rule}.ts`)),
  )
  expect(missed).toEqual([])
})
