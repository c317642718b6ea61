import type {Interfaces} from '@oclif/core'
import {CrossplaneError} from '../../errors.js'
import {quoted} from '../../text.js'
import {offWord} from './boolean-words.js'

type Flags = Interfaces.FlagInput
type Variables = Readonly<Record<string, string | undefined>>

/** The values of variables that oclif takes as true, and those that are documented as false. */
const TRUE = ['1', 'true', 'y', 'yes']
const FALSE = ['0', 'false', 'n', 'no']

/**
 * Returns the flags of a command so that oclif parses the words of `settleBooleans`: a boolean flag that is off has the
 * value of one that is absent, whatever its environment variable is. Throws `usage` for a variable that is neither true nor
 * false: `CROSSPLANE_OFFLINE=on` must not go online.
 */
export function withOffBooleans(flags: Flags, off: ReadonlySet<string>, env: Variables): Flags {
  return Object.fromEntries(
    Object.entries(flags).map(([name, flag]) => {
      if (flag.type !== 'boolean') return [name, flag]
      if (off.has(name)) return [name, offFlag(name, flag)]
      return [name, isOn(flag.env, env) ? flag : {...flag, env: undefined}]
    }),
  )
}

/** The word is an alias, because oclif reads no values of boolean flags. */
function offFlag(name: string, flag: Flags[string]): Flags[string] {
  const aliases = [...(flag.aliases ?? []), offWord(name).slice('--'.length)]
  const value = flag.default === undefined ? undefined : false
  return {...flag, aliases, env: undefined, parse: () => Promise.resolve(value)}
}

function isOn(variable: string | undefined, env: Variables): boolean {
  const value = (variable === undefined ? '' : (env[variable] ?? '')).toLowerCase()
  if (variable === undefined || TRUE.includes(value)) return true
  if (value === '' || FALSE.includes(value)) return false
  throw new CrossplaneError(
    'usage',
    `invalid value ${quoted(env[variable] ?? '')} of ${variable}: not a boolean`,
    {suggestions: [`Set ${variable} to true or false.`]},
  )
}
