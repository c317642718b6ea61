import {CrossplaneError} from '../errors.js'
import {fullForm, type Nameable, nearNames} from '../reference/named.js'
import {listNames} from '../text.js'

/** Returns the error for a name of none of the packages that a request leads to. */
export function notSelected(text: string, names: readonly Nameable[]): CrossplaneError {
  const near = nearNames({text}, names)
  const all = names.length === 0 ? [] : [`Use one of ${listNames(names.map(fullForm))}.`]
  return new CrossplaneError('not-found', `${text} is not part of what would be installed`, {
    suggestions: near.length === 0 ? all : near,
  })
}
