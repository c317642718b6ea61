import {
  asObjects,
  asText,
  type ClusterApi,
  contentOf,
  type KubernetesObject,
  nameOf,
  namespaceRoles,
  OWN_MANAGER,
} from 'kubectl-crossplane/plugin'

type PersonaApi = Pick<ClusterApi, 'apply' | 'delete' | 'get'>

/**
 * Makes the roles of the users of a namespace as they are rendered, owned by the namespace; deletes them where it no longer
 * has the label. Sends no write where nothing changes.
 */
export async function applyPersonas(
  name: string,
  namespace: KubernetesObject | undefined,
  api: PersonaApi,
): Promise<void> {
  for (const role of namespaceRoles(name)) {
    const live = await api.get(nameOf(role))
    if (namespace === undefined) await remove(live, api)
    else if (namespace.metadata.deletionTimestamp === undefined)
      await apply(ownedBy(role, namespace), live, api)
  }
}

function ownedBy(role: KubernetesObject, {apiVersion, kind, metadata}: KubernetesObject): KubernetesObject {
  const owner = {apiVersion, kind, name: metadata.name, uid: asText(metadata.uid)}
  return {...role, metadata: {...role.metadata, ownerReferences: [owner]}}
}

async function apply(
  role: KubernetesObject,
  live: KubernetesObject | undefined,
  api: PersonaApi,
): Promise<void> {
  const options = {manager: OWN_MANAGER, force: true}
  if (live !== undefined) {
    const {object} = await api.apply(role, {...options, dryRun: true})
    if (JSON.stringify(contentOf(object)) === JSON.stringify(contentOf(live))) return
  }
  await api.apply(role, options)
}

/** Only what has a namespace as its owner was made for one. */
async function remove(live: KubernetesObject | undefined, api: PersonaApi): Promise<void> {
  const owners = asObjects(live?.metadata.ownerReferences)
  if (live === undefined || !owners.some(({kind}) => kind === 'Namespace')) return
  await api.delete(nameOf(live), {uid: asText(live.metadata.uid)})
}
