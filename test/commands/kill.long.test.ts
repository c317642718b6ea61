import {beforeAll, describe, expect, it} from '@jest/globals'
import {spawn} from 'node:child_process'
import {cpSync, existsSync, mkdirSync} from 'node:fs'
import {join} from 'node:path'
import {setTimeout as sleep} from 'node:timers/promises'
import {JOURNAL, STAGING} from '../../src/commit/journal.js'
import {builtProgram} from '../built-program.js'
import {runCli} from '../run-cli.js'
import {smallEnvironment} from '../run-program.js'
import {random, SEED} from '../shuffled.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'
import {contentOf, visibleIn} from './folder-content.js'

const temporary = temporaryFolder()
const at = (name: string) => join(temporary, name)
const FOREIGN = {
  'README.md': 'mine\n',
  'crds/mine.txt': 'mine too\n',
  'installs/mine/deep.yaml': 'kind: Mine\n',
}
const KILLS = 20

const definition = (kind: string, description: string) => `
apiVersion: apiextensions.k8s.io/v1beta1
kind: CustomResourceDefinition
metadata: {name: ${kind}s.example.org}
spec:
  group: example.org
  names: {kind: ${kind}, plural: ${kind}s}
  scope: Cluster
  version: v1
  validation: {openAPIV3Schema: {type: object, description: '${description}'}}
`

/** A package of forty CRDs. */
function packageOf(name: string, from: number): readonly string[] {
  const kinds = Array.from({length: 40}, (_, index) => `kind${from + index}`)
  writeTree(at(name), {
    '.registry/app.yaml': `title: ${name}\nversion: 1.0.0\npermissionScope: Cluster\n`,
    '.registry/all.crd.yaml': kinds.map(kind => definition(kind, name)).join('---'),
  })
  return ['package', 'render', at(name), 'many', '--output-dir']
}

/** From the first set to the second some files are created, most are replaced, and some are deleted. */
const first = packageOf('first', 0)
const second = packageOf('second', 10)

let program = ''
beforeAll(async () => {
  program = builtProgram()
  mkdirSync(at('before'))
  await runCli(...first, at('before'))
  writeTree(at('before'), FOREIGN)
  await runCli(...second, at('clean'))
})

/** What a write leaves behind while it goes on: first the new contents, then a journal of what is done with them. */
const SIGNS = [STAGING, JOURNAL]

/** Starts writing the second set over the first, and kills it some moments after `sign` is there. */
async function killedWrite(folder: string, sign: string, moments: number): Promise<boolean> {
  const child = spawn(process.execPath, [program, ...second, folder], {
    stdio: 'ignore',
    env: smallEnvironment(),
  })
  const exit = new Promise<NodeJS.Signals | null>(resolve => {
    child.once('exit', (_, signal) => resolve(signal))
  })
  while (child.exitCode === null && !existsSync(join(folder, sign))) await sleep(1)
  await sleep(moments)
  child.kill('SIGKILL')
  return (await exit) === 'SIGKILL'
}

describe(`kill -9 while an output folder is written (SEED=${SEED})`, () => {
  const chance = random(SEED)
  const kills = Array.from({length: KILLS}, (_, index) => ({
    index,
    sign: SIGNS[index % SIGNS.length] ?? STAGING,
    moments: Math.floor(chance() * index),
  }))
  const ends: string[] = []

  it.each(kills)(
    'kill $index, $moments ms after $sign: every file is complete, and the next run gives the usual result',
    async ({index, sign, moments}) => {
      const folder = at(`out-${index}`)
      cpSync(at('before'), folder, {recursive: true})
      const killed = await killedWrite(folder, sign, moments)
      expect(wrong(folder)).toEqual([])

      const {status, stdout, stderr} = await runCli(...second, folder)
      expect({status, stdout}).toEqual({status: 0, stdout: ''})
      expect(contentOf(folder)).toEqual({...contentOf(at('clean')), ...FOREIGN})
      const recovery = /^An interrupted write was (\S+) first\.$/m.exec(stderr)?.[1] ?? 'nothing to recover'
      ends.push(killed ? recovery : 'too late')
    },
  )

  it('interrupts some of the writes', () => {
    const count = (end: string) => ends.filter(each => each === end).length
    process.stderr.write(
      `kill -9, ${KILLS} times: ${[...new Set(ends)].map(end => `${count(end)} ${end}`).join(', ')}\n`,
    )
    expect(count('completed') + count('rolled-back')).toBeGreaterThan(0)
  })
})

/** Files that are neither as they were nor as they are to be. */
function wrong(folder: string): string[] {
  const [before, clean] = [visibleIn(at('before')), visibleIn(at('clean'))]
  const odd = Object.entries(visibleIn(folder)).filter(
    ([path, text]) => text !== before[path] && text !== clean[path],
  )
  const lost = Object.keys(FOREIGN).filter(path => visibleIn(folder)[path] === undefined)
  return [...odd.map(([path]) => path), ...lost]
}
