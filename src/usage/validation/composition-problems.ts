import {UNKNOWN_FIELD, type ValueError} from '../../crd/instances/check-object.js'
import {LIST_TYPE, RULES} from '../../crd/schema-node.js'
import {asObject, asText, type FieldPath, formatPath, type JsonObject} from '../../yaml/json-value.js'
import {valueAt} from '../../yaml/value-at.js'
import {openReason, WHOLE} from '../objects/open-values.js'
import type {UsedObject} from '../objects/used-object.js'
import type {CompositionFinding} from './composition/composition-finding.js'
import type {CoreGeneration} from './composition/composition-mode.js'
import type {CompositeUse} from './composition/render/composites.js'
import {type ValueContext, valueFindings, valueMessage} from './composition/render/value-findings.js'
import {validateComposition} from './composition/validate-composition.js'
import {definitionErrors, ruleOf} from './definition-errors.js'

/** What a Composition is judged with. */
export interface CompositionContext extends ValueContext {
  readonly allows: (apiVersion: string, kind: string) => boolean
  readonly generation: CoreGeneration | undefined
}

/** What is wrong with a Composition, and the parts that are not read. */
export interface CompositionProblems {
  /** What composite resources show, for each of them. */
  readonly findings: readonly OpenFinding[]
  readonly unread: readonly Omit<CompositionFinding, 'rule'>[]
}

/** Returns what is wrong with a Composition by itself, and with what it makes of the composite resources that use it. */
export function compositionProblems(
  object: UsedObject,
  uses: readonly CompositeUse[],
  context: CompositionContext,
): CompositionProblems {
  const {findings: judged, unread} = validateComposition(object.value, context)
  const own = [...judged, ...refusals(object.value, judged, context)]
  const isRejected = own.some(({rule}) => rule === 'input-invalid')
  const rendered = uses.filter(({composition}) => composition === object.value && !isRejected)
  const isChanged = ({object: composite}: CompositeUse) => composite.changedBy?.([]) !== undefined
  const unchanged = rendered.filter(use => !isChanged(use))
  const values = [
    ...valueFindings(object.value, unchanged, context),
    ...rendered.filter(isChanged).flatMap(use => changedFindings(object.value, use, context)),
  ]
  const findings: readonly OpenFinding[] = [...own, ...newFindings(own, values)]
  return {
    findings: findings.map(finding => ({
      ...finding,
      open: finding.open ?? openReason(object, keyworded(finding)),
    })),
    unread,
  }
}

/** A problem that can be gone when the objects are applied, with the reason. */
export interface OpenFinding extends CompositionFinding {
  readonly open?: string | undefined
}

/** Judges the values of a composite resource that kustomize changes: it changes those of labels by other patches than those of fields. */
function changedFindings(
  composition: JsonObject,
  use: CompositeUse,
  context: ValueContext,
): readonly OpenFinding[] {
  return valueFindings(composition, [use], context).map(finding => {
    const {fromFieldPath} = asObject(valueAt(composition, patchOf(finding.place)))
    const isOfMetadata = asText(fromFieldPath).startsWith('metadata.')
    const file = use.object.changedBy?.([isOfMetadata ? 'metadata' : 'spec'])
    return file === undefined
      ? finding
      : {...finding, open: `${file} may change the composite resource: ${valueMessage(finding)}`}
  })
}

/** Why a server rejects the Composition itself, beside what is reported within it already. */
function refusals(
  composition: JsonObject,
  findings: readonly CompositionFinding[],
  {judge, generation}: CompositionContext,
): readonly CompositionFinding[] {
  const reported = new Set(findings.map(({place}) => JSON.stringify(place)))
  const errors = definitionErrors(composition, judge, generation) ?? []
  return errors
    .filter(error => placesOf(error).every(place => !reported.has(JSON.stringify(place))))
    .map(({keyword, place, message}) => ({rule: ruleOf(keyword), place, message}))
}

/** The places at which an error can be reported already: a missing pipeline and a repeated step have one of their own. */
function placesOf({keyword, place}: ValueError): readonly FieldPath[] {
  if (keyword === LIST_TYPE) return [place, [...place, 'step']]
  return keyword === RULES ? [place, [...place, 'pipeline']] : [place]
}

/** What every value shows is not repeated for some. */
function newFindings(
  own: readonly CompositionFinding[],
  values: readonly OpenFinding[],
): readonly OpenFinding[] {
  const wholes = new Set(own.flatMap(({place}) => [formatPath(place), formatPath(patchOf(place))]))
  return values.filter(({place}) => !wholes.has(formatPath(patchOf(place))))
}

/** The patch of which a place is a part; any other place is its own. */
function patchOf(place: FieldPath): FieldPath {
  const at = place.lastIndexOf('patches')
  return at < 0 ? place : place.slice(0, at + 2)
}

/** Only the parts of a patch are at the place of the patch itself. */
function keyworded({rule, place, message}: CompositionFinding): ValueError {
  if (rule === 'unknown-field') return {keyword: UNKNOWN_FIELD, place, message}
  const isOfPart = rule === 'path-unknown' || rule === 'type-mismatch'
  return {keyword: isOfPart ? rule : WHOLE, place, message}
}
