import type {ClusterApi} from '../../../cluster/api/cluster-api.js'
import type {KubernetesObject} from '../../../kubernetes/kubernetes-object.js'
import {countInstances} from '../../../observe/core/owned-crds.js'
import {surveyChanges} from '../../../observe/instances/survey-instances.js'
import type {CrdInstances, VersionChange} from '../../../plan/cluster/core/crd-gate.js'
import {derivedSpec} from '../../../plan/cluster/core/derived-crd.js'
import {liveCrdChange} from '../../../plan/cluster/crds/crd-change.js'
import type {PackageFile} from '../../../unpack/package-file.js'
import {crdSpecs} from '../../../xpkg/content/crd-specs.js'
import {definitionsIn} from '../../../xpkg/content/definitions.js'
import {asObject, asObjects, asText, type JsonObject} from '../../../yaml/json-value.js'

/** A change of a package, and its new files, which are read only for CRDs that have custom resources. */
export interface ReadableChange extends VersionChange {
  readonly files: () => Promise<readonly PackageFile[]>
}

/** Counts the custom resources of CRDs that change, and checks them against the new schemas. Throws the errors of the API. */
export async function observeCrdInstances(
  changes: readonly ReadableChange[],
  api: ClusterApi,
): Promise<CrdInstances> {
  const counts = await countInstances(
    changes.flatMap(({crds}) => crds),
    api,
  )
  const isUsed = ({metadata}: KubernetesObject) => (counts.get(metadata.name)?.total ?? 0) > 0
  const specs = new Map<string, JsonObject>()
  // One after the other: a large package has a thousand CRDs.
  for (const {crds, objects, files} of changes) {
    const next = crdSpecs(objects)
    const used = crds.filter(crd => isUsed(crd) && next.has(crd.metadata.name))
    if (used.length === 0) continue
    const definitions = definitionsIn(await files(), new Set(used.map(({metadata}) => metadata.name)))
    for (const crd of used) {
      const definition = definitions.get(crd.metadata.name)
      if (definition === undefined) continue
      const {isXrd, spec} = definition
      specs.set(crd.metadata.name, isXrd ? await derivedFrom(crd, spec, api) : spec)
    }
  }
  const changed = changes.flatMap(({crds}) =>
    crds.flatMap(crd => {
      const spec = specs.get(crd.metadata.name)
      const isPruning = asObject(crd.spec).preserveUnknownFields !== true
      const change = spec && liveCrdChange(crd, spec, isPruning)
      return change === undefined ? [] : [{key: crd.metadata.name, change}]
    }),
  )
  return {counts, specs, surveys: await surveyChanges(changed, api)}
}

/** The CRD of an XRD, which Crossplane makes of it. */
async function derivedFrom(crd: KubernetesObject, next: JsonObject, api: ClusterApi): Promise<JsonObject> {
  const owner = asObjects(crd.metadata.ownerReferences).find(
    ({kind}) => asText(kind) === 'CompositeResourceDefinition',
  )
  const {apiVersion, kind, name} = {
    apiVersion: asText(owner?.apiVersion),
    kind: asText(owner?.kind),
    name: asText(owner?.name),
  }
  const former = owner === undefined ? undefined : await api.get({apiVersion, kind, name})
  return derivedSpec(asObject(crd.spec), asObject(former?.spec), next)
}
