import type {TestCluster} from '../../cluster/api-server.js'
import {accepted} from '../../cluster/kube.js'

const GROUP = 'rbac.authorization.k8s.io'

const bindingOf = (namespace: string) => ({
  apiVersion: `${GROUP}/v1`,
  kind: 'ClusterRoleBinding',
  metadata: {name: `manager-in-${namespace}`},
})

/** Lets the service accounts of a namespace do everything, as installing an original package manager does. */
export async function grantManager({kube}: TestCluster, namespace: string): Promise<void> {
  accepted(
    await kube.create({
      ...bindingOf(namespace),
      roleRef: {apiGroup: GROUP, kind: 'ClusterRole', name: 'cluster-admin'},
      subjects: [{apiGroup: GROUP, kind: 'Group', name: `system:serviceaccounts:${namespace}`}],
    }),
  )
}

export async function revokeManager({kube}: TestCluster, namespace: string): Promise<void> {
  accepted(await kube.delete(bindingOf(namespace)))
}
