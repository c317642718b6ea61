import {singularName} from '../kubernetes/singular-name.js'
import type {Package, PackageCrd} from '../unpack/package.js'
import {asObject, asObjects, asText, asTexts, isJsonArray, type JsonObject} from '../yaml/json-value.js'
import {writeJson} from '../yaml/write-yaml.js'
import {crdName, type OwnedCrd, type PackageSummary} from './package-summary.js'
import {compareText} from '../reference/compare-text.js'

/** The place where a package is published: its repository, tag and digest. */
export interface SummaryOrigin {
  readonly identity: string
  readonly tag: string
  readonly digest?: string
}

/** Returns the summary of a package; the order of its files does not matter. */
export function summaryOf(read: Package, {identity, tag, digest}: SummaryOrigin): PackageSummary {
  const {app} = read
  return {
    identity,
    tag,
    version: read.version ?? tag,
    digest,
    permissionScope: read.permissionScope,
    title: oneLine(read.title),
    category: oneLine(asText(app.category)),
    keywords: asTexts(app.keywords).map(oneLine),
    crds: read.crds.map(ownedCrd).sort(byGroupAndPlural),
    dependsOn: read.dependencies,
  }
}

/** Returns text as one line: in YAML, text often ends with an unintended line break. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

function ownedCrd({object, definition}: PackageCrd): OwnedCrd {
  const spec = asObject(object.spec)
  const {group, kind, plural} = definition
  return {
    group,
    plural,
    singular: singularName(asObject(spec.names)),
    kind,
    scope: spec.scope === 'Cluster' ? 'Cluster' : 'Namespaced',
    served: servedVersions(spec),
    stored: storedVersion(spec) || definition.version,
  }
}

/** In v1beta1, `spec.version` may name the only version, which is served. */
function servedVersions(spec: JsonObject): string[] {
  if (!hasVersions(spec)) return [asText(spec.version)]
  return asObjects(spec.versions).flatMap(({name, served}) => (served === true ? [asText(name)] : []))
}

function storedVersion(spec: JsonObject): string {
  return asText(asObjects(spec.versions).find(({storage}) => storage === true)?.name)
}

function hasVersions({versions}: JsonObject): boolean {
  return isJsonArray(versions) && versions.length > 0
}

function byGroupAndPlural(a: OwnedCrd, b: OwnedCrd): number {
  return compareText(a.group, b.group) || compareText(a.plural, b.plural)
}

/** Returns a summary as text: two summaries are equal exactly if their texts are. */
export function summaryText(summary: PackageSummary): string {
  return writeJson({
    ...summary,
    crds: summary.crds.map(crd => ({...crd})),
    dependsOn: summary.dependsOn.map(dependency => ({...dependency})),
  })
}

/** Returns what a summary says about a version apart from its description: all that resolution reads. */
export function contentText({
  title: _title,
  category: _category,
  keywords: _keywords,
  ...content
}: PackageSummary): string {
  return summaryText({...content, title: '', category: '', keywords: []})
}

/** Describes the differences between an index entry and the package. */
export function summaryDifferences(claimed: PackageSummary, actual: PackageSummary): string[] {
  return [
    ...(claimed.permissionScope === actual.permissionScope ? [] : ['its permissionScope']),
    ...(claimed.version === actual.version ? [] : ['its version']),
    ...crdDifferences(claimed, actual),
    ...(listText(claimed.dependsOn) === listText(actual.dependsOn) ? [] : ['its dependencies']),
  ]
}

function crdDifferences(claimed: PackageSummary, actual: PackageSummary): string[] {
  const names = new Set([...claimed.crds, ...actual.crds].map(crdName))
  const textIn = ({crds}: PackageSummary, name: string) => listText(crds.filter(crd => crdName(crd) === name))
  return [...names].filter(name => textIn(claimed, name) !== textIn(actual, name)).sort()
}

function listText(list: readonly object[]): string {
  return writeJson(list.map(item => ({...item})))
}
