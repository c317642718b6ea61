import type {TestCluster} from '../../cluster/api-server.js'
import {accepted} from '../../cluster/kube.js'

/** Lets the service accounts of a namespace do everything, as installing an original package manager does. */
export async function grantManager({kube}: TestCluster, namespace: string): Promise<void> {
  const group = 'rbac.authorization.k8s.io'
  accepted(
    await kube.create({
      apiVersion: `${group}/v1`,
      kind: 'ClusterRoleBinding',
      metadata: {name: `manager-in-${namespace}`},
      roleRef: {apiGroup: group, kind: 'ClusterRole', name: 'cluster-admin'},
      subjects: [{apiGroup: group, kind: 'Group', name: `system:serviceaccounts:${namespace}`}],
    }),
  )
}
