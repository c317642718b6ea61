import type {Diagnostic} from '../../../diagnostic.js'
import type {KubernetesObject} from '../../../kubernetes/kubernetes-object.js'
import {count, listAll, shellWord} from '../../../text.js'
import {crdSpecs} from '../../../xpkg/content/crd-specs.js'
import type {XpkgObject} from '../../../xpkg/content/xpkg.js'
import {asObject, asTexts, type JsonObject} from '../../../yaml/json-value.js'
import type {CrdImpact, LostInstances, UninstallImpact} from '../../uninstall-impact.js'
import {breakingChanges} from '../crds/breaking-change.js'
import {liveCrdChange} from '../crds/crd-change.js'
import {compatibleVerdict} from '../crds/crd-gate.js'
import {objectName} from '../crds/crd-texts.js'
import {type InstanceSurvey, NO_INSTANCES} from '../state/instance-survey.js'
import {instancesRejections, KEEP_ADVICE} from '../uninstall/uninstall-impact.js'
import type {CoreRequest} from './core-state.js'

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

/**
 * Judges what new versions of packages do to the CRDs of the old ones, by the rules for CRDs of any package: the API server rejects
 * one without a version that custom resources are stored in, the core keeps a CRD that a package drops, but nothing serves it any
 * more, and custom resources have to be valid in the new schema.
 */
export function judgeCrds(
  changes: readonly VersionChange[],
  instances: CrdInstances,
  {keepsInstances}: {readonly keepsInstances: boolean},
): CrdVerdict {
  const judged = changes.flatMap(({request, crds, objects}) => {
    const next = crdSpecs(objects)
    return crds.map(crd => ({request, crd, spec: next.get(crd.metadata.name)}))
  })
  const dropped = judged.filter(({spec}) => spec === undefined)
  const impact = {crds: dropped.flatMap(({crd}) => impactOf(crd, instances.counts)), dependents: []}
  const verdicts = judged.flatMap(({request, crd, spec}) =>
    spec === undefined ? [] : [{request, ...verdictOn(crd, spec, instances)}],
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
  {counts, specs, surveys}: CrdInstances,
): Verdict {
  const {name} = crd.metadata
  const after = specs.get(name) ?? withSchemasOf(asObject(crd.spec), outline)
  const stored = asTexts(asObject(crd.status).storedVersions)
  const breaking = breakingChanges(asObject(crd.spec), after, stored, 'stored ')
  const texts = breaking.map(({text}) => text)
  const [first] = breaking
  if (first !== undefined)
    return {rejections: [breakingRejection(name, first.rule, texts, counts.get(name)?.total ?? 0)], risks: []}
  const change = liveCrdChange(crd, after, asObject(crd.spec).preserveUnknownFields !== true)
  if (change === undefined) return {rejections: [], risks: []}
  const verdict = compatibleVerdict(name, change, {instances: surveys.get(name) ?? NO_INSTANCES, users: []})
  return verdict.kind === 'passed'
    ? {rejections: [], risks: verdict.risks}
    : {rejections: [{severity: 'error', ...verdict.reason}], risks: []}
}

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

function breakingRejection(name: string, rule: string, texts: readonly string[], total: number): Diagnostic {
  return {
    severity: 'error',
    rule,
    message: `${objectName(name)}: ${listAll(texts)}, which the API server rejects; it has ${count(total, 'custom resource')}`,
    subject: {object: objectName(name)},
    suggestions: [
      `kubectl get ${shellWord(name)} --all-namespaces`,
      'Upgrade to a version of the package that still has it, and migrate the custom resources.',
    ],
  }
}
