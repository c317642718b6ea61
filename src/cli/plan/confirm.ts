import {CrossplaneError} from '../../errors.js'
import {promptLine} from '../registry/prompt-line.js'

/** Prompts with a question that is answered with y or yes. Throws `usage` without a terminal. */
export async function confirm(question: string): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    throw new CrossplaneError('usage', 'cannot prompt for confirmation without a terminal', {
      suggestions: ['Review the plan with --dry-run=client, then pass --yes.'],
    })
  }
  const answer = await promptLine(`${question} [y/N] `, true, process.stdin, process.stderr)
  return /^y(?:es)?$/i.test(answer.trim())
}
