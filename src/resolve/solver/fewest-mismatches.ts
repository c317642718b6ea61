/**
 * The first set, by size and then in the order of their sorted members, that has a member of each of the cores; none if
 * one of these is empty. Whatever leaves out a whole core was shown to have no answer: so if this set has one, no
 * smaller set has. `spend` is called for each set that is begun and may throw.
 */
export function firstHittingSet(
  cores: readonly ReadonlySet<string>[],
  spend: () => void,
): ReadonlySet<string> | undefined {
  const members = [...new Set(cores.flatMap(core => [...core]))].sort()
  for (let size = 0; size <= members.length; size += 1) {
    const found = hittingSet([], 0, {cores, members, size, spend})
    if (found !== undefined) return new Set(found)
  }
  return undefined
}

interface SolveRun {
  readonly cores: readonly ReadonlySet<string>[]
  readonly members: readonly string[]
  readonly size: number
  readonly spend: () => void
}

function hittingSet(begun: readonly string[], from: number, run: SolveRun): readonly string[] | undefined {
  const {cores, members, size, spend} = run
  spend()
  const open = cores.filter(core => !begun.some(member => core.has(member)))
  if (open.length === 0) return begun.length === size ? begun : undefined
  if (begun.length === size) return undefined
  // Members are taken in order, so a core whose members all lie behind can no longer be hit.
  const last = Math.min(...open.map(core => members.findLastIndex(member => core.has(member))))
  for (let index = from; index <= last; index += 1) {
    const member = members[index]
    const found = member === undefined ? undefined : hittingSet([...begun, member], index + 1, run)
    if (found !== undefined) return found
  }
  return undefined
}
