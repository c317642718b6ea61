import type {JsonObject} from '../../../src/yaml/json-value.js'
import type {TestCluster} from '../../cluster/api-server.js'
import {accepted} from '../../cluster/kube.js'

const GROUP = 'rbac.authorization.k8s.io'

/** Allows a user to get and list resources of all namespaces, and nothing else. */
export async function allow(
  {kube}: TestCluster,
  user: string,
  resources: readonly JsonObject[],
): Promise<void> {
  const metadata = {name: user}
  const apiVersion = `${GROUP}/v1`
  const rules = resources.map(each => ({...each, verbs: ['get', 'list']}))
  accepted(await kube.create({apiVersion, kind: 'ClusterRole', metadata, rules}))
  const roleRef = {apiGroup: GROUP, kind: 'ClusterRole', name: user}
  const subjects = [{apiGroup: GROUP, kind: 'User', name: user}]
  accepted(await kube.create({apiVersion, kind: 'ClusterRoleBinding', metadata, roleRef, subjects}))
}
