import type {Diagnostic} from '../../../diagnostic.js'
import type {KubernetesObject} from '../../../kubernetes/kubernetes-object.js'
import {count, escaped, listAll, quoted, shellWord} from '../../../text.js'
import type {XpkgObject} from '../../../xpkg/content/xpkg.js'
import {asObject, asObjects, asText, asTexts} from '../../../yaml/json-value.js'
import type {CrdImpact, LostInstances, UninstallImpact} from '../../uninstall-impact.js'
import {instancesRejections, KEEP_ADVICE} from '../uninstall/uninstall-impact.js'
import type {CoreRequest} from './core-state.js'

/** A change of the version of a package, and the CRDs that the core installed for it before. */
export interface VersionChange {
  readonly request: CoreRequest
  readonly crds: readonly KubernetesObject[]
  /** The objects of the new version. */
  readonly objects: readonly XpkgObject[]
}

/** What new versions do to custom resources. */
export interface CrdVerdict {
  readonly rejections: readonly Diagnostic[]
  /** Warnings, by the request. */
  readonly risks: ReadonlyMap<CoreRequest, readonly Diagnostic[]>
  readonly impact: UninstallImpact
}

/**
 * Judges what new versions of packages do to the CRDs of the old ones: the API server rejects one without a version that custom
 * resources are stored in, and the core keeps a CRD that a package drops, but nothing serves it any more.
 * @param instances - the custom resources, by the names of their CRDs.
 */
export function judgeCrds(
  changes: readonly VersionChange[],
  instances: ReadonlyMap<string, LostInstances>,
  {keepsInstances}: {readonly keepsInstances: boolean},
): CrdVerdict {
  const judged = changes.flatMap(({request, crds, objects}) => {
    const next = definedVersions(objects)
    return crds.map(crd => ({request, crd, versions: next.get(crd.metadata.name)}))
  })
  const dropped = judged.filter(({versions}) => versions === undefined)
  const impact = {crds: dropped.flatMap(({crd}) => impactOf(crd, instances)), dependents: []}
  const kept = judged.flatMap(({request, crd, versions}) =>
    versions === undefined ? [] : [{request, crd, versions}],
  )
  const risks = new Map<CoreRequest, readonly Diagnostic[]>()
  for (const one of kept) {
    const risk = unservedRisk(one.crd, one.versions, instances.get(one.crd.metadata.name))
    if (risk !== undefined) risks.set(one.request, [...(risks.get(one.request) ?? []), risk])
  }
  return {
    rejections: [
      ...kept.flatMap(({crd, versions}) => storedRejection(crd, versions, instances.get(crd.metadata.name))),
      ...(keepsInstances ? [] : instancesRejections(impact.crds, KEEP_ADVICE)),
    ],
    risks,
    impact,
  }
}

/** The versions of a CRD that a package leads to. */
export interface DefinedVersions {
  readonly all: ReadonlySet<string>
  readonly served: ReadonlySet<string>
  readonly stored: string
  readonly scope: string
}

/** Returns the versions of the CRDs that objects lead to, by the name of the CRD. */
export function definedVersions(objects: readonly XpkgObject[]): ReadonlyMap<string, DefinedVersions> {
  return new Map(
    objects.flatMap(({crds = [], defines}) =>
      crds.map(({plural, group, served, stored, scope}) => [
        `${plural}.${group}`,
        {
          all: new Set([...served, stored, ...(defines?.versions ?? [])]),
          served: new Set(served),
          stored,
          scope,
        },
      ]),
    ),
  )
}

function impactOf(
  {metadata: {name}}: KubernetesObject,
  instances: ReadonlyMap<string, LostInstances>,
): CrdImpact[] {
  const {total = 0, first = []} = instances.get(name) ?? {}
  return total === 0 ? [] : [{crd: name, instances: total, first, users: []}]
}

function storedRejection(
  {metadata: {name}, status, spec}: KubernetesObject,
  {all, scope}: DefinedVersions,
  instances: LostInstances | undefined,
): readonly Diagnostic[] {
  const lost = asTexts(asObject(status).storedVersions).filter(version => !all.has(version))
  const before = asText(asObject(spec).scope)
  const changes = [
    ...(lost.length === 0 ? [] : [`it loses the stored version ${listAll(lost.map(quoted))}`]),
    ...(before === scope ? [] : [`its scope changes from ${quoted(before)} to ${quoted(scope)}`]),
  ]
  if (changes.length === 0) return []
  const {total = 0} = instances ?? {}
  return [
    {
      severity: 'error',
      rule: 'crd-version-removed',
      message: `CustomResourceDefinition ${escaped(name)}: ${listAll(changes)}, which the API server rejects; it has ${count(total, 'custom resource')}`,
      subject: {object: `CustomResourceDefinition ${escaped(name)}`},
      suggestions: [
        `kubectl get ${shellWord(name)} --all-namespaces`,
        'Upgrade to a version of the package that still has it, and migrate the custom resources.',
      ],
    },
  ]
}

function unservedRisk(
  {metadata: {name}, spec}: KubernetesObject,
  {served}: DefinedVersions,
  instances: LostInstances | undefined,
): Diagnostic | undefined {
  const lost = asObjects(asObject(spec).versions)
    .filter(version => version.served === true && !served.has(asText(version.name)))
    .map(version => quoted(asText(version.name)))
  if (lost.length === 0) return undefined
  const {total = 0} = instances ?? {}
  return {
    severity: 'warning',
    rule: 'crd-version-removed',
    message: `CustomResourceDefinition ${escaped(name)}: the package no longer serves ${listAll(lost)}, by which clients may use ${count(total, 'custom resource')}`,
  }
}
