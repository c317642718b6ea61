/** The pull policies of Kubernetes. */
export const PULL_POLICIES = ['Always', 'IfNotPresent', 'Never'] as const
export type PullPolicy = (typeof PULL_POLICIES)[number]
