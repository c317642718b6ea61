/**
 * Returns the first set, by size and then in the order of its sorted members, that has a member of each of the cores;
 * undefined if a core is empty. A set without a member of some core is known to give no resolution: so if this set
 * gives one, no smaller set does. Cores without a common member are independent: the union of the first sets of each
 * group of connected cores is the first set of all. `spend` is called for each set that is started and can throw.
 */
export function firstHittingSet(
  cores: readonly ReadonlySet<string>[],
  spend: () => void,
): ReadonlySet<string> | undefined {
  const mismatches = new Set<string>()
  for (const group of connected(cores)) {
    const set = hittingSetOf(group, spend)
    if (set === undefined) return undefined
    for (const member of set) mismatches.add(member)
  }
  return mismatches
}

/** Cores in groups that have no member in common. */
function connected(cores: readonly ReadonlySet<string>[]): ReadonlySet<string>[][] {
  const groups: {members: Set<string>; cores: ReadonlySet<string>[]}[] = []
  for (const core of cores) {
    const touched = groups.filter(({members}) => [...core].some(member => members.has(member)))
    const merged = {
      members: new Set([...touched.flatMap(({members}) => [...members]), ...core]),
      cores: [...touched.flatMap(group => group.cores), core],
    }
    groups.splice(0, groups.length, ...groups.filter(group => !touched.includes(group)), merged)
  }
  return groups.map(group => group.cores)
}

function hittingSetOf(
  cores: readonly ReadonlySet<string>[],
  spend: () => void,
): readonly string[] | undefined {
  const members = [...new Set(cores.flatMap(core => [...core]))].sort()
  for (let size = disjoint(cores); size <= members.length; size += 1) {
    const hitting = hittingSet([], 0, {cores, members, size, spend})
    if (hitting !== undefined) return hitting
  }
  return undefined
}

/** Counts the cores that have no member in common with those counted before: at least as many members are necessary. */
function disjoint(cores: readonly ReadonlySet<string>[]): number {
  const seen = new Set<string>()
  let number = 0
  for (const core of [...cores].sort((a, b) => a.size - b.size)) {
    if ([...core].some(member => seen.has(member))) continue
    for (const member of core) seen.add(member)
    number += 1
  }
  return number
}

interface Enumeration {
  readonly cores: readonly ReadonlySet<string>[]
  readonly members: readonly string[]
  readonly size: number
  readonly spend: () => void
}

function hittingSet(
  begun: readonly string[],
  from: number,
  enumeration: Enumeration,
): readonly string[] | undefined {
  const {cores, members, size, spend} = enumeration
  spend()
  const open = cores.filter(core => !begun.some(member => core.has(member)))
  if (open.length === 0) return begun.length === size ? begun : undefined
  if (begun.length + disjoint(open) > size) return undefined
  // Members are taken in order, so a core whose members all lie behind can no longer be hit.
  const last = Math.min(...open.map(core => members.findLastIndex(member => core.has(member))))
  for (let index = from; index <= last; index += 1) {
    const member = members[index]
    const hitting = member === undefined ? undefined : hittingSet([...begun, member], index + 1, enumeration)
    if (hitting !== undefined) return hitting
  }
  return undefined
}
