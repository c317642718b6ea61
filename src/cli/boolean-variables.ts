import {CrossplaneError} from '../errors.js'
import {quoted} from '../text.js'

/** Environment variables of boolean flags. */
const BOOLEAN_VARIABLES = ['CROSSPLANE_OFFLINE']

/** The values that oclif recognizes; it takes every other one as false. */
const VALUES = ['1', 'true', 'y', 'yes', '0', 'false', 'n', 'no', '']

/** Throws `usage` for a variable that is neither true nor false: `CROSSPLANE_OFFLINE=on` must not go online. */
export function expectBooleanVariables(env: Readonly<Record<string, string | undefined>>): void {
  for (const name of BOOLEAN_VARIABLES) {
    const value = env[name] ?? ''
    if (VALUES.includes(value.toLowerCase())) continue
    throw new CrossplaneError('usage', `invalid value ${quoted(value)} of ${name}: not a boolean`, {
      suggestions: [`Set ${name} to true or false.`],
    })
  }
}
