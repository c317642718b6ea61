import {isPatchAndTransform} from '../../xpkg/content/composed-kinds.js'
import type {ObjectJudge} from '../../crd/instances/check-object.js'
import {groupOf} from '../../kubernetes/object-key.js'
import {asObject, asObjects, asText, type FieldPath, type JsonObject} from '../../yaml/json-value.js'
import {valueAt} from '../../yaml/value-at.js'
import type {SurfacePackage} from '../compare-sets.js'
import type {JudgedComposition} from '../objects/compare-usage.js'
import {kindJudgments, type KindJudgment} from '../objects/kind-judgments.js'
import type {ObjectFinding} from '../objects/object-findings.js'
import type {UsedObject} from '../objects/used-object.js'
import {kindKey, setKinds} from '../set-kinds.js'
import {placedPatches} from './composition/composition-finding.js'
import type {PatternReader} from './composition/render/transform-value.js'
import {composedChanges, type ComposedBase} from './composed-changes.js'
import type {CompositionProblems, OpenFinding} from './composition-problems.js'
import {judgedCompositions} from './validate-objects.js'
import type {ValidationRule} from './validation.js'

/**
 * Returns what judges the Compositions among objects by two sets of packages: what is wrong with them only after the change, and what it changes for
 * the resources that they compose.
 */
export function compositionJudge(
  before: readonly SurfacePackage[],
  after: readonly SurfacePackage[],
  objects: readonly UsedObject[],
  judge: ObjectJudge & PatternReader,
): (object: UsedObject) => JudgedComposition | undefined {
  const options = {...judge, allowUnknown: []}
  const [old, now] = [before, after].map(packages => judgedCompositions(packages, objects, options))
  const ownerOf = packageOf(before, after)
  const judgmentOf = kindJudgments(before, after)
  return object => {
    const [former, current] = [old?.get(object), now?.get(object)]
    if (former === undefined || current === undefined) return undefined
    const bases = composedBases(object.value)
    const changes = bases.flatMap(base =>
      composedChanges(base, judgmentOf(base.apiVersion, base.kind), {judge, object}),
    )
    const findings = distinct([...changes, ...newProblems(former, current, isWhole(bases, judgmentOf))])
    const owned = findings.map(finding => ({...finding, package: ownerOf(object.value, finding.path)}))
    const isJudged = definedKinds(object.value, bases).some(
      ({apiVersion, kind}) => judgmentOf(apiVersion, kind).kind !== 'other',
    )
    return {
      findings: owned,
      // A kind that no package of both defines is that of another one.
      errors: former.findings.filter(({rule, open}) => rule !== 'no-schema' && open === undefined),
      isJudged: isJudged || owned.some(({verdict}) => verdict !== 'unread'),
    }
  }
}

/** What the schemas reject only after the change, and the steps that are not read. */
function newProblems(
  former: CompositionProblems,
  current: CompositionProblems,
  isReported: (place: FieldPath) => boolean,
): readonly ObjectFinding[] {
  const had = new Set(former.findings.map(keyOf))
  const findings = current.findings.filter(finding => !had.has(keyOf(finding)) && !isReported(finding.place))
  return [
    ...findings.map(({place, message, ...finding}): ObjectFinding => ({
      verdict: verdictOf({place, message, ...finding}),
      path: place,
      message: finding.open ?? message,
    })),
    ...current.unread.map(({place, message}): ObjectFinding => ({verdict: 'unread', path: place, message})),
  ]
}

function keyOf({rule, place}: OpenFinding): string {
  return JSON.stringify([rule, place])
}

const UNSERVED: readonly ValidationRule[] = ['no-schema', 'not-served']

/**
 * Crossplane applies composed resources, and an API server rejects those with unknown fields. An input of a function is not checked for them, and a
 * value that cannot be read from a resource is left out.
 */
function verdictOf({rule, place, open, isDropped}: OpenFinding): ObjectFinding['verdict'] {
  if (open !== undefined) return 'unread'
  if (UNSERVED.includes(rule)) return 'unserved'
  if (place.includes('connectionDetails')) return 'meaning'
  const isRead = rule === 'path-unknown' && place.at(-1) === 'fromFieldPath'
  const isOfInput = rule === 'unknown-field' && !place.includes('base')
  return isRead || isOfInput || isDropped === true ? 'lost' : 'breaks'
}

function distinct(findings: readonly ObjectFinding[]): readonly ObjectFinding[] {
  return [...new Map(findings.map(one => [JSON.stringify([one.verdict, one.path]), one])).values()]
}

/** Reports whether a place is that of a resource whose kind changes as a whole. */
function isWhole(
  bases: readonly ComposedBase[],
  judgmentOf: (apiVersion: string, kind: string) => KindJudgment,
): (place: FieldPath) => boolean {
  const wholes = bases.filter(({apiVersion, kind}) => judgmentOf(apiVersion, kind).kind === 'whole')
  return place => wholes.some(base => base.place.every((step, at) => place[at] === step))
}

/** The bases of the resources of patches and transforms, with the patches that write to them. */
function composedBases(composition: JsonObject): readonly ComposedBase[] {
  const {pipeline} = asObject(composition.spec)
  return asObjects(pipeline).flatMap((step, at) => {
    if (!isPatchAndTransform(step)) return []
    const {patchSets, resources} = asObject(step.input)
    const sets = new Map(asObjects(patchSets).map(set => [asText(set.name), set]))
    return asObjects(resources).flatMap((resource, index): readonly ComposedBase[] => {
      const place = ['spec', 'pipeline', at, 'input', 'resources', index]
      const base = asObject(resource.base)
      const [apiVersion, kind] = [asText(base.apiVersion), asText(base.kind)]
      if (kind === '') return []
      const patches = placedPatches(resource, {sets, place})
      return [{resource, base, apiVersion, kind, patches, place: [...place, 'base']}]
    })
  })
}

function definedKinds(composition: JsonObject, bases: readonly ComposedBase[]) {
  const {apiVersion, kind} = asObject(asObject(composition.spec).compositeTypeRef)
  return [{apiVersion: asText(apiVersion), kind: asText(kind)}, ...bases]
}

/** Returns what finds the package that a part of a Composition depends on: that of the composed resource, of the function, or of the composite one. */
function packageOf(
  before: readonly SurfacePackage[],
  after: readonly SurfacePackage[],
): (composition: JsonObject, place: FieldPath) => string | undefined {
  const all = [...before, ...after]
  const [kinds, inputs] = [setKinds(all), setKinds(all, 'functions')]
  return (composition, place) => {
    const [step, resource] = [place.slice(0, 3), place.slice(0, 6)].map(path =>
      asObject(valueAt(composition, path)),
    )
    const named = [asObject(resource?.base), asObject(asObject(composition.spec).compositeTypeRef)]
    const input = asObject(step?.input)
    const [base, composite] = named.map(one => kinds.get(keyOfKind(one))?.package)
    return base ?? inputs.get(keyOfKind(input))?.package ?? composite ?? all[0]?.package
  }
}

function keyOfKind({apiVersion, kind}: JsonObject): string {
  return kindKey(groupOf(asText(apiVersion)), asText(kind))
}
