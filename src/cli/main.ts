import {flush} from '@oclif/core/flush'
import type {Interfaces} from '@oclif/core'
import {run} from '@oclif/core/run'
import {INTERRUPTED} from './exit-code.js'
import {reportFailure} from './report-failure.js'

/**
 * Runs one command line and returns its exit status. `load` is the entry's `import.meta.url`, from which oclif finds
 * package.json and the commands, or load options of its own.
 */
export async function main(argv: readonly string[], load: Interfaces.LoadOptions): Promise<number> {
  const stop = onInterrupt()
  process.stdout.on('error', leaveQuietlyOnClosedPipe)
  try {
    await run([...argv], load)
    await flush()
    return 0
  } catch (error) {
    return await reportFailure(error, argv)
  } finally {
    process.stdout.off('error', leaveQuietlyOnClosedPipe)
    stop()
  }
}

/** A reader such as `head` may leave early: that is no failure of ours. */
function leaveQuietlyOnClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
  process.exit(0)
}

function onInterrupt(): () => void {
  const interrupted = () => {
    process.stderr.write(
      'Interrupted. Run the same command again: what was half done is completed or undone first.\n',
    )
    process.exit(INTERRUPTED)
  }
  process.once('SIGINT', interrupted)
  process.once('SIGTERM', interrupted)
  return () => {
    process.off('SIGINT', interrupted)
    process.off('SIGTERM', interrupted)
  }
}
