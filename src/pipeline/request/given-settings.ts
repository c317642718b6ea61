import type {Declaration} from '../../declaration/declaration.js'
import {CrossplaneError} from '../../errors.js'

/** A declaration that has been read. */
export interface ReadDeclaration {
  /** Its path as the command line has it; `-` is standard input. */
  readonly path: string
  /** Its name for messages. */
  readonly name: string
  readonly content: Declaration
  /** The bytes of the file, for lines in messages. */
  readonly bytes?: Uint8Array
  /** Whether its entries are in files of their own. */
  readonly isSplit?: boolean
}

/**
 * Returns the error for a setting that a flag and a field of a declaration have with other values: a declaration that sets how
 * it is rendered has one result.
 */
export function flagAndField(flag: string, field: string, {name}: ReadDeclaration): CrossplaneError {
  return new CrossplaneError(
    'usage',
    `${flag} and ${field} in ${name} are mutually exclusive: they have different values`,
    {
      suggestions: [`Leave out ${flag}, or edit ${field} in ${name}.`],
    },
  )
}
