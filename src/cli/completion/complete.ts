import type {CommandModel} from '../../completion/command-model.js'
import {complete} from '../../completion/complete.js'
import {formatCompletion} from '../../completion/completion.js'
import {knownNames} from './known-names.js'

/**
 * Prints what completes the last of the words that follow `kubectl crossplane`, as cobra's `__complete` does, and
 * returns the exit status. It is a front door of its own, as it runs at every press of a key: it loads neither oclif
 * nor a command. Nothing is printed on standard error, which shells show in the prompt.
 */
export async function printCompletion(words: readonly string[], model: CommandModel): Promise<number> {
  // A shell that is no longer interested closes the pipe.
  process.stdout.on('error', () => undefined)
  process.stdout.write(formatCompletion(await complete(words, model, knownNames())))
  return 0
}
