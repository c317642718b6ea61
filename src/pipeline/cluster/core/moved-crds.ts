import type {ClusterApi} from '../../../cluster/api/cluster-api.js'
import type {KubernetesObject} from '../../../kubernetes/kubernetes-object.js'
import {countInstances, type OwnedCrd} from '../../../observe/core/owned-crds.js'
import {type CrdVerdict, judgeCrds} from '../../../plan/cluster/core/crd-gate.js'
import type {MoveEffects} from '../../../plan/cluster/core/move-contents.js'
import {withMoveAdvice} from '../../../plan/cluster/core/moved-package.js'
import type {CoreRequest} from '../../../plan/cluster/state/core-state.js'
import {present} from '../../../present.js'
import {count} from '../../../text.js'
import {asObject, asText} from '../../../yaml/json-value.js'
import type {InstallPorts} from '../install.js'
import {crdsOf, observeCrdInstances, type ReadableChange} from './crd-instances.js'

/** Compares what the cluster stores and uses with the CRDs that packages have in their new place; returns warnings by request. */
export async function judgedCrds(
  changes: readonly ReadableChange[],
  {api, requests}: InstallPorts,
): Promise<Pick<CrdVerdict, 'rejections' | 'risks'>> {
  if (changes.length === 0) return {rejections: [], risks: new Map()}
  const instances = await observeCrdInstances(changes, api, requests.usage.judge)
  const {rejections, risks, impact} = judgeCrds(changes, instances, {
    ...{keepsInstances: true, acceptsImpact: false},
  })
  return {
    risks,
    rejections: [
      ...withMoveAdvice(rejections),
      ...impact.crds.map(({crd, instances: total}) => ({
        ...{
          severity: 'error' as const,
          rule: 'instances-exist',
          subject: {object: `CustomResourceDefinition ${crd}`},
        },
        message: `the new package does not have ${crd}, of which ${count(total, 'custom resource')} ${total === 1 ? 'exists' : 'exist'}: the CRD would be deleted with the former request`,
        suggestions: ['Move to a package that has the CRD, or delete the custom resources first.'],
      })),
    ],
  }
}

/** Returns what a plan says of a package that moves, with the names of the objects that it has in its new place. */
export async function moveEffects(
  from: CoreRequest,
  crds: readonly OwnedCrd[],
  next: ReadonlySet<string>,
  api: ClusterApi,
): Promise<MoveEffects> {
  const own = crdsOf(from, crds)
  const counts = await countInstances(own, api)
  const used = own.filter(({metadata}) => (counts.get(metadata.name)?.total ?? 0) > 0)
  return {
    kinds: used.map(({metadata}) => metadata.name),
    instances: used.reduce((sum, {metadata}) => sum + (counts.get(metadata.name)?.total ?? 0), 0),
    lost: own.map(({metadata}) => metadata.name).filter(crd => !next.has(crd)),
    ...present({serviceAccount: await serviceAccountOf(from.object, api)}),
  }
}

/** The name of the ServiceAccount, if a runtime configuration sets it. */
async function serviceAccountOf(object: KubernetesObject, api: ClusterApi): Promise<string | undefined> {
  const name = asText(asObject(asObject(object.spec).runtimeConfigRef).name)
  if (name === '') return undefined
  const kind = {apiVersion: 'pkg.crossplane.io/v1beta1', kind: 'DeploymentRuntimeConfig', name}
  const template = asObject(asObject((await api.get(kind))?.spec).serviceAccountTemplate)
  return asText(asObject(template.metadata).name) || undefined
}
