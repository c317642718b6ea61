import type {Interfaces} from '@oclif/core'
import {run} from '@oclif/core/run'
import {expectBooleanVariables} from './boolean-variables.js'
import {endOnEvents} from './process-events.js'
import {reportFailure} from './report-failure.js'

/**
 * Runs one command line and returns its exit status. `load` is the entry's `import.meta.url`, from which oclif finds
 * package.json and the commands, or load options of its own.
 */
export async function main(argv: readonly string[], load: Interfaces.LoadOptions): Promise<number> {
  const stop = endOnEvents(argv)
  try {
    expectBooleanVariables(process.env)
    await run([...argv], load)
    return 0
  } catch (error) {
    return await reportFailure(error, argv)
  } finally {
    stop()
  }
}
