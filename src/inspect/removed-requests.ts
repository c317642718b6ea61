import {type Lock, type LockedXpkg, lockedName} from '../declaration/lock.js'

/**
 * Returns the commands that delete what a commit no longer requests, dependents first: Crossplane creates a request again
 * that a package requires.
 */
export function removedRequests(before: Lock | undefined, after: Lock): readonly string[] {
  const left = new Set((after.xpkgs ?? []).map(({repository}) => repository))
  // What moves is deleted by the move, once nothing needs it.
  const moving = new Set((after.moving ?? []).map(({from}) => from))
  const removed = (before?.xpkgs ?? []).filter(
    xpkg => !left.has(xpkg.repository) && !moving.has(lockedName(xpkg)),
  )
  return dependentsFirst(removed).map(
    xpkg => `kubectl delete ${xpkg.kind.toLowerCase()}.pkg.crossplane.io ${lockedName(xpkg)}`,
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
