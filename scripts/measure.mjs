// Time and memory of runs of a program, interleaved.
import {spawnSync} from 'node:child_process'
import {readFileSync} from 'node:fs'
import {join} from 'node:path'

const WARM_UPS = 2

/**
 * @typedef {{name: string, args: string[], wanted?: number}} Job `wanted` is a ratio to a bare node
 * @typedef {{name: string, wanted?: number, median: number, min: number, peak: number, error?: string}} Result
 */

// Node 20 parses NODE_EXTRA_CA_CERTS eagerly at every start, some 70 ms that are no part of this program.
export const environment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !['NODE_EXTRA_CA_CERTS', 'NODE_OPTIONS'].includes(name)),
)

// resourceUsage().maxRSS would do, but Linux carries the parent's peak over into the child's.
const reportPeak = `
import {readFileSync, writeFileSync} from 'node:fs'
process.on('exit', () => {
  let kilobytes = process.resourceUsage().maxRSS
  try {
    kilobytes = Number(/VmHWM:\\s+(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1])
  } catch {}
  writeFileSync(process.env.BENCH_PEAK, String(kilobytes))
})`

/** Flags with which Node writes its peak memory to the file that BENCH_PEAK names. */
export const PEAK_FLAGS = ['--import', `data:text/javascript,${encodeURIComponent(reportPeak)}`]

/**
 * The peak memory in such a file, in MB.
 *
 * @param {string} file
 */
export function peakIn(file) {
  return Number(readFileSync(file, 'utf8')) / 1024
}

/** @param {string[]} args */
function once(args) {
  const start = performance.now()
  const {status, stderr} = spawnSync(process.execPath, args, {
    env: environment,
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
  })
  const milliseconds = performance.now() - start
  return {milliseconds, error: status === 0 ? undefined : `exit ${status}: ${sayingWhy(stderr)}`}
}

/** @param {string} stderr */
function sayingWhy(stderr) {
  const lines = stderr.trim().split('\n')
  return lines.find(line => /error/i.test(line)) ?? lines[0]
}

/**
 * Peak memory in MB, from runs of its own: what measures it would slow the others.
 *
 * @param {string[]} args
 * @param {string} folder
 */
function peakOf(args, folder) {
  const file = join(folder, 'peak')
  const measure = () => {
    spawnSync(process.execPath, [...PEAK_FLAGS, ...args], {
      env: {...environment, BENCH_PEAK: file},
      stdio: 'ignore',
    })
    return peakIn(file)
  }
  return median([measure(), measure(), measure()])
}

/** @param {number[]} values */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? upper)) / 2
}

/**
 * Runs each job `runs` times, in rounds so that a slow minute is shared by all. A job that fails is left out of later
 * rounds and says why. `folder` is for scratch files.
 *
 * @param {Job[]} jobs
 * @param {number} runs
 * @param {string} folder
 * @returns {Result[]}
 */
export function measure(jobs, runs, folder) {
  const times = jobs.map(() => /** @type {number[]} */ ([]))
  const errors = jobs.map(({args}) => Array.from({length: WARM_UPS}, () => once(args).error).find(Boolean))
  for (let run = 0; run < runs; run++) {
    jobs.forEach(({args}, i) => {
      if (errors[i] !== undefined) return
      const {milliseconds, error} = once(args)
      times[i]?.push(milliseconds)
      errors[i] = error
    })
  }
  return jobs.map(({name, args, wanted}, i) => {
    const mine = times[i] ?? []
    const error = errors[i]
    const peak = error === undefined ? peakOf(args, folder) : Number.NaN
    return {name, wanted, error, median: median(mine), min: Math.min(...mine), peak}
  })
}
