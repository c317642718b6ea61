import {CrossplaneError} from '../errors.js'
import {fullForm, type Nameable, nearNames} from '../reference/named.js'
import {listNames, quoted} from '../text.js'

/** Returns the error for a name that no package of a resolution has. */
export function notSelected(text: string, names: readonly Nameable[]): CrossplaneError {
  const near = nearNames({text}, names)
  const all = names.length === 0 ? [] : [`Use one of ${listNames(names.map(fullForm))}.`]
  return new CrossplaneError('not-found', `${quoted(text)} not found in the resolution`, {
    suggestions: near.length === 0 ? all : near,
  })
}
