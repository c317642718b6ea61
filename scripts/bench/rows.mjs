// Rows of results.
import {CHECKOUT} from './builds.mjs'
import {MAX_RUNS} from './measure.mjs'

/**
 * @typedef {import('./measure.mjs').Result} Result
 * @typedef {import('./table.mjs').Row} Row
 */

/**
 * The row of a result. Of a checkout nothing is wanted.
 *
 * @param {Result} result
 * @param {Pick<Row, 'peer' | 'wanted' | 'wantedPeak' | 'details'>} [more]
 * @returns {Row}
 */
export function measuredRow({job, median, min, peak, processor, runs, error}, more = {}) {
  const {work, build} = job
  if (error !== undefined) return {...more, work, build, error}
  const few = runs < MAX_RUNS ? `${runs} runs` : ''
  // Beside other programs, it says more than the time.
  const used = Number.isNaN(processor) ? '' : `${processor.toFixed(1)} s of processor time`
  const details = [more.details ?? '', used, few].filter(Boolean).join('; ')
  const unwanted = build === CHECKOUT ? {wanted: undefined, wantedPeak: undefined} : {}
  return {work, build, ms: median, min, peak, ...more, ...unwanted, details}
}

/**
 * What others are measured beside; its time is NaN if it could not be measured.
 *
 * @param {readonly Result[]} results
 * @param {string} work
 */
export function peerOf(results, work) {
  const found = results.find(({job}) => job.work === work)
  return {name: work, ms: found === undefined || found.error !== undefined ? Number.NaN : found.median}
}
