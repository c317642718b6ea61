// Medians of runs of programs, interleaved so that a slow minute is shared by all.
import {execute} from './execute.mjs'
import {median} from './table.mjs'

/** The runs of a short job. */
export const MAX_RUNS = 15
/** The least runs of one that takes long. */
const MIN_RUNS = 3
/** The time that the runs of one job may take together, in milliseconds, beyond the least number of runs. */
const BUDGET = 5000
/** A job that takes longer needs no second warm-up, and its memory is measured in the same runs. */
const LONG = 1000
/** In MB: less is what a program had that ended before it was read. */
const LEAST_PEAK = 1

/**
 * `build` is the build of this program, if it is one; `before` prepares each run. A job runs `minRuns` times also if it
 * takes long.
 *
 * @typedef {import('./execute.mjs').RunOptions & {work: string, build?: string, command: readonly string[], before?: () => void, minRuns?: number | undefined}} Job
 * @typedef {{job: Job, median: number, min: number, peak: number, processor: number, runs: number, error?: string}} Result
 */

/**
 * Runs each job up to fifteen times, fewer if it takes long. A job that fails is left out of later rounds and says why.
 *
 * @param {readonly Job[]} jobs
 * @returns {Promise<Result[]>} in the order of the jobs
 */
export async function measure(jobs) {
  const all = []
  for (const job of jobs) all.push(await warmedUp(job))
  const rounds = Math.max(...all.map(({runs}) => runs))
  for (let round = 0; round < rounds; round++) {
    for (const each of all) if (round < each.runs) await runOnce(each)
  }
  for (const each of all) if (!each.isLong) await watchOnce(each)
  return all.map(({job, times, peaks, processors, error}) => ({
    job,
    median: median(times),
    min: Math.min(...times),
    peak: median(peaks.filter(peak => peak >= LEAST_PEAK)),
    processor: median(processors),
    runs: times.length,
    ...(error === undefined ? {} : {error}),
  }))
}

/**
 * @typedef {{job: Job, times: number[], peaks: number[], processors: number[], runs: number, isLong: boolean, error?: string}} Running
 *
 * @param {Job} job
 * @returns {Promise<Running>}
 */
async function warmedUp(job) {
  const {minRuns = MIN_RUNS} = job
  const running = {job, times: [], peaks: [], processors: [], runs: minRuns, isLong: false}
  const first = await attempt(running, false)
  if (first === undefined) return running
  const {milliseconds} = first
  const isLong = milliseconds > LONG
  if (!isLong) await attempt(running, false)
  const runs = Math.min(MAX_RUNS, Math.max(minRuns, Math.floor(BUDGET / milliseconds)))
  return {...running, isLong, runs}
}

/** @param {Running} running */
async function runOnce(running) {
  const run = await attempt(running, running.isLong)
  if (run === undefined) return
  running.times.push(run.milliseconds)
  if (!running.isLong) return
  running.peaks.push(run.peak)
  running.processors.push(run.processor)
}

/** @param {Running} running */
async function watchOnce(running) {
  const run = await attempt(running, true)
  if (run !== undefined) running.peaks.push(run.peak)
}

/**
 * @param {Running} running
 * @param {boolean} isWatched
 */
async function attempt(running, isWatched) {
  if (running.error !== undefined) return undefined
  const {job} = running
  try {
    job.before?.()
    return await execute(job.command, {...job, isWatched})
  } catch (error) {
    running.error = error instanceof Error ? error.message : String(error)
    return undefined
  }
}
