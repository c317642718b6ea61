/** A resource that API servers define themselves. */
export interface BuiltinKind {
  readonly group: string
  readonly plural: string
  readonly kind: string
  readonly scope: 'Cluster' | 'Namespaced'
}

/**
 * The resources of Kubernetes 1.20 to 1.36, `plural Kind` by API group; also those that are not served by default.
 * test/kubernetes/discovery.real.test.ts compares the table with API servers.
 */
const RESOURCES: Readonly<Record<string, Readonly<Record<'namespaced' | 'cluster', readonly string[]>>>> = {
  '': {
    namespaced: [
      'bindings Binding',
      'configmaps ConfigMap',
      'endpoints Endpoints',
      'events Event',
      'limitranges LimitRange',
      'persistentvolumeclaims PersistentVolumeClaim',
      'pods Pod',
      'podtemplates PodTemplate',
      'replicationcontrollers ReplicationController',
      'resourcequotas ResourceQuota',
      'secrets Secret',
      'serviceaccounts ServiceAccount',
      'services Service',
    ],
    cluster: [
      'componentstatuses ComponentStatus',
      'namespaces Namespace',
      'nodes Node',
      'persistentvolumes PersistentVolume',
    ],
  },
  'admissionregistration.k8s.io': {
    namespaced: [],
    cluster: [
      'mutatingadmissionpolicies MutatingAdmissionPolicy',
      'mutatingadmissionpolicybindings MutatingAdmissionPolicyBinding',
      'mutatingwebhookconfigurations MutatingWebhookConfiguration',
      'validatingadmissionpolicies ValidatingAdmissionPolicy',
      'validatingadmissionpolicybindings ValidatingAdmissionPolicyBinding',
      'validatingwebhookconfigurations ValidatingWebhookConfiguration',
    ],
  },
  'apiextensions.k8s.io': {
    namespaced: [],
    cluster: ['customresourcedefinitions CustomResourceDefinition'],
  },
  'apiregistration.k8s.io': {
    namespaced: [],
    cluster: ['apiservices APIService'],
  },
  apps: {
    namespaced: [
      'controllerrevisions ControllerRevision',
      'daemonsets DaemonSet',
      'deployments Deployment',
      'replicasets ReplicaSet',
      'statefulsets StatefulSet',
    ],
    cluster: [],
  },
  'authentication.k8s.io': {
    namespaced: [],
    cluster: ['selfsubjectreviews SelfSubjectReview', 'tokenreviews TokenReview'],
  },
  'authorization.k8s.io': {
    namespaced: ['localsubjectaccessreviews LocalSubjectAccessReview'],
    cluster: [
      'selfsubjectaccessreviews SelfSubjectAccessReview',
      'selfsubjectrulesreviews SelfSubjectRulesReview',
      'subjectaccessreviews SubjectAccessReview',
    ],
  },
  autoscaling: {
    namespaced: ['horizontalpodautoscalers HorizontalPodAutoscaler'],
    cluster: [],
  },
  batch: {
    namespaced: ['cronjobs CronJob', 'jobs Job'],
    cluster: [],
  },
  'certificates.k8s.io': {
    namespaced: ['podcertificaterequests PodCertificateRequest'],
    cluster: [
      'certificatesigningrequests CertificateSigningRequest',
      'clustertrustbundles ClusterTrustBundle',
    ],
  },
  'coordination.k8s.io': {
    namespaced: ['leasecandidates LeaseCandidate', 'leases Lease'],
    cluster: [],
  },
  'discovery.k8s.io': {
    namespaced: ['endpointslices EndpointSlice'],
    cluster: [],
  },
  'events.k8s.io': {
    namespaced: ['events Event'],
    cluster: [],
  },
  extensions: {
    namespaced: ['ingresses Ingress'],
    cluster: [],
  },
  'flowcontrol.apiserver.k8s.io': {
    namespaced: [],
    cluster: ['flowschemas FlowSchema', 'prioritylevelconfigurations PriorityLevelConfiguration'],
  },
  'internal.apiserver.k8s.io': {
    namespaced: [],
    cluster: ['storageversions StorageVersion'],
  },
  'networking.k8s.io': {
    namespaced: ['ingresses Ingress', 'networkpolicies NetworkPolicy'],
    cluster: ['ingressclasses IngressClass', 'ipaddresses IPAddress', 'servicecidrs ServiceCIDR'],
  },
  'node.k8s.io': {
    namespaced: [],
    cluster: ['runtimeclasses RuntimeClass'],
  },
  policy: {
    namespaced: ['poddisruptionbudgets PodDisruptionBudget'],
    cluster: ['podsecuritypolicies PodSecurityPolicy'],
  },
  'rbac.authorization.k8s.io': {
    namespaced: ['rolebindings RoleBinding', 'roles Role'],
    cluster: ['clusterrolebindings ClusterRoleBinding', 'clusterroles ClusterRole'],
  },
  'resource.k8s.io': {
    namespaced: ['resourceclaims ResourceClaim', 'resourceclaimtemplates ResourceClaimTemplate'],
    cluster: [
      'deviceclasses DeviceClass',
      'devicetaintrules DeviceTaintRule',
      'resourceslices ResourceSlice',
    ],
  },
  'scheduling.k8s.io': {
    namespaced: ['workloads Workload'],
    cluster: ['priorityclasses PriorityClass'],
  },
  'storage.k8s.io': {
    namespaced: ['csistoragecapacities CSIStorageCapacity'],
    cluster: [
      'csidrivers CSIDriver',
      'csinodes CSINode',
      'storageclasses StorageClass',
      'volumeattachments VolumeAttachment',
      'volumeattributesclasses VolumeAttributesClass',
    ],
  },
  'storagemigration.k8s.io': {
    namespaced: [],
    cluster: ['storageversionmigrations StorageVersionMigration'],
  },
}

export const BUILTIN_KINDS: readonly BuiltinKind[] = Object.entries(RESOURCES).flatMap(
  ([group, {namespaced, cluster}]) => [
    ...namespaced.map(text => builtinKind(group, text, 'Namespaced')),
    ...cluster.map(text => builtinKind(group, text, 'Cluster')),
  ],
)

function builtinKind(group: string, text: string, scope: BuiltinKind['scope']): BuiltinKind {
  const [plural = '', kind = ''] = text.split(' ')
  return {group, plural, kind, scope}
}

/** Lists groups whose resources API servers define themselves; '' is the core group. */
export const BUILTIN_GROUPS: readonly string[] = Object.keys(RESOURCES)

/** Finds a built-in resource by its plural. */
export function builtinKindOf(group: string, plural: string): BuiltinKind | undefined {
  return BUILTIN_KINDS.find(kind => kind.group === group && kind.plural === plural)
}

/** Finds a built-in resource by its kind. */
export function builtinOfKind(group: string, kind: string): BuiltinKind | undefined {
  return BUILTIN_KINDS.find(builtin => builtin.group === group && builtin.kind === kind)
}

/** Finds the built-in resources of a kind in all groups that are still served. */
export function builtinsOfKind(kind: string): readonly BuiltinKind[] {
  return BUILTIN_KINDS.filter(builtin => builtin.kind === kind && builtin.group !== 'extensions')
}
