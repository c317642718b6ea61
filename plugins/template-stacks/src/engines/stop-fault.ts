import type {EngineFault} from './engine.js'

/** How the program of the engines ended without a response, and the end of what it said. */
export interface Stopped {
  /** More calls within calls than the stack can hold. */
  readonly overflow: boolean
  readonly log: string
  readonly error: string
}

/** Returns why a request had no response: a limit, in all cases that are known. */
export function stopFault(stopped: Stopped | {readonly seconds: number}): EngineFault {
  if ('seconds' in stopped)
    return {code: 'timeout', message: `it takes more than ${String(stopped.seconds)} seconds`}
  if (stopped.overflow || /stack (?:exceeds|overflow)/.test(stopped.log))
    return {code: 'limit-exceeded', message: 'its templates call one another too deeply'}
  if (/out of memory|cannot allocate memory/.test(stopped.log))
    return {code: 'limit-exceeded', message: 'it needs more memory than templates can use'}
  const [reason = stopped.error] = /^(?:panic|fatal error|runtime error): .*$/m.exec(stopped.log) ?? []
  return {code: 'package-invalid', message: `the engine failed: ${reason}`}
}
