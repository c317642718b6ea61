import {CORE_KINDS, EMPTY_CORE_GROUP} from '../render/core-kinds.js'
import {crdRequirement} from '../unpack/crd-requirement.js'
import type {Package} from '../unpack/package.js'
import {asObject, asObjects, type JsonObject} from '../yaml/json-value.js'

/** The origin of the kinds of a group. */
type GroupOrigin = 'crossplane' | 'never-existed'

/** An entry of dependsOn. It is not resolved to a package. */
export interface Requirement {
  /** `exact` and `any-version` require one CRD, `wildcard` any CRD of a group, `package` a repository. */
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
  /** The package's pull options for the dependency, which have no effect. */
  readonly options?: JsonObject
}

/** The dependencies of a package, in its order. */
export function requirements({app, dependencies}: Package): Requirement[] {
  const entries = asObjects(app.dependsOn)
  return dependencies.map((dependency, index) => ({
    ...('crd' in dependency ? kindRequirement(dependency.crd) : packageRequirement(dependency.package)),
    ...optionsOf(asObject(entries[index])),
  }))
}

function packageRequirement(repository: string): Requirement {
  return {form: 'package', package: repository, words: `the package ${repository}, in any version`}
}

function kindRequirement(crd: string): Requirement {
  const {resource, group, version} = crdRequirement(crd)
  const origin = groupOrigin(group)
  return {
    form: resource === '*' ? 'wildcard' : formOf(version),
    crd,
    resource,
    group,
    version,
    origin,
    words: `${kindsInWords(resource, group, version)}${originInWords(origin)}`,
  }
}

function formOf(version: string | undefined): Requirement['form'] {
  return version === undefined ? 'any-version' : 'exact'
}

/** The origin, if it is known offline. */
function groupOrigin(group: string): GroupOrigin | undefined {
  if (group === EMPTY_CORE_GROUP) return 'never-existed'
  return CORE_KINDS.some(kind => kind.group === group) ? 'crossplane' : undefined
}

function kindsInWords(resource: string, group: string, version: string | undefined): string {
  const what = resource === '*' ? 'any kind' : resource
  const where = group === '' ? 'the core group of Kubernetes' : group
  return `${what} of ${where}, ${version === undefined ? 'in any version' : `served as ${version}`}`
}

function originInWords(origin: GroupOrigin | undefined): string {
  if (origin === undefined) return ''
  return origin === 'crossplane' ? ' (part of Crossplane)' : ' (the group never had a kind; always satisfied)'
}

const OPTIONS = ['source', 'imagePullPolicy', 'imagePullSecrets', 'serviceAccount'] as const

function optionsOf(entry: JsonObject): Pick<Requirement, 'options'> {
  const options = OPTIONS.filter(option => entry[option] !== undefined)
  if (options.length === 0) return {}
  return {options: Object.fromEntries(options.map(option => [option, entry[option] ?? null]))}
}
