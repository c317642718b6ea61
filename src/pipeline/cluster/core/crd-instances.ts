import type {ClusterApi} from '../../../cluster/api/cluster-api.js'
import {failureOf} from '../../../cluster/api/cluster-failure.js'
import type {LockedXpkg} from '../../../declaration/lock.js'
import type {KubernetesObject} from '../../../kubernetes/kubernetes-object.js'
import type {PackagePorts} from '../../../locate/located-package.js'
import {countInstances, type OwnedCrd} from '../../../observe/core/owned-crds.js'
import {type JudgeLoader, surveyChanges} from '../../../observe/instances/survey-instances.js'
import {formerContent} from '../../../package/xpkg/former-content.js'
import {packageFiles} from '../../../package/xpkg/package-files.js'
import type {CrdInstances, VersionChange} from '../../../plan/cluster/core/crd-gate.js'
import {derivedSpec} from '../../../plan/cluster/core/derived-crd.js'
import {type ConnectionKeys, liveCrdChange} from '../../../plan/cluster/crds/crd-change.js'
import type {CoreRequest} from '../../../plan/cluster/state/core-state.js'
import {present} from '../../../present.js'
import type {XpkgCatalog} from '../../../resolve/xpkg/xpkg-catalog.js'
import type {PackageFile} from '../../../unpack/package-file.js'
import {crdSpecs} from '../../../xpkg/content/crd-specs.js'
import {connectionKeysOf, definitionsIn} from '../../../xpkg/content/definitions.js'
import {asObject, asObjects, asText, type JsonObject} from '../../../yaml/json-value.js'

/** A change of a package, and its new files, which are read only for CRDs that have custom resources. */
export interface ReadableChange extends VersionChange {
  readonly files: () => Promise<readonly PackageFile[]>
}

/** Reads what a request gets from a package; the reason if it cannot be read. */
export async function readableChange(
  request: CoreRequest,
  place: Pick<LockedXpkg, 'repository' | 'tag' | 'digest'>,
  catalog: XpkgCatalog,
  ports: PackagePorts,
): Promise<Omit<ReadableChange, 'crds'> | {readonly reason: string}> {
  const content = await formerContent(place, catalog)
  if ('reason' in content) return content
  const {digest, objects = []} = content
  const selected = {repository: place.repository, version: place.tag ?? '', ...present({digest})}
  return {request, objects, files: async () => await packageFiles(selected, [], ports)}
}

/** Returns the CRDs of a request. */
export function crdsOf(request: CoreRequest, crds: readonly OwnedCrd[]): readonly KubernetesObject[] {
  return crds.filter(one => one.request === request).map(({crd}) => crd)
}

/** Counts the custom resources of CRDs that change, and checks them against the new schemas. Throws the errors of the API. */
export async function observeCrdInstances(
  changes: readonly ReadableChange[],
  api: ClusterApi,
  loadJudge?: JudgeLoader,
): Promise<CrdInstances> {
  const counts = await countInstances(
    changes.flatMap(({crds}) => crds),
    api,
  )
  const isUsed = ({metadata}: KubernetesObject) => (counts.get(metadata.name)?.total ?? 0) > 0
  const specs = new Map<string, JsonObject>()
  const connectionKeys = new Map<string, ConnectionKeys>()
  // One after the other: a large package has a thousand CRDs.
  for (const {crds, objects, files} of changes) {
    const next = crdSpecs(objects)
    const used = crds.filter(crd => isUsed(crd) && next.has(crd.metadata.name))
    if (used.length === 0) continue
    const definitions = definitionsIn(await files(), new Set(used.map(({metadata}) => metadata.name)))
    for (const crd of used) {
      const definition = definitions.get(crd.metadata.name)
      if (definition === undefined) continue
      const {name} = crd.metadata
      const {role, spec} = definition
      const isXrd = role === 'xrd'
      const former = role === 'crd' ? {} : await formerDefinition(crd, role, api)
      const before = former === undefined ? definition.connectionKeys : connectionKeysOf(role, former)
      const keys = {before, after: definition.connectionKeys}
      connectionKeys.set(name, {...keys, source: isXrd ? 'xrd' : 'crd'})
      // Crossplane makes the CRD of an XRD.
      specs.set(name, isXrd ? derivedSpec(asObject(crd.spec), former ?? {}, spec) : spec)
    }
  }
  const changed = changes.flatMap(({crds}) =>
    crds.flatMap(crd => {
      const spec = specs.get(crd.metadata.name)
      const isPruning = asObject(crd.spec).preserveUnknownFields !== true
      const change = spec && liveCrdChange(crd, spec, isPruning, connectionKeys.get(crd.metadata.name))
      return change === undefined ? [] : [{key: crd.metadata.name, change}]
    }),
  )
  return {counts, specs, connectionKeys, surveys: await surveyChanges(changed, api, loadJudge)}
}

const DEFINITIONS = {xrd: 'CompositeResourceDefinition', mrd: 'ManagedResourceDefinition'}

/**
 * The spec of the XRD or MRD that Crossplane made a CRD of; empty for another CRD. Undefined for an MRD that the user may not read: only a
 * warning follows from its keys.
 */
async function formerDefinition(
  crd: KubernetesObject,
  role: keyof typeof DEFINITIONS,
  api: ClusterApi,
): Promise<JsonObject | undefined> {
  const owner = asObjects(crd.metadata.ownerReferences).find(({kind}) => kind === DEFINITIONS[role])
  if (owner === undefined) return {}
  const [apiVersion, kind, name] = [asText(owner.apiVersion), asText(owner.kind), asText(owner.name)]
  try {
    return asObject((await api.get({apiVersion, kind, name}))?.spec)
  } catch (error) {
    if (role === 'mrd' && failureOf(error)?.status === 403) return undefined
    throw error
  }
}
