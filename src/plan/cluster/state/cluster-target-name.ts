/** The target of operations that change a cluster. */
export const CLUSTER_TARGET = 'cluster'
