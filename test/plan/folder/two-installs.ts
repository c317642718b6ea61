import type {InstallId, InstallSet, KubernetesObject, SetObject} from '../../../src/render/install-set.js'

export const gcp: InstallId = {namespace: 'crossplane-system', name: 'gcp'}
export const blog: InstallId = {namespace: 'app', name: 'blog'}

export function objectOf(
  apiVersion: string,
  kind: string,
  name: string,
  namespace?: string,
): KubernetesObject {
  return {apiVersion, kind, metadata: {name, ...(namespace !== undefined && {namespace})}}
}

export function setOf(objects: readonly SetObject[]): InstallSet {
  return {installs: [], objects, warnings: []}
}

/** A set in which one install needs another, with something of every phase. */
export function twoInstalls(version: string): InstallSet {
  const rbac = 'rbac.authorization.k8s.io/v1'
  const role = (persona: string) => `p:crossplane-system:gcp:${version}:${persona}`
  return setOf([
    {phase: 'namespaces', object: objectOf('v1', 'Namespace', 'crossplane-system')},
    {phase: 'namespaces', object: objectOf('v1', 'Namespace', 'app')},
    {phase: 'crds', object: crd('storage.example.org', 'buckets', 'Bucket')},
    {phase: 'identity', object: objectOf(rbac, 'ClusterRole', 'crossplane-admin')},
    {phase: 'identity', install: gcp, object: objectOf('v1', 'ServiceAccount', 'gcp', gcp.namespace)},
    {
      phase: 'identity',
      install: gcp,
      fileName: 'clusterrole-system',
      object: objectOf(rbac, 'ClusterRole', role('system')),
    },
    {
      phase: 'identity',
      install: gcp,
      fileName: 'clusterrole-admin',
      object: objectOf(rbac, 'ClusterRole', role('admin')),
    },
    {phase: 'identity', install: blog, object: objectOf('v1', 'ServiceAccount', 'blog', blog.namespace)},
    {phase: 'records', install: gcp, object: objectOf('example.org/v1', 'Record', 'gcp', gcp.namespace)},
    {phase: 'records', install: blog, object: objectOf('example.org/v1', 'Record', 'blog', blog.namespace)},
    {
      phase: 'controllers',
      install: gcp,
      object: objectOf('apps/v1', 'Deployment', 'gcp-controller', gcp.namespace),
    },
  ])
}

function crd(group: string, plural: string, kind: string): KubernetesObject {
  return {
    ...objectOf('apiextensions.k8s.io/v1', 'CustomResourceDefinition', `${plural}.${group}`),
    spec: {
      group,
      scope: 'Cluster',
      names: {kind, plural},
      versions: [{name: 'v1', served: true, storage: true, schema: {openAPIV3Schema: {type: 'object'}}}],
    },
  }
}
