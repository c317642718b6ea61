import {beforeAll, describe, expect, it} from '@jest/globals'
import {cpSync, mkdtempSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {installedPackage} from '../fakes/core-answers.js'
import {coreServer} from '../fakes/core-server.js'
import {expectGolden} from '../golden.js'
import {runCli} from '../run-cli.js'
import {temporaryFolder} from '../temporary-folder.js'

const folder = mkdtempSync(join(temporaryFolder(), 'home-'))
const DECLARED = [
  ...['--declaration', join(folder, 'crossplane-packages.yaml')],
  ...['--packages', join(folder, 'packages')],
]
const ESCAPE = '\u001B'
const CHARACTER = new RegExp(`${ESCAPE}\\[\\d+m|[^]`, 'gu')

beforeAll(async () => {
  cpSync('examples/platform', folder, {recursive: true})
  expect(await runCli('package', 'lock', ...DECLARED)).toMatchObject({status: 0})
})

/** Breaks lines as a terminal does: between any two characters, of which those of a style have no width. */
function onTerminal(text: string, columns: number): string {
  const characters = [...text.matchAll(CHARACTER)].map(([character]) => character)
  let column = 0
  return characters
    .map(character => {
      if (character.startsWith(ESCAPE)) return character.replace(ESCAPE, '^')
      if (character === '\n') column = 0
      else column += 1
      if (column <= columns) return character
      column = 1
      return `\n${character}`
    })
    .join('')
}

/** Compares what a command prints in a terminal of 80 and of 120 columns, with and without color. */
async function expectRecording(name: string, argv: readonly string[]): Promise<void> {
  const shown: string[] = []
  for (const color of ['never', 'always']) {
    const {stdout} = await runCli('package', ...argv, '--color', color, '--quiet')
    // The diffs of files, which a plan ends with, are those of the files.
    const [text = ''] = stdout.replaceAll(folder, 'home').split(/^--- (?!a\/pkg\.)/m)
    for (const columns of [80, 120])
      shown.push(`== ${columns} columns, --color ${color}\n${onTerminal(text, columns)}`)
  }
  expectGolden(`terminal-${name}.txt`, shown.join('\n'))
}

describe('a terminal shows', () => {
  it.each([
    {name: 'outdated', in: ['outdated', ...DECLARED]},
    {name: 'tree', in: ['tree', ...DECLARED]},
    {name: 'why', in: ['why', 'example/provider-cloud', ...DECLARED]},
    {name: 'plan', in: ['render', '--output-dir', join(folder, 'new'), '--dry-run', ...DECLARED]},
  ])('$name', async ({name, in: argv}) => {
    await expectRecording(name, argv)
  })
})

describe('a terminal shows of a cluster', () => {
  const REGISTRY = 'registry.example.org/example'
  const CONFIG = join(folder, 'kubeconfig')
  const CLUSTER = ['--kubeconfig', CONFIG, '--packages', 'examples/xpkg/packages', '--core-version', 'v2.3.4']

  beforeAll(async () => {
    const packages = [
      installedPackage('Provider', `${REGISTRY}/provider-sql`, 'v1.2.0'),
      installedPackage('Provider', `${REGISTRY}/provider-family`, 'v1.1.0'),
      installedPackage('Function', `${REGISTRY}/function-template`, 'v0.3.0'),
    ]
    writeFileSync(CONFIG, await coreServer(packages.flat()))
  })

  it.each([
    {name: 'import', in: ['import', '--dry-run', '--declaration', join(folder, 'imported/a.yaml')]},
    {
      name: 'upgrade',
      in: [
        ...['upgrade', `${REGISTRY}/provider-sql:v1.5.0`, `${REGISTRY}/function-template:v0.4.1`],
        ...['--adopt', '--dry-run=client'],
      ],
    },
    {name: 'diff', in: ['diff', `${REGISTRY}/provider-sql:v1.5.0`, '--adopt']},
  ])('$name', async ({name, in: argv}) => {
    await expectRecording(name, [...argv, ...CLUSTER])
  })

  it.each(['list', 'status'])('%s', async name => {
    await expectRecording(name, [name, '--kubeconfig', CONFIG])
  })
})
