import type {Interfaces} from '@oclif/core'
import {CrossplaneError} from '../../../errors.js'
import {quoted} from '../../../text.js'
import {isWritten} from '../named-variables.js'
import {offWord, type SettledWords} from './boolean-words.js'

type Flags = Interfaces.FlagInput
type Variables = Readonly<Record<string, string | undefined>>

/** The values of variables that oclif takes as true, and those that are documented as false. */
const TRUE = ['1', 'true', 'y', 'yes']
const FALSE = ['0', 'false', 'n', 'no']

/**
 * Returns the flags of a command so that oclif parses the words of `settleBooleans`. A boolean flag that is off has the
 * value of one that is absent, whatever its environment variable is. A value from a variable is a default, so that it
 * requires no other flag. Throws `usage` for a variable that is neither true nor false: `CROSSPLANE_OFFLINE=on` must not go
 * online; and for an empty path, as of a shell variable that is not set: it would be ignored, or be an unnamed file.
 */
export function flagsToParse(flags: Flags, {words, off}: SettledWords, env: Variables): Flags {
  return Object.fromEntries(
    Object.entries(flags).map(([name, flag]) => {
      expectValue(name, flag, words)
      if (off.has(name)) return [name, offFlag(name, flag)]
      if (flag.env === undefined || isWritten(words, name, flag)) return [name, flag]
      const isSet = flag.type !== 'boolean' || isOn(flag.env, env)
      return [name, {...flag, env: isSet ? flag.env : undefined, dependsOn: undefined}]
    }),
  )
}

/** How help shows the values of flags that name files and folders. */
const PATH_VALUE = /^(?:FILE|DIR|PATH|URL\|DIR|ROOT\|FILE)$/
/** As for kubectl, no kubeconfig is the default one; the cache has a message of its own. */
const MAY_BE_EMPTY = ['kubeconfig', 'cache-dir']

function expectValue(name: string, flag: Flags[string], words: readonly string[]): void {
  if (flag.type !== 'option' || MAY_BE_EMPTY.includes(name)) return
  if (!PATH_VALUE.test(flag.helpValue?.toString() ?? '')) return
  const names = [`--${name}`, ...(flag.char === undefined ? [] : [`-${flag.char}`])]
  const end = words.indexOf('--')
  const isEmpty = (end === -1 ? words : words.slice(0, end)).some(
    (word, at) =>
      names.some(own => word === `${own}=`) || (word === '' && names.includes(words[at - 1] ?? '')),
  )
  if (isEmpty) throw new CrossplaneError('usage', `missing value of --${name}`)
}

/** The word is an alias, because oclif reads no values of boolean flags. */
function offFlag(name: string, flag: Flags[string]): Flags[string] {
  const aliases = [...(flag.aliases ?? []), offWord(name).slice('--'.length)]
  const value = flag.default === undefined ? undefined : false
  return {...flag, aliases, env: undefined, parse: () => Promise.resolve(value)}
}

function isOn(variable: string, env: Variables): boolean {
  const value = (env[variable] ?? '').toLowerCase()
  if (TRUE.includes(value)) return true
  if (value === '' || FALSE.includes(value)) return false
  throw new CrossplaneError(
    'usage',
    `invalid value ${quoted(env[variable] ?? '')} of ${variable}: not a boolean`,
    {suggestions: [`Set ${variable} to true or false.`]},
  )
}
