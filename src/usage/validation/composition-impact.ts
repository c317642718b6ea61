import {isPatchAndTransform} from '../../xpkg/content/composed-kinds.js'
import type {ObjectJudge} from '../../crd/instances/check-object.js'
import {groupOf, nameOf, objectText} from '../../kubernetes/object-key.js'
import {present} from '../../present.js'
import {jsonEqual} from '../../yaml/json-equal.js'
import {
  asObject,
  asObjects,
  asText,
  type FieldPath,
  type JsonObject,
  type JsonValue,
} from '../../yaml/json-value.js'
import {valueAt} from '../../yaml/value-at.js'
import type {SurfacePackage} from '../compare-sets.js'
import type {JudgedComposition} from '../objects/compare-usage.js'
import {kindJudgments, type KindJudgment, kindOwners} from '../objects/kind-judgments.js'
import type {ObjectFinding} from '../objects/object-findings.js'
import type {UsedObject} from '../objects/used-object.js'
import {kindKey, setKinds} from '../set-kinds.js'
import {type ComposedKind, laterPatches, placedPatches} from './composition/composition-finding.js'
import type {PatternReader} from './composition/render/transform-value.js'
import {joinedFindings} from './composition/render/value-findings.js'
import {targetOf} from './composition/validate-base.js'
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
  // What a composite resource uses was decided before the change.
  const options = {...judge, allowUnknown: [], deciding: [...before, ...after.map(withoutCompositions)]}
  const [old, now] = [before, after].map(packages => judgedCompositions(packages, objects, options))
  const judgmentOf = kindJudgments(before, after)
  const ownerOf = packageOf(before, after, judgmentOf)
  return object => {
    const [former, current] = [old?.get(object), now?.get(object)]
    if (former === undefined || current === undefined) return undefined
    const bases = composedBases(object.value)
    const changes = bases.flatMap(base =>
      composedChanges(base, judgmentOf(base.apiVersion, base.kind), {judge, object}),
    )
    const findings = distinct([
      ...changes,
      ...newProblems(object.value, [former, current], isWhole(object.value, bases, judgmentOf)),
    ])
    const owned = findings.map(finding => ({...finding, package: ownerOf(object.value, bases, finding)}))
    const isJudged = definedKinds(object.value, bases).some(
      ({apiVersion, kind}) => judgmentOf(apiVersion, kind).kind !== 'other',
    )
    return {
      findings: owned,
      // A kind that no package of both defines is that of another one.
      errors: joinedFindings(former.findings).filter(
        ({rule, open}) => rule !== 'no-schema' && open === undefined,
      ),
      isJudged: isJudged || owned.some(({verdict}) => verdict !== 'unread'),
    }
  }
}

function withoutCompositions({surface, ...own}: SurfacePackage): SurfacePackage {
  const {compositions: _added, ...others} = surface
  return {...own, surface: others}
}

/** What the schemas reject only after the change, and the steps that are not read. */
function newProblems(
  composition: JsonObject,
  [former, current]: readonly [CompositionProblems, CompositionProblems],
  isReported: (finding: OpenFinding) => boolean,
): readonly ObjectFinding[] {
  const had = new Set(former.findings.map(keyOf))
  const findings = current.findings.filter(finding => !had.has(keyOf(finding)) && !isReported(finding))
  const compositesOf = compositesShowing(composition, findings)
  return [
    ...joinedFindings(findings).map((finding): ObjectFinding => ({
      verdict: verdictOf(composition, finding),
      path: finding.place,
      message: finding.open ?? finding.message,
      ...present({composed: finding.composed, composites: compositesOf(finding)}),
    })),
    ...current.unread.map(({place, message}): ObjectFinding => ({verdict: 'unread', path: place, message})),
  ]
}

/** Returns what finds the composite resources that show an effect, whatever message each has of it. */
function compositesShowing(
  composition: JsonObject,
  findings: readonly OpenFinding[],
): (finding: OpenFinding) => readonly UsedObject[] | undefined {
  const effectOf = (finding: OpenFinding) =>
    JSON.stringify([verdictOf(composition, finding), finding.place, finding.composed])
  const shown = new Map<string, Set<UsedObject>>()
  for (const finding of findings) {
    if (finding.composite === undefined) continue
    const effect = effectOf(finding)
    shown.set(effect, (shown.get(effect) ?? new Set()).add(finding.composite))
  }
  return finding => {
    const composites = shown.get(effectOf(finding))
    return composites && [...composites]
  }
}

/** One composite resource that is rejected already does not hide others. */
function keyOf({rule, place, composed, composite}: OpenFinding): string {
  const shown = composite && [composite.file, composite.line, objectText(nameOf(composite.value))]
  return JSON.stringify([rule, place, composed, shown])
}

type JudgmentOf = (apiVersion: string, kind: string) => KindJudgment

const UNSERVED: readonly ValidationRule[] = ['no-schema', 'not-served']

/**
 * Crossplane applies composed resources, and an API server rejects those with unknown fields. An input of a function is not checked for them, and a
 * value that cannot be read from a resource is left out.
 */
function verdictOf(
  composition: JsonObject,
  {rule, place, open, isDropped}: OpenFinding,
): ObjectFinding['verdict'] {
  if (open !== undefined) return 'unread'
  if (UNSERVED.includes(rule)) return 'unserved'
  const part = partOf(composition, place)
  if (part === 'connectionDetails') return 'meaning'
  const isRead = rule === 'path-unknown' && place.at(-1) === 'fromFieldPath'
  const isOfInput = rule === 'unknown-field' && part !== 'base'
  return isRead || isOfInput || isDropped === true ? 'lost' : 'breaks'
}

