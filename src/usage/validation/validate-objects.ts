import {
  checkStrictly,
  checkWritten,
  type ObjectJudge,
  type ValueError,
} from '../../crd/instances/check-object.js'
import {RULES} from '../../crd/schema-node.js'
import {grouped} from '../../grouped.js'
import {builtinOfKind} from '../../kubernetes/builtin-kinds.js'
import {groupOf, nameOf, objectText} from '../../kubernetes/object-key.js'
import {compareText} from '../../reference/compare-text.js'
import {asObject, type FieldPath, formatPath, isJsonObject, type JsonObject} from '../../yaml/json-value.js'
import type {SurfacePackage} from '../compare-sets.js'
import {openReason} from '../objects/open-values.js'
import type {ObjectsRead} from '../objects/read-objects.js'
import type {UsedObject} from '../objects/used-object.js'
import {type CoreGeneration, coreGeneration} from './composition/composition-mode.js'
import {composedResources, compositeUses} from './composition/render/composites.js'
import type {PatternReader} from './composition/render/transform-value.js'
import {joinedFindings} from './composition/render/value-findings.js'
import {compositionProblems, type CompositionProblems} from './composition-problems.js'
import {compositeReferences} from './composite-references.js'
import {definitionErrors, ruleOf} from './definition-errors.js'
import {type KnownKind, type KnownKinds, knownKinds} from './known-kinds.js'
import {OBJECT_META} from './object-meta.js'
import type {SkippedKind, UnreadUse, Validation, ValidationFinding, ValidationRule} from './validation.js'

/** How objects are validated. */
export interface ValidationOptions extends Pick<ObjectJudge, 'match' | 'rules'>, PatternReader {
  /** Groups, or kinds as `Kind` or `Kind.group`, of which no schema is needed. */
  readonly allowUnknown: readonly string[]
  /** The version of Crossplane, if it is known. */
  readonly coreVersion?: string
}

/** Validates objects by the schemas of a set of packages, as a strict API server does. */
export function validateObjects(
  packages: readonly SurfacePackage[],
  {objects, unread}: ObjectsRead,
  options: ValidationOptions,
): Validation {
  const kinds = knownKinds(packages, objects)
  const groups = unreadGroups(packages)
  const own = objects.filter(object => !isConfiguration(object))
  const referencesOf = compositeReferences(packages, objects)
  const plain = own
    .filter(object => !isComposition(object))
    .map(object => {
      const result = resultOf(object, kinds.of(object.apiVersion, object.kind), {...options, groups})
      return withReferences(result, referencesOf(object))
    })
  const byObject = new Map(plain.map(result => [result.object, result]))
  const compositions = problemsOf(own, object => isAccepted(byObject.get(object)), {
    ...{kinds, groups, options, deciding: packages},
  })
  const results = [
    ...plain,
    ...[...compositions].map(([object, problems]) => ofComposition(object, problems)),
  ]
  return {
    findings: results.flatMap(({findings}) => findings).sort(byPlace),
    unread: [...unread, ...results.flatMap(result => result.unread)],
    validated: results.filter(({because, isUnread}) => because === undefined && isUnread !== true).length,
    skipped: skippedKinds(results),
  }
}

/** Returns the CRDs that could not be read, by their groups: which kind each has is not known. */
function unreadGroups(packages: readonly SurfacePackage[]): ReadonlyMap<string, string> {
  const crds = packages.flatMap(({surface}) => surface.unread.map(({name}) => name))
  return new Map(crds.map(name => [name.slice(name.indexOf('.') + 1), name]))
}

/** Files that programs read and no cluster has. */
const CONFIGURATION = ['kustomize.config.k8s.io', 'packages.kubectl-crossplane.dev']

function isConfiguration({apiVersion}: UsedObject): boolean {
  return CONFIGURATION.includes(groupOf(apiVersion))
}

function byPlace(a: ValidationFinding, b: ValidationFinding): number {
  return compareText(a.file, b.file) || a.line - b.line || compareText(a.path ?? '', b.path ?? '')
}

function isComposition({apiVersion, kind}: UsedObject): boolean {
  return apiVersion === 'apiextensions.crossplane.io/v1' && kind === 'Composition'
}

/** An API server drops unknown fields, and rejects an object for any other error. */
function isAccepted(result: ObjectResult | undefined): boolean {
  return result?.findings.every(({rule}) => rule === 'unknown-field') === true
}

