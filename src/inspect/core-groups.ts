import {ERAS} from '../render/era.js'

/** Groups whose kinds came with Crossplane itself, by the names of v0.9 to v0.12. */
const CORE_GROUPS: readonly string[] = [
  'apiextensions.crossplane.io',
  'cache.crossplane.io',
  'compute.crossplane.io',
  'core.oam.dev',
  'database.crossplane.io',
  'kubernetes.crossplane.io',
  'storage.crossplane.io',
  'workload.crossplane.io',
  ...Object.values(ERAS).map(era => era.group),
]

/** Half of all packages ask for kinds of this group, and none was ever defined. */
const EMPTY_GROUP = 'core.crossplane.io'

/** Where the kinds of a group come from, as far as that is known without asking anybody. */
export type GroupOrigin = 'crossplane' | 'never-existed'

export function groupOrigin(group: string): GroupOrigin | undefined {
  if (group === EMPTY_GROUP) return 'never-existed'
  return CORE_GROUPS.includes(group) ? 'crossplane' : undefined
}
