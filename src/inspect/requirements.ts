import type {Package} from '../unpack/package.js'
import {asObject, asObjects, type JsonObject} from '../yaml/json-value.js'
import {type GroupOrigin, groupOrigin} from './core-groups.js'

/** One entry of dependsOn. Which package meets it is not asked here. */
export interface Requirement {
  /** `exact` and `any-version` ask for one CRD, `wildcard` for some CRD of a group, `package` for a repository. */
  readonly form: 'any-version' | 'exact' | 'package' | 'wildcard'
  /** As written; never both. */
  readonly crd?: string
  readonly package?: string
  readonly resource?: string
  readonly group?: string
  readonly version?: string
  /** Set where the group is Crossplane's own, or one that never had a kind. */
  readonly origin?: GroupOrigin
  readonly words: string
  /** Where the package would have it pulled from and how: recorded, and without effect. */
  readonly options?: JsonObject
}

/** What a package depends on, in its own order. */
export function requirements({app, dependencies}: Package): Requirement[] {
  const entries = asObjects(app.dependsOn)
  return dependencies.map((dependency, index) => ({
    ...('crd' in dependency ? crdRequirement(dependency.crd) : packageRequirement(dependency.package)),
    ...optionsOf(asObject(entries[index])),
  }))
}

function packageRequirement(repository: string): Requirement {
  return {form: 'package', package: repository, words: `the package ${repository}, in any version`}
}

function crdRequirement(crd: string): Requirement {
  const {resource, group, version} = partsOf(crd)
  const origin = groupOrigin(group)
  return {
    form: resource === '*' ? 'wildcard' : formOf(version),
    crd,
    resource,
    group,
    ...(version === undefined ? {} : {version}),
    ...(origin === undefined ? {} : {origin}),
    words: `${kindsInWords(resource, group, version)}${originInWords(origin)}`,
  }
}

function formOf(version: string | undefined): Requirement['form'] {
  return version === undefined ? 'any-version' : 'exact'
}

/** `<resource>.<group>[/<version>]`; a resource of the core group has no dot. */
function partsOf(crd: string): {resource: string; group: string; version?: string} {
  const [name = '', version] = crd.split('/', 2)
  const dot = name.indexOf('.')
  const [resource, group] = dot === -1 ? [name, ''] : [name.slice(0, dot), name.slice(dot + 1)]
  return {resource, group, ...(version === undefined || version === '' ? {} : {version})}
}

function kindsInWords(resource: string, group: string, version: string | undefined): string {
  const what = resource === '*' ? 'any kind' : resource
  const where = group === '' ? "Kubernetes' core group" : group
  return `${what} of ${where}, ${version === undefined ? 'in any version' : `served as ${version}`}`
}

function originInWords(origin: GroupOrigin | undefined): string {
  if (origin === undefined) return ''
  return origin === 'crossplane'
    ? ' (came with Crossplane itself)'
    : ' (never had a kind: nothing is missing without it)'
}

const OPTIONS = ['source', 'imagePullPolicy', 'imagePullSecrets', 'serviceAccount'] as const

function optionsOf(entry: JsonObject): Pick<Requirement, 'options'> {
  const given = OPTIONS.filter(option => entry[option] !== undefined)
  if (given.length === 0) return {}
  return {options: Object.fromEntries(given.map(option => [option, entry[option] ?? null]))}
}
