import {readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {inventoryConfigMaps} from '../../../src/cluster/inventory/inventory-config-maps.js'
import type {Inventory} from '../../../src/cluster/inventory/inventory.js'
import {asObject, asText} from '../../../src/yaml/json-value.js'
import type {TestCluster} from '../../cluster/api-server.js'
import {accepted, type Kube} from '../../cluster/kube.js'
import {RBAC} from './install-paths.js'

/** The namespace of the tenant. */
export const TENANT = 'team-a'
/** An inventory of an install that nobody made. */
export const forgery = (name: string, identity: string, more: Partial<Inventory> = {}): Inventory => ({
  install: {
    namespace: TENANT,
    name,
    era: 'packages',
    scope: 'Cluster',
    mode: 'requested',
    for: {},
    package: {identity, tag: 'v1.0.0', version: 'v1.0.0', summaryHash: '0'.repeat(64)},
  },
  phase: 'complete',
  toolVersion: '1',
  objects: [
    {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      name: 'caches.demo.example.org',
    },
  ],
  ...more,
})

/** Changes fields of the install in an inventory. */
export const installWith =
  (more: () => Partial<Inventory['install']>) =>
  (inventory: Inventory): Inventory => ({...inventory, install: {...inventory.install, ...more()}})

/** Writes an inventory that nobody made, as a user who may write ConfigMaps. */
export async function forge(tenant: Kube, name: string, identity: string): Promise<void> {
  for (const map of inventoryConfigMaps(forgery(name, identity))) accepted(await tenant.create({...map}))
}

/** Runs a step so often, up to 25 at the same time. */
export async function inParallel(count: number, step: (at: number) => Promise<unknown>): Promise<void> {
  for (let at = 0; at < count; at += 25)
    await Promise.all(Array.from({length: 25}, (_, next) => step(at + next)))
}

/** Creates a service account that may only write ConfigMaps and requests in its namespace; returns its token. */
export async function createTenant(kube: Kube): Promise<string> {
  const metadata = {namespace: TENANT, name: 'tenant'}
  const create = async (object: Parameters<Kube['create']>[0]) => accepted(await kube.create(object))
  await create({apiVersion: 'v1', kind: 'Namespace', metadata: {name: TENANT}})
  await create({apiVersion: 'v1', kind: 'ServiceAccount', metadata})
  const rules = [
    {apiGroups: [''], resources: ['configmaps'], verbs: ['*']},
    {
      apiGroups: ['packages.crossplane.io'],
      resources: ['packageinstalls', 'clusterpackageinstalls'],
      verbs: ['*'],
    },
  ]
  await create({apiVersion: RBAC, kind: 'Role', metadata, rules})
  const roleRef = {apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'tenant'}
  await create({
    apiVersion: RBAC,
    kind: 'RoleBinding',
    metadata,
    roleRef,
    subjects: [{kind: 'ServiceAccount', ...metadata}],
  })
  return await tenantToken(kube)
}

/** Requests a token of that service account. */
export async function tenantToken(kube: Kube): Promise<string> {
  const path = `/api/v1/namespaces/${TENANT}/serviceaccounts/tenant/token`
  const answer = accepted(
    await kube.send('POST', path, {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: {},
    }),
  )
  return asText(asObject(answer.status).token)
}

/** Writes a kubeconfig for the token of a tenant; returns its path. */
export function tenantKubeconfig({kubeconfig, folder}: TestCluster, token: string): string {
  const config = JSON.parse(readFileSync(kubeconfig, 'utf8')) as {readonly users: readonly object[]}
  const users = config.users.map(user => ({...user, user: {token}}))
  const path = join(folder, 'tenant.kubeconfig')
  writeFileSync(path, JSON.stringify({...config, users}))
  return path
}
