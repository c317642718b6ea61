import {type Lock, type LockedXpkg, lockedName} from '../declaration/lock.js'
import {requestName} from '../reference/named.js'
import {shellWord} from '../text.js'

/**
 * Returns the commands that uninstall what a commit no longer requests, dependents first: none removes a package that another one
 * requires. In a cluster, the requests are those of Flux or Argo CD.
 */
export function removedRequests(before: Lock | undefined, after: Lock): readonly string[] {
  const left = new Set((after.xpkgs ?? []).map(({repository}) => repository))
  // What moves is deleted by the move, once nothing needs it.
  const moving = new Set((after.moving ?? []).map(({from}) => from))
  const removed = (before?.xpkgs ?? []).filter(
    xpkg => !left.has(xpkg.repository) && !moving.has(lockedName(xpkg)),
  )
  return dependentsFirst(removed).map(
    xpkg =>
      `kubectl crossplane package uninstall ${shellWord(requestName({kind: xpkg.kind, name: lockedName(xpkg)}))} --adopt`,
  )
}

function dependentsFirst(xpkgs: readonly LockedXpkg[]): readonly LockedXpkg[] {
  const sorted: LockedXpkg[] = []
  const rest = [...xpkgs]
  while (rest.length > 0) {
    const isRequired = ({repository}: LockedXpkg) =>
      rest.some(other => other.repository !== repository && other.requires[repository] !== undefined)
    // In a cycle, any can be the first one.
    const next = Math.max(
      0,
      rest.findIndex(xpkg => !isRequired(xpkg)),
    )
    sorted.push(...rest.splice(next, 1))
  }
  return sorted
}
