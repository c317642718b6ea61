// What controllers use that run, and have nothing to do.
import {readFileSync} from 'node:fs'
import {setTimeout} from 'node:timers/promises'
import {metOrNot} from './table.mjs'

/** The goal, as a part of a core. */
const MAX_IDLE = 0.01
/** Seconds over which the processor time of an idle process is measured. */
const IDLE = Number(process.env.BENCH_IDLE ?? 60)
/** Seconds without a request, besides those of watches and for the Lease, until a controller counts as idle. */
const QUIET = 45
const PATIENCE = 600

/**
 * Returns the peak memory of a process, in MB, and its CPU time, in seconds. https://man7.org/linux/man-pages/man5/proc.5.html
 *
 * @param {number | undefined} pid
 */
export function usageOf(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const [, kilobytes = 'NaN'] = /VmHWM:\s+(\d+)/.exec(status) ?? []
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  const ticks = Number(fields[11]) + Number(fields[12])
  return /** @type {const} */ ([Number(kilobytes) / 1024, ticks / 100])
}

/**
 * Waits until a controller is idle. Returns the part of a core that it needs then, its requests besides those of watches and for
 * the Lease, and its peak memory in MB, of all its life.
 *
 * @param {number | undefined} pid
 * @param {import('./audited-cluster.mjs').AuditedCluster} cluster
 * @param {string} agent
 */
export async function idleOf(pid, cluster, agent) {
  const work = async (/** @type {number} */ since) =>
    (await cluster.requests(agent, since)).filter(({isOfIdle}) => !isOfIdle)
  const end = performance.now() + PATIENCE * 1000
  for (let quiet = 0, mark = await cluster.mark(); quiet < QUIET; quiet += 5) {
    if (performance.now() > end) throw new Error(`the controller was not idle after ${PATIENCE} s`)
    await setTimeout(5000)
    if ((await work(mark)).length > 0) quiet = -5
    mark = await cluster.mark()
  }
  const mark = await cluster.mark()
  const share = await idleShareOf(pid)
  const [peak] = usageOf(pid)
  return {share, requests: (await work(mark)).length, peak}
}

/** Measures the part of a core that a process needs. @param {number | undefined} pid */
export async function idleShareOf(pid) {
  const [, before] = usageOf(pid)
  await setTimeout(IDLE * 1000)
  const [, after] = usageOf(pid)
  return (after - before) / IDLE
}

/** @param {number} share */
export function idleText(share) {
  return `idle ${(share * 100).toFixed(1)} % of a core (≤ ${MAX_IDLE * 100} %: ${metOrNot(share <= MAX_IDLE)})`
}
