import {readFile, readlink} from 'node:fs/promises'
import {hostname} from 'node:os'
import {systemCode} from './file-system.js'

/**
 * A process, distinguished from every other process that had its ID earlier or has it in another namespace or machine.
 * Fields that exist only on Linux are absent on other systems.
 */
export interface LockHolder {
  readonly pid: number
  readonly host: string
  /** When the process took the lock: ISO 8601. */
  readonly since: string
  /** When the process started, in clock ticks since the machine did. */
  readonly started?: string
  /** Changes with every start of the machine. */
  readonly boot?: string
  /** The PID namespace: the same ID in another one is another process, which cannot be observed from here. */
  readonly pidSpace?: string
  /** In seconds: the lock of a process that has not renewed it for so long is free. */
  readonly lease?: number
}

/** The process that takes a lock now. */
export async function thisProcess(): Promise<LockHolder> {
  return {
    pid: process.pid,
    host: hostname(),
    since: new Date().toISOString(),
    started: (await statOf(process.pid))?.started,
    boot: (await orNothing(readFile('/proc/sys/kernel/random/boot_id', 'utf8')))?.trim(),
    pidSpace: await orNothing(readlink('/proc/self/ns/pid')),
  }
}

/** Formats the holder for a sentence. */
export function describeHolder({pid, host, since}: LockHolder): string {
  return `process ${pid} on ${host} since ${since}`
}

/** The one line that a lock holds; `parseHolder` reads it. */
export function formatHolder(holder: LockHolder): string {
  return `${JSON.stringify(holder)}\n`
}

/**
 * Returns `undefined` for text that this program did not write: a process ID below 1 would refer to several
 * processes.
 */
export function parseHolder(text: string): LockHolder | undefined {
  const {pid, lease, ...rest} = fieldsOf(text)
  const {host, since, started, boot, pidSpace} = onlyWords(rest)
  if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid < 1) return undefined
  if (host === undefined || since === undefined) return undefined
  return {pid, host, since, started, boot, pidSpace, lease: leaseIn(lease)}
}

/** Limits the lease, so that no lock file holds a lock forever. */
function leaseIn(value: unknown): number | undefined {
  return typeof value === 'number' && value > 0 ? Math.min(value, MAX_LEASE) : undefined
}

const MAX_LEASE = 3600

function fieldsOf(text: string): Readonly<Record<string, unknown>> {
  try {
    return {...(JSON.parse(text) as object | null)}
  } catch {
    return {}
  }
}

/** Strings that a message can show: a folder can come from anywhere. */
function onlyWords(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, string | undefined>> {
  const words = Object.entries(fields).filter(
    ([, value]) => typeof value === 'string' && /^[\w.:[\]-]+$/.test(value),
  )
  return Object.fromEntries(words) as Record<string, string>
}

/** Reports whether a process certainly no longer runs. One that cannot be observed from here may run. */
export async function isGone(holder: LockHolder, self: LockHolder): Promise<boolean> {
  if (holder.host !== self.host) return false
  if (differ(holder.boot, self.boot)) return true
  if (holder.pidSpace !== self.pidSpace) return false
  if (!isRunning(holder.pid)) return true
  const stat = await statOf(holder.pid)
  return stat !== undefined && (stat.state === 'Z' || differ(holder.started, stat.started))
}

function differ(a: string | undefined, b: string | undefined): boolean {
  return a !== undefined && b !== undefined && a !== b
}

/** Signal 0 checks without sending anything, see kill(2); a permission error means that the process exists. */
function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return systemCode(error) !== 'ESRCH'
  }
}

/** Fields 3 and 22 of proc_pid_stat(5). The second field is the program's name, which may contain blanks and brackets. */
async function statOf(pid: number): Promise<{readonly state: string; readonly started: string} | undefined> {
  const text = await orNothing(readFile(`/proc/${pid}/stat`, 'utf8'))
  const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ')
  const [state, started] = [fields?.[0], fields?.[19]]
  return state === undefined || started === undefined ? undefined : {state, started}
}

async function orNothing<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading
  } catch {
    return undefined
  }
}