interface JudgedKinds {
  readonly kinds: KnownKinds
  readonly groups: ReadonlyMap<string, string>
  readonly options: ValidationOptions
  /** The packages that decide which Composition a composite resource uses. */
  readonly deciding: readonly SurfacePackage[]
}

/** Returns what is wrong with the Compositions among objects; `isUsable` selects the composite resources that are judged with them. */
function problemsOf(
  objects: readonly UsedObject[],
  isUsable: (object: UsedObject) => boolean,
  {kinds, groups, options, deciding}: JudgedKinds,
): ReadonlyMap<UsedObject, CompositionProblems> {
  const allows = (apiVersion: string, kind: string) =>
    skippedBecause({apiVersion, kind}, options) !== undefined || groups.has(groupOf(apiVersion))
  const uses = compositeUses(objects, deciding).filter(({object}) => isUsable(object))
  const context = {kinds, objects: composedResources(objects), judge: options, allows}
  const judged = objects.filter(isComposition).map((object): [UsedObject, CompositionProblems] => {
    const generation = generationFor(object, options)
    return [object, compositionProblems(object, uses, {...context, generation})]
  })
  return new Map(judged)
}

/** Returns what is wrong with the Compositions among objects by the schemas of a set of packages. */
export function judgedCompositions(
  packages: readonly SurfacePackage[],
  objects: readonly UsedObject[],
  {deciding, ...options}: ValidationOptions & Pick<JudgedKinds, 'deciding'>,
): ReadonlyMap<UsedObject, CompositionProblems> {
  const [kinds, groups] = [knownKinds(packages, objects), unreadGroups(packages)]
  const own = objects.filter(object => !isConfiguration(object))
  const isUsable = (object: UsedObject) =>
    isAccepted(resultOf(object, kinds.of(object.apiVersion, object.kind), {...options, groups}))
  return problemsOf(own, isUsable, {kinds, groups, options, deciding})
}

function ofComposition(object: UsedObject, {findings: all, unread}: CompositionProblems): ObjectResult {
  const findings = joinedFindings(all)
  return {
    object,
    findings: findings
      .filter(({open}) => open === undefined)
      .map(({rule, place, message}) => findingOf(object, rule, place, message)),
    unread: [
      ...findings.flatMap(({place, open}) => (open === undefined ? [] : [unreadUse(object, place, open)])),
      ...unread.map(({place, message}) => unreadUse(object, place, message)),
    ],
  }
}

interface ObjectResult extends Pick<Validation, 'findings' | 'unread'> {
  readonly object: UsedObject
  /** Why the object was not validated. */
  readonly because?: SkippedKind['because']
  /** Whether its CRD could not be read. */
  readonly isUnread?: true
}

function resultOf(
  object: UsedObject,
  definition: KnownKind | string | undefined,
  {groups, ...options}: ValidationOptions & {readonly groups: ReadonlyMap<string, string>},
): ObjectResult {
  const {apiVersion, kind} = object
  const whole = (rule: ValidationRule, message: string): ObjectResult => ({
    ...{object, findings: [findingOf(object, rule, [], message)], unread: []},
  })
  if (typeof definition === 'object') return {object, ...validated(object, definition, options)}
  if (typeof definition === 'string') return whole('not-served', `${apiVersion} ${kind}: ${definition}`)
  const errors = definitionErrors(object.value, options, generationFor(object, options))
  if (errors !== undefined) return {object, ...errorsOf(object, errors)}
  const because = skippedBecause(object, options)
  if (because !== undefined) return {object, findings: [], unread: [], because}
  const crd = groups.get(groupOf(apiVersion))
  if (crd !== undefined) {
    const unread = [unreadUse(object, [], `the CRD ${crd} could not be read`)]
    return {object, findings: [], unread, isUnread: true}
  }
  return whole('no-schema', `no package defines ${kind} of ${apiVersion}`)
}

/** References are judged where the object itself is. */
function withReferences(
  result: ObjectResult,
  references: readonly Omit<ValueError, 'keyword'>[],
): ObjectResult {
  if (result.because !== undefined || references.length === 0) return result
  const mismatches = references.map(({place, message}) =>
    findingOf(result.object, 'composition-mismatch', place, message),
  )
  return {...result, findings: [...result.findings, ...mismatches]}
}

