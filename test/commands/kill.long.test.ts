import {beforeAll, describe, expect, it} from '@jest/globals'
import {spawn} from 'node:child_process'
import {cpSync, existsSync} from 'node:fs'
import {join} from 'node:path'
import {setTimeout as sleep} from 'node:timers/promises'
import {programCommand} from '../built-program.js'
import {runCli} from '../run-cli.js'
import {smallEnvironment} from '../run-program.js'
import {random, SEED} from '../shuffled.js'
import {temporaryFolder} from '../temporary-folder.js'
import {contentOf} from './folder-content.js'
import {prepareRewrite, type Rewrite, SIGNS} from './killed-rewrite.js'

const temporary = temporaryFolder()
const at = (name: string) => join(temporary, name)
const KILLS = 20

let rewrite: Rewrite
beforeAll(async () => {
  programCommand()
  rewrite = await prepareRewrite(temporary)
})

/** Starts the rewrite, and kills it some moments after `sign` is there. */
async function killedWrite(folder: string, sign: string, moments: number): Promise<boolean> {
  const child = spawn(...programCommand(...rewrite.command, folder), {
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
    sign: SIGNS[index % SIGNS.length] ?? '',
    moments: Math.floor(chance() * index),
  }))
  const ends: string[] = []

  it.each(kills)(
    'kill $index, $moments ms after $sign: every file is complete, and the next run gives the usual result',
    async ({index, sign, moments}) => {
      const folder = at(`out-${index}`)
      cpSync(rewrite.before, folder, {recursive: true})
      const killed = await killedWrite(folder, sign, moments)
      expect(rewrite.wrongIn(folder)).toEqual([])

      const {status, stdout, stderr} = await runCli(...rewrite.command, folder)
      expect({status, stdout}).toEqual({status: 0, stdout: ''})
      expect(contentOf(folder)).toEqual(rewrite.after)
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
