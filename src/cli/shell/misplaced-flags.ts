import {CrossplaneError} from '../../errors.js'
import {commandLine, quoted} from '../../text.js'
import {helpCommand, idIn, type KnownCommands} from './known-commands.js'

/**
 * Throws `usage` for a command line whose flags stand before its command, or that has flags and no command: kubectl accepts them
 * there, and what is ignored would pass for success.
 */
export function expectFlagsLast(argv: readonly string[], commands: KnownCommands): void {
  const start = argv.findIndex(word => word.startsWith('-'))
  if (start === -1) return
  const noun = argv.slice(0, start)
  const [flag = ''] = (argv[start] ?? '').split('=')
  const [id, after] = commandAfter(noun, argv.slice(start), commands.ids)
  if (id === undefined) {
    throw new CrossplaneError('usage', `unknown flag ${quoted(flag)}`, {
      suggestions: [helpCommand(noun, commands)],
    })
  }
  const flags = argv.slice(start, argv.length - after.length - (id.length - noun.length))
  if (!hasFlag(flag, id, commands)) {
    throw new CrossplaneError('usage', `unknown flag ${quoted(flag)}`, {
      suggestions: [helpCommand(id, commands)],
    })
  }
  throw new CrossplaneError('usage', 'flags follow the command', {
    suggestions: [commandLine([...id, ...after, ...flags])],
  })
}

/** The words of the command that the words after flags name, and what follows it. */
function commandAfter(
  noun: readonly string[],
  words: readonly string[],
  ids: readonly string[],
): readonly [id: readonly string[] | undefined, after: readonly string[]] {
  for (let at = 1; at < words.length; at += 1) {
    const id = idIn([...noun, ...words.slice(at)], ids)
    if (ids.includes(id.join(' '))) return [id, words.slice(at + id.length - noun.length)]
  }
  return [undefined, []]
}

function hasFlag(flag: string, id: readonly string[], {flagsOf}: KnownCommands): boolean {
  return Object.entries(flagsOf(id.join(' '))).some(
    ([name, {char}]) => flag === `--${name}` || (char !== undefined && flag.startsWith(`-${char}`)),
  )
}
