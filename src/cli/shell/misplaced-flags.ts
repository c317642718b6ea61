import {CrossplaneError} from '../../errors.js'
import {commandLine, quoted} from '../../text.js'
import {helpCommand, idIn, type KnownCommands} from './known-commands.js'

/**
 * Throws `usage` for a command line whose flags stand before its command, or that has flags and no command: kubectl accepts them
 * there, and what is ignored would pass for success.
 */
export function expectFlagsLast(argv: readonly string[], commands: KnownCommands): void {
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length
  const start = argv.slice(0, end).findIndex(word => word.startsWith('-'))
  if (start === -1) return
  const [noun, words] = [argv.slice(0, start), argv.slice(start, end)]
  const flag = words[0]?.replace(/=.*/s, '') ?? ''
  const command = commandAfter(noun, words, commands.ids)
  const id = command?.id ?? noun
  if (!hasFlag(flag, id, commands)) throw misplaced(`unknown flag ${quoted(flag)}`, helpCommand(id, commands))
  if (command === undefined) throw misplaced('missing command', helpCommand(noun, commands))
  const {flags, after} = command
  throw misplaced('flags follow the command', commandLine([...id, ...flags, ...after, ...argv.slice(end)]))
}

function misplaced(message: string, suggestion: string): CrossplaneError {
  return new CrossplaneError('usage', message, {suggestions: [suggestion]})
}

/** The command that the words after flags name, those flags, and what follows it. */
function commandAfter(noun: readonly string[], words: readonly string[], ids: readonly string[]) {
  for (let at = 1; at < words.length; at += 1) {
    const id = idIn([...noun, ...words.slice(at)], ids)
    if (!ids.includes(id.join(' '))) continue
    // `package:list` is one word.
    let after = at
    for (let length = noun.length; length < id.length; after += 1)
      length += words[after]?.split(':').length ?? 1
    return {id, flags: words.slice(0, at), after: words.slice(after)}
  }
  return undefined
}

/** Whether a command, or any command of a noun, has a flag. */
function hasFlag(flag: string, id: readonly string[], {ids, flagsOf}: KnownCommands): boolean {
  const text = id.join(' ')
  const own = ids.includes(text) ? [text] : ids.filter(one => text === '' || one.startsWith(`${text} `))
  return own
    .flatMap(one => Object.entries(flagsOf(one)))
    .some(([name, {char}]) => flag === `--${name}` || (char !== undefined && flag === `-${char}`))
}
