import {lockedNames} from '../declaration/lock.js'
import {formatImageName, parseImageName} from '../reference/image-name.js'
import {nameFromSource} from '../reference/image-source.js'
import {namedIn} from '../reference/named.js'
import type {HeldLock} from '../resolve/lock/held-lock.js'
import type {FormatName} from '../locate/expect-format.js'

/** A lock for the packages of each format: only the upgrades of their own. */
type LockParts = Readonly<Record<FormatName, HeldLock>>

/** Divides the packages to upgrade by the format in which the lock has them. Names of neither are left to `stack`. */
export function upgradedParts(heldLock: HeldLock, defaultSource: string | undefined): LockParts {
  const {lock, upgraded} = heldLock
  if (upgraded === 'all') return {stack: heldLock, xpkg: heldLock}
  const locked = new Set((lock.xpkgs ?? []).map(({repository}) => repository))
  const names = lockedNames(lock)
  const named = upgraded.map(text => {
    const identity = namedIn({text, action: 'upgrade', defaultSource}, names)[0]?.repository
    return {text: identity ?? text, repository: identity ?? fullName(text, defaultSource)}
  })
  return {
    stack: {
      ...heldLock,
      upgraded: named.flatMap(({text, repository}) => (locked.has(repository) ? [] : [text])),
    },
    xpkg: {...heldLock, upgraded: named.map(({repository}) => repository).filter(name => locked.has(name))},
  }
}

/** Returns the name of a repository with its registry. */
export function fullName(text: string, defaultSource: string | undefined): string {
  const name = parseImageName(text)
  if (name === undefined) return text
  return formatImageName(defaultSource === undefined ? name : nameFromSource(name, defaultSource))
}
