import {CrossplaneError} from '../errors.js'
import {INTERRUPTED} from './exit-code.js'
import {reportAtOnce, reportFailure} from './report-failure.js'

/** Ends the process, with its status, on what reaches it from outside of the command; returns the way to stop that. */
export function endOnEvents(argv: readonly string[]): () => void {
  const outputError = (error: NodeJS.ErrnoException) => process.exit(statusOfOutputError(error, argv))
  const uncaught = (error: unknown) => {
    void reportFailure(error, argv).then(status => process.exit(status))
  }
  process.once('SIGINT', interrupted).once('SIGTERM', interrupted).once('uncaughtException', uncaught)
  // Before oclif's own listener, which throws.
  process.stdout.prependListener('error', outputError)
  process.stderr.on('error', nobodyReads)
  return () => {
    process.off('SIGINT', interrupted).off('SIGTERM', interrupted).off('uncaughtException', uncaught)
    process.stdout.off('error', outputError)
    process.stderr.off('error', nobodyReads)
  }
}

function interrupted(): void {
  process.stderr.write(
    'Interrupted. Run the same command again: what was half done is completed or undone first.\n',
  )
  process.exit(INTERRUPTED)
}

/** A reader such as `head` may leave early: that is no failure of ours. */
function statusOfOutputError(error: NodeJS.ErrnoException, argv: readonly string[]): number {
  if (error.code === 'EPIPE') return 0
  const message = 'the answer could not be written to standard output'
  return reportAtOnce(new CrossplaneError('output-failed', message, {cause: error}), argv)
}

/** Who does not want to hear messages may still want the answer. */
function nobodyReads(): void {
  return undefined
}