/** The groups of the kinds that Crossplane itself defines. */
const OF_CROSSPLANE = /^(?:(?:meta\.)?pkg|apiextensions|ops|protection|secrets)\.crossplane\.io$/

function skippedBecause(
  {apiVersion, kind}: Pick<UsedObject, 'apiVersion' | 'kind'>,
  {allowUnknown}: ValidationOptions,
): SkippedKind['because'] | undefined {
  const group = groupOf(apiVersion)
  if (builtinOfKind(group, kind) !== undefined) return 'kubernetes'
  if (OF_CROSSPLANE.test(group)) return 'crossplane'
  return isAllowed({apiVersion, kind}, {allowUnknown}) ? 'allowed' : undefined
}

function isAllowed(
  {apiVersion, kind}: Pick<UsedObject, 'apiVersion' | 'kind'>,
  {allowUnknown}: Pick<ValidationOptions, 'allowUnknown'>,
): boolean {
  const group = groupOf(apiVersion)
  return [group, kind, `${kind}.${group}`].some(name => allowUnknown.includes(name))
}

/** A definition that needs no schema is judged as one of Crossplane v1, for which there is none. */
function generationFor(object: UsedObject, options: ValidationOptions): CoreGeneration | undefined {
  return isAllowed(object, options) ? 'v1' : coreGeneration(options.coreVersion)
}

function findingOf(
  object: UsedObject,
  rule: ValidationRule,
  place: FieldPath,
  message: string,
): ValidationFinding {
  const {file, lineOf, value} = object
  return {
    ...{rule, file, line: lineOf(place), object: objectText(nameOf(value))},
    ...(place.length === 0 ? {} : {path: formatPath(place)}),
    message,
  }
}

function validated(
  object: UsedObject,
  definition: KnownKind,
  options: ValidationOptions,
): Pick<Validation, 'findings' | 'unread'> {
  const {errors: own, undecided} = checkWritten(object.value, definition, options)
  const {findings, unread} = errorsOf(object, [...metadataErrors(object.value), ...own])
  return {
    findings,
    unread: [...unread, ...undecided.map(({keyword, place}) => undecidedUse(object, keyword, place))],
  }
}

function errorsOf(
  object: UsedObject,
  errors: readonly ValueError[],
): Pick<Validation, 'findings' | 'unread'> {
  const judged = errors.map(error => ({...error, open: openReason(object, error)}))
  return {
    findings: judged
      .filter(({open}) => open === undefined)
      .map(({keyword, place, message}) => findingOf(object, ruleOf(keyword), place, message)),
    unread: judged.flatMap(({place, open}) => (open === undefined ? [] : [unreadUse(object, place, open)])),
  }
}

function undecidedUse(object: UsedObject, keyword: string, place: FieldPath): UnreadUse {
  return unreadUse(object, place, `the ${keyword === RULES ? 'rule in CEL' : keyword} cannot be evaluated`)
}

function unreadUse(object: UsedObject, place: FieldPath, reason: string): UnreadUse {
  const {file, line, path, object: text} = findingOf(object, 'invalid', place, '')
  return {file, line, object: text, ...(path === undefined ? {} : {path}), reason}
}

/** A schema of a CRD has only the name of the metadata. */
function metadataErrors(value: JsonObject): readonly ValueError[] {
  const {metadata} = value
  if (metadata !== undefined && !isJsonObject(metadata)) return []
  const within = checkStrictly(asObject(metadata), OBJECT_META)
  const {name, generateName} = asObject(metadata)
  const isNamed = [name, generateName].some(text => text !== undefined && text !== null && text !== '')
  const unnamed = {keyword: 'required', place: ['name'], message: 'a name or generateName is required'}
  return [...within, ...(isNamed ? [] : [unnamed])].map(error => ({
    ...error,
    place: ['metadata', ...error.place],
  }))
}

function skippedKinds(results: readonly ObjectResult[]): readonly SkippedKind[] {
  const skipped = results.flatMap(({object, because}) => (because === undefined ? [] : [{object, because}]))
  const byKind = grouped(skipped, ({object}) => `${object.apiVersion} ${object.kind}`)
  return [...byKind]
    .sort(([a], [b]) => compareText(a, b))
    .flatMap(([, [first, ...others]]) => {
      if (first === undefined) return []
      const {apiVersion, kind} = first.object
      return [{apiVersion, kind, because: first.because, objects: others.length + 1}]
    })
}
