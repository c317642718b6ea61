import {singularName} from '../../kubernetes/singular-name.js'
import {CrossplaneError} from '../../errors.js'
import {BUILTIN_GROUPS} from '../../kubernetes/builtin-kinds.js'
import {isCrdName} from '../../reference/install-target.js'
import {type CoreKind, coreKindsOf, EMPTY_CORE_GROUP} from '../../render/core-kinds.js'
import type {InputFile} from '../../render/written-input.js'
import type {Fact} from '../../resolve/facts.js'
import type {CrossplaneReleases} from '../../resolve/solver-input.js'
import {parseCrdRequirement} from '../../resolve/requirement.js'
import {readCrd} from '../../unpack/crds.js'
import {documentsIn, diagnosticAt, type DiagnosticCollector} from '../../unpack/diagnostics.js'
import {asObject, asObjects} from '../../yaml/json-value.js'

/** CRDs that are assumed to exist; no cluster is contacted. */
export interface Assumptions {
  /** CRDs by name. */
  readonly crds: readonly string[]
  /** Files with CRDs. */
  readonly files: readonly InputFile[]
  /** The Crossplane release whose own CRDs exist; `none` for a current one. */
  readonly crossplane: string
}

/** Groups that never had a CRD. */
const EMPTY_GROUPS: readonly string[] = [EMPTY_CORE_GROUP]

/** Returns the CRDs that exist, as far as this is known offline. Throws `usage` and `input-invalid`. */
export function assumedFacts({crds, files, crossplane}: Assumptions): Fact[] {
  return [
    ...crds.map(assumedCrd),
    ...crdsIn(files),
    ...crossplaneFacts(crossplane),
    ...BUILTIN_GROUPS.map(group => ({origin: 'kubernetes', group, plural: '*'}) as const),
    ...EMPTY_GROUPS.map(group => ({origin: 'never-existed', group, plural: '*'}) as const),
  ]
}

function assumedCrd(text: string): Fact {
  if (!isCrdName(text)) {
    throw new CrossplaneError('usage', `--assume ${JSON.stringify(text)} is not a CRD or a file`, {
      suggestions: ['Write RESOURCE.GROUP[/VERSION], or a file that ends in .yaml, .yml or .json.'],
    })
  }
  const {resource, group, version} = parseCrdRequirement(text)
  return {origin: 'assumed', group, plural: resource, ...(version === undefined ? {} : {served: [version]})}
}

function crdsIn(files: readonly InputFile[]): Fact[] {
  const collector: DiagnosticCollector = {errors: [], warnings: []}
  const facts: Fact[] = []
  for (const {name, bytes} of files) {
    for (const document of documentsIn(name, bytes, collector)) {
      const crd = readCrd(document, 'Cluster', collector)
      if (crd === undefined) continue
      const {group, plural, kind, versions} = crd.definition
      const spec = asObject(crd.object.spec)
      const unserved = asObjects(spec.versions).filter(({served}) => served !== true)
      const served = versions.filter(version => !unserved.some(object => object.name === version))
      const singular = singularName(asObject(spec.names))
      if (served.length === 0) {
        collector.errors.push(diagnosticAt(document, 'crd-not-served', [], 'the CRD serves no version'))
      }
      facts.push({origin: 'assumed', group, plural, singular, kind, served})
    }
  }
  if (collector.errors.length === 0) return facts
  throw new CrossplaneError('input-invalid', 'cannot read the files of assumed CRDs: they contain errors', {
    diagnostics: collector.errors,
  })
}

/** The newest release of Crossplane with CRDs that packages require. */
const LAST_MINOR = 12

/** The CRDs of all releases of Crossplane, each with the newest release that provides it. */
export function crossplaneReleases(version: string): CrossplaneReleases {
  const newestFirst = Array.from({length: LAST_MINOR + 1}, (_, index) => `v0.${LAST_MINOR - index}`)
  const provided = new Map<string, CrossplaneReleases['provided'][number]>()
  for (const release of newestFirst) {
    for (const {group, plural, kind, version: served} of coreKindsOf(release) ?? []) {
      const name = `${plural}.${group}`
      if (provided.has(name)) continue
      provided.set(name, {group, plural, singular: kind.toLowerCase(), kind, served: [served], release})
    }
  }
  return {version, provided: [...provided.values()]}
}

function crossplaneFacts(release: string): Fact[] {
  if (release === 'none') return []
  const kinds = coreKindsOf(release)
  if (kinds === undefined) {
    throw new CrossplaneError('usage', `--crossplane-version ${JSON.stringify(release)} is not a release`, {
      suggestions: ['Pass a release such as v0.12, or none for a current Crossplane.'],
    })
  }
  return kinds.map(coreFact)
}

/** Returns the fact that Crossplane itself provides a kind. */
export function coreFact({group, plural, kind, version}: CoreKind): Fact {
  return {origin: 'crossplane', group, plural, singular: kind.toLowerCase(), kind, served: [version]}
}
