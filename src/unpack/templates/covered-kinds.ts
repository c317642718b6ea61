import {builtinOfKind} from '../../kubernetes/builtin-kinds.js'
import {groupOf, versionOf} from '../../kubernetes/object-key.js'
import {pluralName} from '../../kubernetes/plural-name.js'
import {crdRequirement} from '../crd-requirement.js'
import type {CrdDefinition, Dependency} from '../package.js'

/** A kind that a template creates. */
interface LiteralKind {
  readonly apiVersion: string
  readonly kind: string
}

/** What the permissions of a package derive from. */
export interface PermissionSources {
  readonly crds: readonly Pick<CrdDefinition, 'name' | 'group' | 'kind'>[]
  readonly dependencies: readonly Dependency[]
  /** CRDs of other packages, whose plurals are then certain. */
  readonly provided?: readonly PluralOf[]
}

type PluralOf = Pick<CrdDefinition, 'group' | 'kind' | 'plural'>

/** `other-version`: the permissions cover the kind, but the requirement names another version of it. */
export type Coverage = 'covered' | 'other-version' | 'uncovered'

/** The kinds of the rule that every package has. */
const STANDARD_KINDS = ['ConfigMap', 'Event', 'Secret']

/** The extent to which the permissions of a package cover a kind, and the permission that does. */
export interface Cover {
  readonly coverage: Coverage
  /** The permission of every package, that on its own kinds, or that on a requirement of it. */
  readonly because?: 'owned' | 'required' | 'standard'
  /** The CRD, or the entry of `dependsOn`, that the permission is for. */
  readonly of?: string
}

/** Reports whether the controller of a package may create a kind. */
export function coverageOf(created: LiteralKind, sources: PermissionSources): Coverage {
  return coverOf(created, sources).coverage
}

/** Reports whether the controller of a package may create a kind, and why. */
export function coverOf(created: LiteralKind, {crds, dependencies, provided = []}: PermissionSources): Cover {
  const group = groupOf(created.apiVersion)
  const own = crds.find(crd => crd.group === group && crd.kind === created.kind)
  if (own !== undefined) return {coverage: 'covered', because: 'owned', of: own.name}
  if (group === '' && STANDARD_KINDS.includes(created.kind)) return {coverage: 'covered', because: 'standard'}
  const names = ['*', ...pluralsOf(created, provided), ...resourceNames(group, created.kind)]
  const requirements = dependencies
    .flatMap(dependency =>
      'crd' in dependency ? [{...crdRequirement(dependency.crd), text: dependency.crd}] : [],
    )
    .filter(requirement => requirement.group === group && names.includes(requirement.resource))
  const [first] = requirements
  if (first === undefined) return {coverage: 'uncovered'}
  const version = versionOf(created.apiVersion)
  const same = requirements.find(requirement => [undefined, version].includes(requirement.version))
  const coverage = same === undefined ? 'other-version' : 'covered'
  return {coverage, because: 'required', of: (same ?? first).text}
}

function pluralsOf({apiVersion, kind}: LiteralKind, provided: readonly PluralOf[]): readonly string[] {
  const group = groupOf(apiVersion)
  return provided.filter(crd => crd.group === group && crd.kind === kind).map(({plural}) => plural)
}

/** The names that authors give a kind: plural, singular, or the kind itself. Only built-in plurals are certain. */
function resourceNames(group: string, kind: string): readonly string[] {
  const name = kind.toLowerCase()
  return [
    ...[builtinOfKind(group, kind)].flatMap(builtin => builtin?.plural ?? []),
    name,
    `${name}s`,
    `${name}es`,
    name.replace(/y$/, 'ies'),
  ]
}

/** Formats a kind as a requirement of `dependsOn`, with the plural of Kubernetes or a CRD, or else that of English. */
export function requirementText(created: LiteralKind, provided: readonly PluralOf[] = []): string {
  const {apiVersion, kind} = created
  const group = groupOf(apiVersion)
  const [own] = pluralsOf(created, provided)
  const plural = builtinOfKind(group, kind)?.plural ?? own ?? pluralName(kind)
  return `${plural}${group === '' ? '' : `.${group}`}/${versionOf(apiVersion)}`
}
