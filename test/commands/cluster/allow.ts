import {asObject} from '../../../src/yaml/json-value.js'
import type {TestCluster} from '../../cluster/api-server.js'
import {accepted, until} from '../../cluster/kube.js'

const GROUP = 'rbac.authorization.k8s.io'

interface Rule {
  readonly apiGroups: readonly string[]
  readonly resources: readonly string[]
}

/** Allows a user to get and list resources of all namespaces, and nothing else. */
export async function allow({kube}: TestCluster, user: string, resources: readonly Rule[]): Promise<void> {
  const metadata = {name: user}
  const apiVersion = `${GROUP}/v1`
  const rules = resources.map(each => ({...each, verbs: ['get', 'list']}))
  accepted(await kube.create({apiVersion, kind: 'ClusterRole', metadata, rules}))
  const roleRef = {apiGroup: GROUP, kind: 'ClusterRole', name: user}
  const subjects = [{apiGroup: GROUP, kind: 'User', name: user}]
  accepted(await kube.create({apiVersion, kind: 'ClusterRoleBinding', metadata, roleRef, subjects}))
  // The server decides by a cache that follows its storage a moment later.
  for (const {
    apiGroups: [group = ''],
    resources: [resource = ''],
  } of resources) {
    const resourceAttributes = {group, resource, verb: 'list'}
    await until(
      () =>
        kube.create({
          apiVersion: 'authorization.k8s.io/v1',
          kind: 'SubjectAccessReview',
          spec: {user, resourceAttributes},
        }),
      answer => asObject(asObject(accepted(answer)).status).allowed === true,
    )
  }
}
