import {asObject, asText, type JsonObject} from '../../src/yaml/json-value.js'
import {accepted, type Kube} from './kube.js'

const RBAC = 'rbac.authorization.k8s.io/v1'

/** Creates a user who has only these rights, in a namespace that exists; returns the token. */
export async function tenantOf(kube: Kube, namespace: string, rules: readonly JsonObject[]): Promise<string> {
  const metadata = {namespace, name: 'tenant'}
  const objects: readonly JsonObject[] = [
    {apiVersion: 'v1', kind: 'ServiceAccount'},
    {apiVersion: RBAC, kind: 'Role', rules},
    {
      ...{apiVersion: RBAC, kind: 'RoleBinding', subjects: [{kind: 'ServiceAccount', ...metadata}]},
      roleRef: {apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'tenant'},
    },
  ]
  for (const object of objects) accepted(await kube.create({...object, metadata}))
  const path = `/api/v1/namespaces/${namespace}/serviceaccounts/tenant/token`
  const request = {apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {}}
  return asText(asObject(accepted(await kube.send('POST', path, request)).status).token)
}
