import {type JsonObject, type KubernetesObject, OWN_MANAGER} from 'kubectl-crossplane/plugin'
import {instancesRole, managerRole} from './manager-role.js'

/** What `manager manifests` prints. */
export interface Manifests {
  readonly image: string
  readonly namespace: string
  /** Further flags of `manager run`. */
  readonly flags: readonly string[]
  /** The namespaces whose Secrets the manager may read, for the pull secrets of their requests. */
  readonly pullSecretsFrom?: readonly string[]
}

const USER = 65_532
const PORT = 8080

/** The objects that run the manager in a cluster, in the order in which they are created. */
export function managerObjects({
  image,
  namespace,
  flags,
  pullSecretsFrom = [],
}: Manifests): readonly KubernetesObject[] {
  const labels = {'app.kubernetes.io/name': OWN_MANAGER}
  const metadata = {name: OWN_MANAGER, namespace, labels}
  const roles = [managerRole(OWN_MANAGER), instancesRole(`${OWN_MANAGER}:instances`)]
  return [
    {apiVersion: 'v1', kind: 'Namespace', metadata: {name: namespace}},
    {apiVersion: 'v1', kind: 'ServiceAccount', metadata},
    ...roles,
    ...roles.map(role => binding(role.metadata.name, namespace)),
    ...[...new Set(pullSecretsFrom)].flatMap(place => secretsAccess(place, namespace)),
    {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata,
      spec: {minAvailable: 1, selector: {matchLabels: labels}},
    },
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata,
      spec: {
        replicas: 2,
        selector: {matchLabels: labels},
        template: {metadata: {labels}, spec: podSpec(image, [...flags, '--system-namespace', namespace])},
      },
    },
  ]
}

function binding(role: string, namespace: string): KubernetesObject {
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: {name: role},
    roleRef: {apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role},
    subjects: [{kind: 'ServiceAccount', name: OWN_MANAGER, namespace}],
  }
}

/** Lets the manager read the Secrets of one namespace, by name: it never lists them. */
function secretsAccess(place: string, namespace: string): readonly KubernetesObject[] {
  const metadata = {name: `${OWN_MANAGER}-pull-secrets`, namespace: place}
  const apiVersion = 'rbac.authorization.k8s.io/v1'
  return [
    {
      apiVersion,
      kind: 'Role',
      metadata,
      rules: [{apiGroups: [''], resources: ['secrets'], verbs: ['get']}],
    },
    {
      apiVersion,
      kind: 'RoleBinding',
      metadata,
      roleRef: {apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: metadata.name},
      subjects: [{kind: 'ServiceAccount', name: OWN_MANAGER, namespace}],
    },
  ]
}

function podSpec(image: string, flags: readonly string[]): JsonObject {
  return {
    serviceAccountName: OWN_MANAGER,
    securityContext: {runAsNonRoot: true, runAsUser: USER, seccompProfile: {type: 'RuntimeDefault'}},
    // A pass that has begun is completed.
    terminationGracePeriodSeconds: 60,
    containers: [
      {
        name: 'manager',
        image,
        args: [
          'manager',
          'run',
          '--leader-elect',
          '--metrics-address',
          `:${PORT}`,
          '--log-format',
          'json',
          '--cache-dir',
          '/cache',
          ...flags,
        ],
        ports: [{name: 'metrics', containerPort: PORT}],
        readinessProbe: {httpGet: {path: '/readyz', port: 'metrics'}},
        livenessProbe: {httpGet: {path: '/healthz', port: 'metrics'}, initialDelaySeconds: 30},
        resources: {requests: {cpu: '50m', memory: '128Mi'}, limits: {memory: '512Mi'}},
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: {drop: ['ALL']},
        },
        volumeMounts: [{name: 'cache', mountPath: '/cache'}],
      },
    ],
    volumes: [{name: 'cache', emptyDir: {sizeLimit: '1Gi'}}],
  }
}
