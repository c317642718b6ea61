import {ERAS, type JsonObject, type KubernetesObject} from 'kubectl-crossplane/plugin'

const READ = ['get', 'list', 'watch'] as const
const WRITE = [...READ, 'create', 'patch', 'delete'] as const
const RBAC = 'rbac.authorization.k8s.io'

/** The role of the manager: what installing packages needs, as these create CRDs and give rights to controllers. */
export function managerRole(name: string): KubernetesObject {
  const groups = Object.values(ERAS).map(({group}) => group)
  const rules: readonly JsonObject[] = [
    {apiGroups: groups, resources: ['*'], verbs: [...WRITE, 'update']},
    {apiGroups: ['apiextensions.k8s.io'], resources: ['customresourcedefinitions'], verbs: WRITE},
    {apiGroups: [RBAC], resources: ['clusterrolebindings', 'rolebindings'], verbs: WRITE},
    // Packages get rights over kinds that did not exist when this role was written.
    {apiGroups: [RBAC], resources: ['clusterroles'], verbs: [...WRITE, 'escalate', 'bind']},
    {apiGroups: [''], resources: ['configmaps', 'serviceaccounts'], verbs: WRITE},
    {apiGroups: ['apps'], resources: ['deployments'], verbs: WRITE},
    {apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['get', 'create', 'update', 'delete']},
    {apiGroups: [''], resources: ['events'], verbs: ['get', 'list', 'create', 'patch']},
    {apiGroups: [''], resources: ['namespaces', 'pods', 'resourcequotas'], verbs: READ},
    {apiGroups: [''], resources: ['pods/log'], verbs: ['get']},
    {apiGroups: ['apps'], resources: ['replicasets'], verbs: READ},
    // The original package manager left Jobs.
    {apiGroups: ['batch'], resources: ['jobs'], verbs: ['get', 'list', 'delete']},
    {apiGroups: ['authorization.k8s.io'], resources: ['subjectaccessreviews'], verbs: ['create']},
  ]
  return {apiVersion: `${RBAC}/v1`, kind: 'ClusterRole', metadata: {name}, rules: [...rules]}
}

/** The role for custom resources, which must not lose their controller: the roles of packages add their kinds to it. */
export function instancesRole(name: string): KubernetesObject {
  const clusterRoleSelectors = ['environment-edit', 'namespace-edit'].map(persona => ({
    matchLabels: {[`rbac.crossplane.io/aggregate-to-${persona}`]: 'true'},
  }))
  return {
    apiVersion: `${RBAC}/v1`,
    kind: 'ClusterRole',
    metadata: {name},
    aggregationRule: {clusterRoleSelectors},
    rules: [],
  }
}
