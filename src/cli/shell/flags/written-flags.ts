import type {Interfaces} from '@oclif/core'

/** The names of the flags on a command line; others have defaults or come from the environment. */
export function writtenFlags(raw: Interfaces.ParserOutput['raw']): ReadonlySet<string> {
  return new Set(raw.flatMap(token => (token.type === 'flag' ? [token.flag] : [])))
}