/** Returns the part of a resource of patches and transforms that has a place, such as its base. */
function partOf(composition: JsonObject, place: FieldPath): string | number | undefined {
  return isOfResource(composition, place) ? place[6] : undefined
}

function isOfResource(composition: JsonObject, place: FieldPath): boolean {
  const step = asObject(valueAt(composition, place.slice(0, 3)))
  return place[4] === 'resources' && isPatchAndTransform(step)
}

function distinct(findings: readonly ObjectFinding[]): readonly ObjectFinding[] {
  return [
    ...new Map(findings.map(one => [JSON.stringify([one.verdict, one.path, one.composed]), one])).values(),
  ]
}

/** Reports whether a finding is that of a resource whose kind changes as a whole: of one side, nothing is known. */
function isWhole(
  composition: JsonObject,
  bases: readonly ComposedBase[],
  judgmentOf: JudgmentOf,
): (finding: OpenFinding) => boolean {
  return finding => {
    const base = baseAt(composition, bases, finding.place)
    if (base === undefined || isOfComposite(base, finding)) return false
    return judgmentOf(base.apiVersion, base.kind).kind === 'whole'
  }
}

function isWithin(place: FieldPath, around: FieldPath): boolean {
  return around.every((step, at) => place[at] === step)
}

/** Of a patch, one path is that of the composite resource, whose schema is known. */
function isOfComposite({patches}: ComposedBase, {rule, place}: OpenFinding): boolean {
  const own = patches.filter(one => isWithin(place, one.place) && one.patch.toFieldPath !== undefined)
  return (
    rule === 'path-unknown' &&
    own.some(({patch}) => place.at(-1) === (targetOf(patch).length > 0 ? 'fromFieldPath' : 'toFieldPath'))
  )
}

/** The bases of the resources of patches and transforms, with the patches that write to them. */
function composedBases(composition: JsonObject): readonly ComposedBase[] {
  const {pipeline} = asObject(composition.spec)
  const steps = asObjects(pipeline)
  return steps.flatMap((step, at) => {
    if (!isPatchAndTransform(step)) return []
    const {patchSets, resources} = asObject(step.input)
    const sets = new Map(asObjects(patchSets).map(set => [asText(set.name), set]))
    return asObjects(resources).flatMap((resource, index): readonly ComposedBase[] => {
      const place = ['spec', 'pipeline', at, 'input', 'resources', index]
      const base = asObject(resource.base)
      const [apiVersion, kind] = [asText(base.apiVersion), asText(base.kind)]
      if (kind === '') return []
      const later = laterPatches(steps, {step: at, index, name: asText(resource.name)})
      const patches = [...placedPatches(resource, {sets, place}), ...later.patches]
      const {isReplaced} = later
      return [{resource, base, apiVersion, kind, patches, isReplaced, place: [...place, 'base']}]
    })
  })
}

function definedKinds(composition: JsonObject, bases: readonly ComposedBase[]): readonly ComposedKind[] {
  return [kindOf(asObject(composition.spec).compositeTypeRef), ...bases]
}

/**
 * Returns what finds the package that a finding is due to: that of the composed resource, of the function, or of the composite one. The first
 * counts that the change concerns: what is accepted of a package lasts until the package has another version.
 */
function packageOf(
  before: readonly SurfacePackage[],
  after: readonly SurfacePackage[],
  judgmentOf: JudgmentOf,
): (
  composition: JsonObject,
  bases: readonly ComposedBase[],
  finding: Pick<ObjectFinding, 'path' | 'composed'>,
) => string | undefined {
  const ownerOf = kindOwners(before, after)
  const [old, now] = [before, after].map(packages => setKinds(packages, 'functions'))
  const ofKind = ({apiVersion, kind}: ComposedKind) => ({
    package: ownerOf(apiVersion, kind),
    isOther: () => ['whole', 'pair'].includes(judgmentOf(apiVersion, kind).kind),
  })
  const ofInput = ({apiVersion, kind}: ComposedKind) => {
    const [was, is] = [old, now].map(inputs => inputs?.get(kindKey(groupOf(apiVersion), kind)))
    const isOther = () => !jsonEqual(was?.crd.spec ?? null, is?.crd.spec ?? null)
    return {package: (was ?? is)?.package, isOther}
  }
  return (composition, bases, {path, composed}) => {
    if (composed !== undefined) return ownerOf(composed.apiVersion, composed.kind)
    const {input} = asObject(valueAt(composition, path.slice(0, 3)))
    const base = baseAt(composition, bases, path)
    const candidates = [
      ...(base === undefined ? [] : [ofKind(base)]),
      ofInput(kindOf(input)),
      ofKind(kindOf(asObject(composition.spec).compositeTypeRef)),
    ].filter(one => one.package !== undefined)
    return (candidates.find(one => one.isOther()) ?? candidates[0])?.package
  }
}

/** Returns the base of the resource with a place, which an earlier step can have. */
function baseAt(
  composition: JsonObject,
  bases: readonly ComposedBase[],
  path: FieldPath,
): ComposedBase | undefined {
  if (!isOfResource(composition, path)) return undefined
  const own = bases.find(({place}) => isWithin(path, place.slice(0, -1)))
  const name = asText(asObject(valueAt(composition, path.slice(0, 6))).name)
  if (own !== undefined || name === '') return own
  return bases.findLast(({resource, place}) => resource.name === name && Number(place[2]) <= Number(path[2]))
}

function kindOf(value: JsonValue | undefined): ComposedKind {
  const {apiVersion, kind} = asObject(value)
  return {apiVersion: asText(apiVersion), kind: asText(kind)}
}
