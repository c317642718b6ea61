/** Resources of Kubernetes itself that lie in no namespace, by API group; of other groups nothing is known here. */
const CLUSTER_SCOPED: Readonly<Record<string, readonly string[]>> = {
  '': ['componentstatuses', 'namespaces', 'nodes', 'persistentvolumes'],
  'admissionregistration.k8s.io': ['mutatingwebhookconfigurations', 'validatingwebhookconfigurations'],
  'apiextensions.k8s.io': ['customresourcedefinitions'],
  'apiregistration.k8s.io': ['apiservices'],
  'authentication.k8s.io': ['tokenreviews'],
  'authorization.k8s.io': ['selfsubjectaccessreviews', 'selfsubjectrulesreviews', 'subjectaccessreviews'],
  'certificates.k8s.io': ['certificatesigningrequests'],
  'networking.k8s.io': ['ingressclasses'],
  'node.k8s.io': ['runtimeclasses'],
  'rbac.authorization.k8s.io': ['clusterrolebindings', 'clusterroles'],
  'scheduling.k8s.io': ['priorityclasses'],
  'storage.k8s.io': ['csidrivers', 'csinodes', 'storageclasses', 'volumeattachments'],
}

/** By the resource's plural. */
export function isClusterScopedBuiltin(resource: string, group: string): boolean {
  return Object.hasOwn(CLUSTER_SCOPED, group) && CLUSTER_SCOPED[group]?.includes(resource) === true
}
