import {inventoryName} from '../../../src/cluster/inventory/inventory-config-maps.js'
import type {JsonObject} from '../../../src/yaml/json-value.js'
import type {TestCluster} from '../../cluster/api-server.js'
import {accepted} from '../../cluster/kube.js'

export const NAMESPACE = 'crossplane-system'
export const GROUP = 'demo.example.org'
export const RBAC = 'rbac.authorization.k8s.io/v1'

export const patch = async ({kube}: TestCluster, path: string, body: JsonObject) => {
  accepted(await kube.send('PATCH', path, body, 'application/merge-patch+json'))
}
export const install = (name: string) => `demo-${name}`
export const within = (path: string) => path.replace('/NS/', `/namespaces/${NAMESPACE}/`)
export const crdPath = (name: string) =>
  `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${name}s.${GROUP}`
export const deploymentPath = (name: string) =>
  within(`/apis/apps/v1/NS/deployments/${install(name)}-controller`)
export const recordPath = (name: string) =>
  within(`/apis/packages.crossplane.io/v1alpha1/NS/packages/${install(name)}`)
export const inventoryPath = (name: string) =>
  within(`/api/v1/NS/configmaps/${inventoryName({namespace: NAMESPACE, name: install(name)})}`)
export const rolePath = (name: string, persona: string, version = 'v1.0.0') =>
  `/apis/${RBAC}/clusterroles/${encodeURIComponent(`package:${NAMESPACE}:${install(name)}:${version}:${persona}`)}`
export const bindingPath = (name: string) => `/apis/${RBAC}/clusterrolebindings/${install(name)}`
export const remove = async ({kube}: TestCluster, path: string) => {
  accepted(await kube.send('DELETE', path))
}
export const podsPath = (name: string) =>
  within(`/api/v1/NS/pods?labelSelector=app%3D${install(name)}-controller`)
export const deletePods = (name: string, cluster: TestCluster) => remove(cluster, podsPath(name))
