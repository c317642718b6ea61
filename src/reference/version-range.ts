import satisfies from 'semver/functions/satisfies.js'
import validRange from 'semver/ranges/valid.js'
import {isStable} from './newest-version.js'

/** Reports whether a tag is a stable semantic version within a semver range such as `^0.10` or `~0.9.1`. */
export function isInRange(tag: string, range: string): boolean {
  return isStable(tag) && satisfies(tag, range)
}

/** Reports whether a text is a semver range. */
export function isRange(text: string): boolean {
  return text.trim() !== '' && validRange(text) !== null
}
