// Runs of programs, with their time and peak memory.
import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {readFileSync} from 'node:fs'
import {text} from 'node:stream/consumers'
import {setTimeout} from 'node:timers/promises'

// Node 20 parses NODE_EXTRA_CA_CERTS eagerly at every start, some 70 ms that are no part of any program measured here.
export const environment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !['NODE_EXTRA_CA_CERTS', 'NODE_OPTIONS'].includes(name)),
)

/** Milliseconds between two reads of a program's memory. */
const PAUSE = 2

/**
 * `statuses` are those of success; `isWatched` measures the peak memory, for which the program is disturbed a little.
 *
 * @typedef {{env?: Record<string, string>, cwd?: string, statuses?: readonly number[], isWatched?: boolean}} RunOptions
 * @typedef {{milliseconds: number, peak: number, processor: number, stdout: string}} Run `peak` in MB and `processor` time in seconds, NaN where they are unknown
 */

/**
 * Runs a command to its end. Throws for another exit status than those of success.
 *
 * @param {readonly string[]} command
 * @param {RunOptions & {keepsOutput?: boolean}} [options]
 * @returns {Promise<Run>}
 */
export async function execute([program = '', ...args], options = {}) {
  const {env, cwd, statuses = [0], isWatched, keepsOutput} = options
  const start = performance.now()
  const child = spawn(program, args, {
    cwd,
    env: {...environment, ...env},
    stdio: ['ignore', keepsOutput === true ? 'pipe' : 'ignore', 'pipe'],
  })
  const [{status, milliseconds}, stdout, stderr, usage] = await Promise.all([
    once(child, 'exit').then(([code]) => ({status: code, milliseconds: performance.now() - start})),
    textOf(child.stdout),
    textOf(child.stderr),
    isWatched === true ? usageOf(child) : {peak: Number.NaN, processor: Number.NaN},
  ])
  if (!statuses.includes(status)) throw new Error(`exit status ${status}: ${reasonIn(stderr)}`)
  return {milliseconds, ...usage, stdout}
}

/** @param {import('node:stream').Readable | null} stream */
async function textOf(stream) {
  return stream === null ? '' : await text(stream)
}

/** Linux counts processor time in ticks of this many seconds for programs. */
const TICK = 0.01

/**
 * The peak memory and the processor time of a program, which Linux keeps until it ends: the last values that are read.
 *
 * @param {import('node:child_process').ChildProcess} child
 */
async function usageOf(child) {
  let [peak, processor] = [Number.NaN, Number.NaN]
  while (child.exitCode === null && child.signalCode === null) {
    try {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
      const kilobytes = /VmHWM:\s+(\d+)/.exec(status)?.[1]
      if (kilobytes !== undefined) peak = Number(kilobytes) / 1024
      const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
      const ticks = Number(fields[11]) + Number(fields[12])
      if (ticks > 0) processor = ticks * TICK
    } catch {
      // It has ended, or this is another system.
    }
    await setTimeout(PAUSE)
  }
  return {peak, processor}
}

/** @param {string} stderr */
function reasonIn(stderr) {
  const lines = stderr.trim().split('\n')
  return (lines.find(line => /error/i.test(line)) ?? lines[0] ?? '').slice(0, 300)
}
