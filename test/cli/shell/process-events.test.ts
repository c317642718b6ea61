import {beforeAll, describe, expect, it} from '@jest/globals'
import {type ChildProcess, spawn} from 'node:child_process'
import {once} from 'node:events'
import {dirname, join} from 'node:path'
import type {Readable} from 'node:stream'
import {text} from 'node:stream/consumers'
import {pathToFileURL} from 'node:url'
import {builtProgram} from '../../built-program.js'
import {smallEnvironment} from '../../run-program.js'

let dist = ''
beforeAll(() => {
  dist = pathToFileURL(join(dirname(builtProgram()), '../dist/')).href
})

/**
 * A program with a change of four operations, two at a time, that do not know of signals: each ends with a line on
 * standard input, and so does the program after a change that succeeds. It prints `ready` when two operations run, and
 * what was done when none does.
 */
const program = () => `
  import {createInterface} from 'node:readline'
  import {withSuggestions} from '${dist}errors.js'
  import {endOnEvents, whileChanging} from '${dist}cli/shell/process-events.js'
  import {reportFailure} from '${dist}cli/shell/report-failure.js'
  import {mapConcurrent} from '${dist}map-concurrent.js'

  const lines = createInterface({input: process.stdin})[Symbol.asyncIterator]()
  const argv = ['package', 'install', '--output', 'json']
  const stop = endOnEvents(argv, () => undefined)
  const done = []
  let running = 0
  const change = async signal => {
    try {
      await mapConcurrent(['a', 'b', 'c', 'd'], 2, async item => {
        signal.throwIfAborted()
        if (++running === 2) console.log('ready')
        await lines.next()
        done.push(item)
      })
    } catch (error) {
      throw withSuggestions(error, [], 'cannot install a: ' + error.message + ' after ' + done.length + ' of 4')
    }
  }
  try {
    await whileChanging(new AbortController(), change).finally(() => console.log(done.join()))
    await lines.next()
  } catch (error) {
    process.exitCode = await reportFailure(error, argv)
  }
  stop()
  process.stdin.destroy()
`

interface Run {
  readonly child: ChildProcess & {readonly stdout: Readable; readonly stderr: Readable}
  /** Sends a signal and waits until the program says that it has it. */
  interrupt(signal: NodeJS.Signals): Promise<void>
  /** Ends so many operations. */
  finish(count: number): void
  end(): Promise<{status: number | null; signal: string | null; stdout: string; stderr: readonly string[]}>
}

/** Starts the program; its first two operations are running. */
async function started(): Promise<Run> {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program()], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: smallEnvironment(),
  })
  const [exit, ready] = [once(child, 'exit'), once(child.stdout, 'data')]
  const messages: Buffer[] = []
  child.stderr.on('data', (chunk: Buffer) => messages.push(chunk))
  const closed = once(child.stderr, 'close')
  expect(String((await ready)[0])).toBe('ready\n')
  const stdout = text(child.stdout)
  return {
    child,
    async interrupt(signal) {
      const heard = once(child.stderr, 'data')
      child.kill(signal)
      await heard
    },
    finish: count => void child.stdin.write('\n'.repeat(count)),
    async end() {
      const [status, signal] = (await exit) as [number | null, string | null]
      await closed
      const stderr = Buffer.concat(messages).toString().trimEnd().split('\n')
      return {status, signal, stdout: await stdout, stderr}
    },
  }
}

const WAITING = expect.stringMatching(/^Interrupted\. Waiting for running operations/)
const ENDED = expect.stringMatching(/^Interrupted\. Run the same command again/)

describe('a change of a cluster', () => {
  it.each([
    {signal: 'SIGINT', code: 'interrupted', status: 130},
    {signal: 'SIGTERM', code: 'terminated', status: 143},
  ] as const)('completes the running operation after $signal and exits with $status', async each => {
    const run = await started()
    await run.interrupt(each.signal)
    run.finish(2)
    const {stderr, ...end} = await run.end()
    expect(end).toEqual({status: each.status, signal: null, stdout: 'a,b\n'})
    const [note, ...document] = stderr
    expect({note, ...(JSON.parse(document.join('\n')) as object)}).toMatchObject({
      note: WAITING,
      code: each.code,
      message: `cannot install a: interrupted by ${each.signal} after 2 of 4`,
      suggestions: ['Run the same command again: it completes the rest.'],
    })
  })

  it.each([
    {first: 'SIGINT', second: 'SIGINT', status: 130},
    {first: 'SIGINT', second: 'SIGTERM', status: 143},
  ] as const)('exits at once after a second $second, with $status', async ({first, second, status}) => {
    const run = await started()
    await run.interrupt(first)
    run.child.kill(second)
    expect(await run.end()).toEqual({
      status,
      signal: null,
      stdout: '',
      stderr: [WAITING, ENDED],
    })
  })

  it('succeeds without a signal', async () => {
    const run = await started()
    run.finish(5)
    expect(await run.end()).toEqual({status: 0, signal: null, stdout: 'a,b,c,d\n', stderr: ['']})
  })

  it('does not delay the exit once it is complete', async () => {
    const run = await started()
    run.finish(4)
    await once(run.child.stdout, 'data')
    await run.interrupt('SIGTERM')
    expect(await run.end()).toMatchObject({status: 143, stderr: [ENDED]})
  })
})
