import type {ChildProcess} from 'node:child_process'
import {CrossplaneError} from '../../errors.js'
import {SIGNAL_STATUS} from './exit-code.js'
import {reportAtOnce, reportFailure} from './report-failure.js'
import {systemReason} from './unsaid-cause.js'
import type {KnownCommands} from './known-commands.js'

/**
 * Ends the process on signals, output errors and uncaught exceptions; returns the function that stops that. `commands`
 * returns those of the program, as soon as they are known.
 */
export function endOnEvents(argv: readonly string[], commands: Commands): () => void {
  const outputError = (error: NodeJS.ErrnoException) =>
    process.exit(statusOfOutputError(error, argv, commands))
  const uncaught = (error: unknown) => {
    void reportFailure(error, argv, commands()).then(status => process.exit(status))
  }
  process.once('SIGINT', exitAtOnce).once('SIGTERM', exitAtOnce).once('uncaughtException', uncaught)
  // Before oclif's own listener, which throws.
  process.stdout.prependListener('error', outputError)
  process.stderr.on('error', ignore)
  return () => {
    process.off('SIGINT', exitAtOnce).off('SIGTERM', exitAtOnce).off('uncaughtException', uncaught)
    process.stdout.off('error', outputError)
    process.stderr.off('error', ignore)
  }
}

type Commands = () => KnownCommands | undefined

/** A signal that users and systems end programs with. */
type Ending = 'SIGINT' | 'SIGTERM'

function exitAtOnce(signal: Ending): void {
  process.stderr.write(
    'Interrupted. Run the same command again: it completes or undoes an interrupted write first.\n',
  )
  process.exit(SIGNAL_STATUS[signal])
}

/**
 * Runs the change of a cluster, within `endOnEvents`. The first SIGINT or SIGTERM aborts `stop`, and `change` finishes its
 * running operations, begins no others and fails with the reason: `interrupted` or `terminated`, to which
 * `withSuggestions` adds what was done. The second exits at once. A change that is complete anyway succeeds.
 */
export async function whileChanging<T>(
  stop: AbortController,
  change: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const finish = (signal: Ending) => {
    if (stop.signal.aborted) return exitAtOnce(signal)
    process.stderr.write('Interrupted. Waiting for running operations; interrupt again to exit at once.\n')
    return stop.abort(interruption(signal))
  }
  return await withHandler(finish, () => change(stop.signal))
}

/**
 * Runs a task that only reads until SIGINT or SIGTERM aborts the signal, within `endOnEvents`; returns the status that
 * stands for the signal. The second signal exits at once.
 */
export async function whileWatching(watch: (signal: AbortSignal) => Promise<void>): Promise<number> {
  const stop = new AbortController()
  let status: number = SIGNAL_STATUS.SIGINT
  const finish = (signal: Ending) => {
    status = SIGNAL_STATUS[signal]
    if (stop.signal.aborted) process.exit(status)
    stop.abort()
  }
  await withHandler(finish, () => watch(stop.signal))
  return status
}

/**
 * Runs a task that waits for another program, within `endOnEvents`: that program decides what a signal means. A terminal
 * sends SIGINT to both.
 */
export async function whileProgramRuns<T>(program: ChildProcess, wait: () => Promise<T>): Promise<T> {
  const forward = (signal: Ending) => {
    if (signal !== 'SIGINT' || !process.stdin.isTTY) program.kill(signal)
  }
  return await withHandler(forward, wait)
}

/** Handles the signals that end programs in a different way than exiting at once. */
async function withHandler<T>(finish: (signal: Ending) => void, run: () => Promise<T>): Promise<T> {
  process.off('SIGINT', exitAtOnce).off('SIGTERM', exitAtOnce).on('SIGINT', finish).on('SIGTERM', finish)
  try {
    return await run()
  } finally {
    process
      .off('SIGINT', finish)
      .off('SIGTERM', finish)
      .once('SIGINT', exitAtOnce)
      .once('SIGTERM', exitAtOnce)
  }
}

function interruption(signal: Ending): CrossplaneError {
  const code = signal === 'SIGINT' ? 'interrupted' : 'terminated'
  return new CrossplaneError(code, `interrupted by ${signal}`, {
    suggestions: ['Run the same command again: it completes the rest.'],
  })
}

/** A reader that closes the pipe early, such as `head`, ends the program as SIGPIPE would: silently, but not with 0. */
function statusOfOutputError(
  error: NodeJS.ErrnoException,
  argv: readonly string[],
  commands: Commands,
): number {
  if (error.code === 'EPIPE') return SIGNAL_STATUS.SIGPIPE
  const message = `cannot write to standard output: ${systemReason(error.message) ?? error.message}`
  return reportAtOnce(new CrossplaneError('output-failed', message, {cause: error}), argv, commands())
}

/** Closed standard error does not stop the output. */
function ignore(): void {
  return undefined
}
