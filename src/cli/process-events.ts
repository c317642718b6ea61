import {CrossplaneError} from '../errors.js'
import {SIGNAL_STATUS} from './exit-code.js'
import {reportAtOnce, reportFailure} from './report-failure.js'

/** Ends the process on signals, output errors and uncaught exceptions; returns the function that stops that. */
export function endOnEvents(argv: readonly string[]): () => void {
  const outputError = (error: NodeJS.ErrnoException) => process.exit(statusOfOutputError(error, argv))
  const uncaught = (error: unknown) => {
    void reportFailure(error, argv).then(status => process.exit(status))
  }
  process.once('SIGINT', interrupted).once('SIGTERM', interrupted).once('uncaughtException', uncaught)
  // Before oclif's own listener, which throws.
  process.stdout.prependListener('error', outputError)
  process.stderr.on('error', ignore)
  return () => {
    process.off('SIGINT', interrupted).off('SIGTERM', interrupted).off('uncaughtException', uncaught)
    process.stdout.off('error', outputError)
    process.stderr.off('error', ignore)
  }
}

function interrupted(signal: 'SIGINT' | 'SIGTERM'): void {
  process.stderr.write(
    'Interrupted. Run the same command again: it completes or undoes an interrupted write first.\n',
  )
  process.exit(SIGNAL_STATUS[signal])
}

/** A reader that closes the pipe early, such as `head`, ends the program as SIGPIPE would: silently, but not with 0. */
function statusOfOutputError(error: NodeJS.ErrnoException, argv: readonly string[]): number {
  if (error.code === 'EPIPE') return SIGNAL_STATUS.SIGPIPE
  const message = 'cannot write to standard output'
  return reportAtOnce(new CrossplaneError('output-failed', message, {cause: error}), argv)
}

/** Closed standard error does not stop the output. */
function ignore(): void {
  return undefined
}
