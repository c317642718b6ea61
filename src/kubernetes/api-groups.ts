import {BUILTIN_GROUPS} from './builtin-kinds.js'

/** Reports whether API servers define the group's resources themselves; '' is the core group. */
export function isBuiltinGroup(group: string): boolean {
  return BUILTIN_GROUPS.includes(group)
}

/**
 * Reports whether packages have no permissions in a group by default: groups without a dot, such as the core group, and
 * groups that end in `k8s.io`. These are the built-in groups and those of the Kubernetes community.
 */
export function isReservedGroup(group: string): boolean {
  return !group.includes('.') || group.endsWith('k8s.io')
}

/**
 * Reports whether CRDs of the group need an approval of the Kubernetes community. See
 * https://github.com/kubernetes/enhancements/pull/1111.
 */
export function needsApproval(group: string): boolean {
  return /(?:^|\.)(?:k8s|kubernetes)\.io$/.test(group)
}
