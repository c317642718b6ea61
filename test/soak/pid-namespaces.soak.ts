import {beforeAll, expect} from '@jest/globals'
import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {cpSync, existsSync, mkdtempSync, readdirSync, rmSync, utimesSync} from 'node:fs'
import {join} from 'node:path'
import {setTimeout as sleep} from 'node:timers/promises'
import {BOOKKEEPING} from '../../src/plan/folder/owned-files.js'
import {programCommand} from '../built-program.js'
import {contentOf} from '../commands/folder-content.js'
import {prepareRewrite, type Rewrite, SIGNS} from '../commands/killed-rewrite.js'
import {missingPidNamespaces, PID_NAMESPACE} from '../pid-namespace.js'
import {describeReal} from '../real-parts.js'
import {runProgram, smallEnvironment} from '../run-program.js'
import {temporaryFolder} from '../temporary-folder.js'
import {below, campaign, pick} from './campaign.js'

const LOCK = `${BOOKKEEPING}/lock`

describeReal('a write that is killed in a PID namespace, as in a container', missingPidNamespaces(), () => {
  const temporary = temporaryFolder()
  let rewrite: Rewrite
  beforeAll(async () => {
    programCommand()
    rewrite = await prepareRewrite(temporary)
  }, 300_000)

  campaign('is completed or rolled back from another one', {short: 4}, async ({random}) => {
    const folder = mkdtempSync(join(temporary, 'round-'))
    cpSync(rewrite.before, folder, {recursive: true})
    await killedWrite(folder, pick(random, SIGNS), below(random, 20))
    expect(rewrite.wrongIn(folder)).toEqual([])

    const isNamespaced = random() < 0.5
    if (existsSync(join(folder, LOCK))) {
      const rejected = await write(folder, isNamespaced)
      expect(rejected).toMatchObject({status: 5, stderr: expect.stringContaining('it is held by process')})
      expireLock(join(folder, LOCK))
    }
    expect(await write(folder, isNamespaced)).toMatchObject({status: 0})
    expect(contentOf(folder)).toEqual(rewrite.after)
    rmSync(folder, {recursive: true})
  })

  /** Starts a write in a namespace of its own, and kills all of it some milliseconds after `sign` exists. */
  async function killedWrite(folder: string, sign: string, delay: number): Promise<void> {
    const child = spawn('unshare', [...PID_NAMESPACE, ...programCommand(...rewrite.command, folder).flat()], {
      // Its end is that of the last process that has it.
      stdio: ['ignore', 'pipe', 'ignore'],
      env: smallEnvironment(),
    })
    child.stdout.resume()
    const closed = once(child, 'close')
    while (child.exitCode === null && !existsSync(join(folder, sign))) await sleep(1)
    await sleep(delay)
    child.kill('SIGKILL')
    await closed
  }

  function write(folder: string, isNamespaced: boolean) {
    const command = programCommand(...rewrite.command, folder).flat()
    const [name = '', ...args] = isNamespaced ? ['unshare', ...PID_NAMESPACE, ...command] : command
    return runProgram(name, args)
  }
})

/** Makes a lock look as if its holder had last renewed it a minute ago. */
function expireLock(lock: string): void {
  const then = new Date(Date.now() - 60_000)
  for (const name of readdirSync(lock)) utimesSync(join(lock, name), then, then)
}
