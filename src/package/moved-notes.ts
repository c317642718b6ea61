import type {LockChanges} from '../declaration/lock-changes.js'
import type {Diagnostic} from '../diagnostic.js'

/** Notes for packages that changed though they were not unlocked. */
export function movedNotes(
  upgraded: readonly string[],
  {packages}: Pick<LockChanges, 'packages'>,
): Diagnostic[] {
  if (upgraded.length === 0) return []
  const others = packages.filter(
    change => !upgraded.includes(change.package) && change.old !== undefined && change.old !== change.new,
  )
  return others.map(({package: name, old = '', new: next}) => ({
    severity: 'note' as const,
    rule: 'moved-too',
    message:
      next === undefined
        ? `${name}:${old} is no longer required`
        : `${name} changed from ${old} to ${next}, which the upgrade requires`,
  }))
}
