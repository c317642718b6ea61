import type {ClusterApi} from '../cluster/api/cluster-api.js'
import {failureOf} from '../cluster/api/cluster-failure.js'
import {isEstablished} from '../health/readiness/readiness.js'
import {CrossplaneError} from '../errors.js'
import type {ObjectName} from '../kubernetes/object-name.js'
import {isClaim} from '../render/labels.js'
import {shellWord} from '../text.js'
import {servedKind} from '../plan/cluster/crds/lost-instances.js'
import type {Operation} from '../plan/plan.js'
import type {KubernetesObject} from '../kubernetes/kubernetes-object.js'
import {asText} from '../yaml/json-value.js'
import {nameIn, uidIn} from './operation-parts.js'

/**
 * Deletes an unused CRD. It is read right before: a claim or an instance that appeared since the plan was made keeps
 * it, and a change after that fails by the preconditions on uid and resourceVersion. An instance that is created
 * between the list and the deletion is deleted with the CRD: Kubernetes cannot prevent that. Throws `cluster-refused`.
 */
export async function deleteCrd(operation: Operation, api: ClusterApi): Promise<void> {
  const name = nameIn(operation)
  const live = await api.get(name)
  if (live === undefined || live.metadata.deletionTimestamp !== undefined) return
  const uid = uidIn(operation)
  if (live.metadata.uid !== uid) throw kept(name.name, 'it was created again')
  const claim = Object.keys(live.metadata.labels ?? {}).find(isClaim)
  if (claim !== undefined) throw kept(name.name, `it was claimed by another install (${claim})`)
  if (servedKind(live.spec) === undefined) {
    throw kept(name.name, 'no version is served, so its custom resources cannot be listed')
  }
  const instance = await firstInstance(live, api)
  if (instance !== undefined)
    throw kept(name.name, `the custom resource ${instance} was created in the meantime`)
  await api.delete(name, {uid, resourceVersion: asText(live.metadata.resourceVersion)}).catch(asKept(name))
}

async function firstInstance(crd: KubernetesObject, api: ClusterApi): Promise<string | undefined> {
  const kind = servedKind(crd.spec)
  if (kind === undefined || !isEstablished(crd)) return undefined
  try {
    const options = {metadataOnly: true, mustBeServed: true}
    for await (const {metadata} of api.list(kind, options)) return metadata.name
    return undefined
  } catch (error) {
    const isUnserved = error instanceof CrossplaneError && error.code === 'not-found'
    throw isUnserved
      ? kept(crd.metadata.name, 'its custom resources cannot be listed, because its kind is not served')
      : error
  }
}

/** Explains why a precondition of a deletion does not hold. */
function asKept({name}: ObjectName): (error: unknown) => never {
  return error => {
    throw failureOf(error)?.status === 409 ? kept(name, 'it was changed in the meantime') : error
  }
}

function kept(crd: string, why: string): CrossplaneError {
  return new CrossplaneError('cluster-refused', `cannot delete CustomResourceDefinition ${crd}: ${why}`, {
    suggestions: [`kubectl get ${shellWord(crd)} --all-namespaces`],
  })
}
