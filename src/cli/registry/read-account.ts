import {CrossplaneError} from '../../errors.js'
import {shellWord} from '../../text.js'
import {readStream} from '../wire.js'
import {promptLine, type Terminal} from './prompt-line.js'

/** Longer than any token of a registry. */
const MAX_BYTES = 64 * 1024

/** The flags of `registry login` about the account. */
export interface AccountFlagValues {
  readonly username?: string
  readonly password?: string
  readonly 'password-stdin': boolean
}

/**
 * Reads user name and password: from flags and standard input, or by prompts on a terminal. Throws `usage` for a password
 * on the command line, which the shell's history and the list of processes show, and without a terminal to prompt on.
 */
export async function readAccount(
  {username, password, 'password-stdin': fromStdin}: AccountFlagValues,
  registry: string,
  input: Terminal,
  output: {write(text: string): unknown},
): Promise<{readonly username: string; readonly password: string}> {
  const pipe = piping(registry, username)
  const usageError = (message: string) => new CrossplaneError('usage', message, {suggestions: [pipe]})
  if (password !== undefined) {
    throw new CrossplaneError(
      'usage',
      '--password is not supported: the shell history and the list of processes would show the password',
      {suggestions: [pipe, 'Or omit the flag, and enter the password at the prompt.']},
    )
  }
  const isTerminal = input.isTTY === true
  if (fromStdin) {
    if (username === undefined) throw usageError('--password-stdin requires --username')
    if (isTerminal) throw usageError('--password-stdin requires a password on standard input, not a terminal')
    return {username, password: await passwordIn(input, usageError)}
  }
  if (!isTerminal) throw usageError('cannot prompt for the password without a terminal')
  const name = username ?? (await promptLine('Username: ', true, input, output))
  const entered = await promptLine('Password: ', false, input, output)
  if (entered === '') throw usageError('the password is empty')
  return {username: name, password: entered}
}

/** Removes one line break at the end, which `echo` adds. */
async function passwordIn(
  input: AsyncIterable<unknown>,
  usageError: (message: string) => CrossplaneError,
): Promise<string> {
  const bytes = await readStream(input, 'standard input', MAX_BYTES).catch((error: unknown) => {
    throw error instanceof CrossplaneError ? usageError(error.message) : error
  })
  const password = Buffer.from(bytes)
    .toString()
    .replace(/\r?\n$/, '')
  if (password === '') throw usageError('the password on standard input is empty')
  return password
}

function piping(registry: string, username = 'NAME'): string {
  return `Pipe the password: pass show registry | kubectl crossplane registry login ${shellWord(registry)} --username ${shellWord(username)} --password-stdin`
}
