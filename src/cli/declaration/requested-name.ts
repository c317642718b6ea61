import {readFileSync} from 'node:fs'
import {lockedNames} from '../../declaration/lock.js'
import {readLock} from '../../declaration/read-lock.js'
import {CrossplaneError, withoutSuggestions, withSuggestions} from '../../errors.js'
import {formatImageName, parseImageName} from '../../reference/image-name.js'
import {type Nameable, namedToRead} from '../../reference/named.js'
import {escaped} from '../../text.js'
import {lockPath} from './lock-query.js'
import {nearestDeclaration} from '../sources/default-declaration.js'

/**
 * Adds the package that was probably meant to the error for a name without a repository: that of the request with this name in the lock of
 * the working folder.
 */
export function withRequestedNames(error: unknown, texts: readonly (string | undefined)[]): unknown {
  if (!(error instanceof CrossplaneError)) return error
  const packages = texts.flatMap(text => (text === undefined ? [] : requestedPackage(text)))
  const advice = [...new Set(packages)].map(name => `Did you mean ${escaped(name)}?`)
  return advice.length === 0
    ? error
    : withSuggestions(withoutSuggestions(error), [...advice, ...error.suggestions])
}

function requestedPackage(text: string): string[] {
  const {registry, path, tag, digest} = parseImageName(text) ?? {path: '/'}
  if (registry !== undefined || path.includes('/')) return []
  const [one] = namesHere(path)
  const name = one && parseImageName(one.repository)
  return name === undefined ? [] : [formatImageName({...name, ...{tag, digest}})]
}

/** A lock that cannot be read, or that has the name twice, is no help. */
function namesHere(text: string): readonly Nameable[] {
  try {
    const declaration = nearestDeclaration(process.cwd())
    if (declaration === undefined) return []
    const file = lockPath({declaration})
    const names = lockedNames(readLock(file, readFileSync(file)))
    return namedToRead({text, action: 'find'}, names)
  } catch {
    return []
  }
}
