import type {ClusterApi, ResourceKind} from '../../cluster/api/cluster-api.js'
import type {EraName} from '../../reference/era-name.js'
import {type Era, ERAS} from '../../render/era.js'
import type {InstallId} from '../../reference/install-id.js'
import {parentIdLabels, parentIn, recordSelector} from '../../render/labels.js'
import {RBAC_GROUP} from '../../render/rbac.js'
import {LABEL_LENGTH, truncate} from '../../render/truncate.js'
import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'

/** An install that labels name. */
interface LabeledInstall extends InstallId {
  readonly era: EraName
}

/**
 * Finds the installs that Deployments, service accounts and roles name as the records they belong to, each once. Labels
 * truncate long names; the objects that are named after the install have the whole name. Throws the errors of the API.
 */
export async function labeledInstalls(
  api: ClusterApi,
  namespace: string | undefined,
): Promise<readonly LabeledInstall[]> {
  const installs = new Map<string, LabeledInstall>()
  for (const era of Object.values(ERAS)) {
    for (const kind of labeledKinds(namespace)) {
      const options = {namespace, labelSelector: recordSelector(era), metadataOnly: true}
      for await (const object of api.list(kind, options)) {
        const parent = parentIn(object.metadata.labels ?? {})
        if (!canBeParent(parent, object.metadata.namespace)) continue
        const key = `${era.name} ${labelKey(parent)}`
        const whole = wholeName(object, parent, era)
        if (whole !== undefined || !installs.has(key))
          installs.set(key, {...(whole ?? parent), era: era.name})
      }
    }
  }
  return [...installs.values()]
}

/** As the labels of objects spell an install, which truncate long names. */
export function labelKey(install: InstallId): string {
  return Object.values(parentIdLabels(install)).join('/')
}

/** The install that an object is named after, if its labels are those of that install. */
function wholeName({kind, metadata}: KubernetesObject, labeled: InstallId, era: Era): InstallId | undefined {
  const [namespace = '', name = ''] =
    kind === 'ServiceAccount'
      ? [metadata.namespace, metadata.name]
      : metadata.name.slice(era.personaRolePrefix.length).split(':')
  return labelKey({namespace, name}) === labelKey(labeled) ? {namespace, name} : undefined
}

/** Anyone can label an object: a namespaced object can only belong to an install in its namespace. */
function canBeParent(parent: InstallId, namespace: string | undefined): boolean {
  if (parent.namespace === '' || parent.name === '') return false
  return namespace === undefined || truncate(namespace, LABEL_LENGTH) === parent.namespace
}

/** Cluster-scoped roles are only listed if all namespaces are. */
function labeledKinds(namespace: string | undefined): readonly ResourceKind[] {
  return [
    {apiVersion: 'apps/v1', kind: 'Deployment'},
    {apiVersion: 'v1', kind: 'ServiceAccount'},
    ...(namespace === undefined ? [{apiVersion: `${RBAC_GROUP}/v1`, kind: 'ClusterRole'}] : []),
  ]
}
