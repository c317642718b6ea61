import type {Diagnostic} from '../../../diagnostic.js'
import type {KubernetesObject} from '../../../kubernetes/kubernetes-object.js'
import {crdSpecs} from '../../../xpkg/content/crd-specs.js'
import type {XpkgObject} from '../../../xpkg/content/xpkg.js'
import {asObject, type JsonObject} from '../../../yaml/json-value.js'
import type {CrdImpact, LostInstances, UninstallImpact} from '../../uninstall-impact.js'
import {type ConnectionKeys, liveCrdChange} from '../crds/crd-change.js'
import {breakingReason, judgeChange} from '../crds/crd-gate.js'
import {objectName} from '../crds/crd-texts.js'
import {lostInstanceText} from '../crds/lost-instances.js'
import {type InstanceSurvey, NO_INSTANCES} from '../state/instance-survey.js'
import {instancesRejections, KEEP_ADVICE} from '../uninstall/uninstall-impact.js'
import type {CoreRequest} from '../state/core-state.js'

/** A change of the version of a package, and the CRDs that the core installed for it before. */
export interface VersionChange {
  readonly request: CoreRequest
  readonly crds: readonly KubernetesObject[]
  /** The objects of the new version. */
  readonly objects: readonly XpkgObject[]
}

/** What is known of the custom resources of CRDs, by the names of the CRDs. */
export interface CrdInstances {
  readonly counts: ReadonlyMap<string, LostInstances>
  /** The new `spec` with its schemas, of those that have custom resources. */
  readonly specs: ReadonlyMap<string, JsonObject>
  /** The keys of connection details, of those that Crossplane defines by an XRD or a ManagedResourceDefinition. */
  readonly connectionKeys: ReadonlyMap<string, ConnectionKeys>
  /** What these schemas do to the custom resources. */
  readonly surveys: ReadonlyMap<string, InstanceSurvey>
}

/** What new versions do to custom resources. */
export interface CrdVerdict {
  readonly rejections: readonly Diagnostic[]
  /** Warnings, by the request. */
  readonly risks: ReadonlyMap<CoreRequest, readonly Diagnostic[]>
  readonly impact: UninstallImpact
}

/** What a user accepts for custom resources. */
interface GateChoices {
  /** Whether they stay without a controller. */
  readonly keepsInstances: boolean
  /** Whether they can have the effects of `package impact`. */
  readonly acceptsImpact?: boolean | undefined
}

/**
 * Judges what new versions of packages do to the CRDs of the old ones, by the rules for CRDs of any package: the API server rejects
 * one without a version that custom resources are stored in, the core keeps a CRD that a package drops, but nothing serves it any
 * more, and custom resources have to be valid in the new schema.
 */
export function judgeCrds(
  changes: readonly VersionChange[],
  instances: CrdInstances,
  {keepsInstances, acceptsImpact}: GateChoices,
): CrdVerdict {
  const judged = changes.flatMap(({request, crds, objects}) => {
    const next = crdSpecs(objects)
    return crds.map(crd => ({request, crd, spec: next.get(crd.metadata.name)}))
  })
  const dropped = judged.filter(({spec}) => spec === undefined)
  const impact = {crds: dropped.flatMap(({crd}) => impactOf(crd, instances.counts)), dependents: []}
  const verdicts = judged.flatMap(({request, crd, spec}) =>
    spec === undefined ? [] : [{request, ...verdictOn(crd, spec, {...instances, acceptsImpact})}],
  )
  const risks = new Map<CoreRequest, readonly Diagnostic[]>()
  for (const {request, risks: own} of verdicts)
    if (own.length > 0) risks.set(request, [...(risks.get(request) ?? []), ...own])
  return {
    rejections: [
      ...verdicts.flatMap(({rejections}) => rejections),
      ...(keepsInstances ? [] : instancesRejections(impact.crds, KEEP_ADVICE)),
    ],
    risks,
    impact,
  }
}

function impactOf(
  {metadata: {name}}: KubernetesObject,
  counts: ReadonlyMap<string, LostInstances>,
): CrdImpact[] {
  const {total = 0, first = []} = counts.get(name) ?? {}
  return total === 0 ? [] : [{crd: name, instances: total, first, users: []}]
}

interface Verdict {
  readonly rejections: readonly Diagnostic[]
  readonly risks: readonly Diagnostic[]
}

function verdictOn(
  crd: KubernetesObject,
  outline: JsonObject,
  {counts, specs, connectionKeys, surveys, acceptsImpact}: CrdInstances & Pick<GateChoices, 'acceptsImpact'>,
): Verdict {
  const {name} = crd.metadata
  const after = specs.get(name) ?? withSchemasOf(asObject(crd.spec), outline)
  const isPruning = asObject(crd.spec).preserveUnknownFields !== true
  const change = liveCrdChange(crd, after, isPruning, connectionKeys.get(name))
  if (change === undefined) return {rejections: [], risks: []}
  const dependents = {instances: surveys.get(name) ?? NO_INSTANCES, users: []}
  const {total = 0, first = []} = counts.get(name) ?? {}
  const verdict = judgeChange(name, {change, live: crd, dependents, acceptsImpact}, changes => ({
    kind: 'rejected' as const,
    reason: breakingReason(name, changes, {total, first: first.map(lostInstanceText)}, OTHER_VERSION),
  }))
  if (verdict.kind === 'passed') return {rejections: [], risks: verdict.risks}
  const subject = {object: objectName(name)}
  return {rejections: [{severity: 'error', subject, ...verdict.reason}], risks: []}
}

const OTHER_VERSION =
  'Upgrade to a version of the package that still has it, and migrate the custom resources.'

/** Without custom resources, schemas are not compared. */
function withSchemasOf(before: JsonObject, {versions, ...outline}: JsonObject): JsonObject {
  const schemas = new Map(asVersions(before.versions).map(version => [version.name, version.schema]))
  return {
    ...outline,
    versions: asVersions(versions).map(version => ({...version, schema: schemas.get(version.name) ?? {}})),
  }
}

function asVersions(value: JsonObject[string] | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.map(asObject) : []
}
