import type {ObjectJudge} from '../../../../crd/instances/check-object.js'
import {objectText} from '../../../../kubernetes/object-key.js'
import {nameOf} from '../../../../kubernetes/object-key.js'
import {grouped} from '../../../../grouped.js'
import {isPatchAndTransform} from '../../../../xpkg/content/composed-kinds.js'
import {asObject, asObjects, asText, type JsonObject} from '../../../../yaml/json-value.js'
import type {UsedObject} from '../../../objects/used-object.js'
import {builtinSchemaOf} from '../builtin-schemas.js'
import {isModern, type KnownKind, type KnownKinds} from '../../known-kinds.js'
import {certainlyLacking, type CompositionFinding} from '../composition-finding.js'
import {compositeSource} from './composite-source.js'
import {type CompositeUse, observedResources} from './composites.js'
import {renderedFindings, statusFindings} from './judge-rendered.js'
import {renderComposition} from './render-steps.js'
import {stepFindings} from './step-findings.js'
import type {PatternReader} from './transform-value.js'

/** What values are judged with. */
export interface ValueContext {
  readonly kinds: KnownKinds
  /** The composed resources among the objects. */
  readonly objects: readonly UsedObject[]
  readonly judge: ObjectJudge & PatternReader
}

/** Judges what a Composition makes of the composite resources and claims that certainly use it. */
export function valueFindings(
  composition: JsonObject,
  uses: readonly CompositeUse[],
  context: ValueContext,
): readonly CompositionFinding[] {
  const {apiVersion, kind} = asObject(asObject(composition.spec).compositeTypeRef)
  const definition = context.kinds.of(asText(apiVersion), asText(kind))
  if (typeof definition !== 'object') return []
  return uses.flatMap(use =>
    useFindings(use, definition, context).map(finding => ({...finding, composite: use.object})),
  )
}

/** Joins what several composite resources show into one problem, whose message names the first of them. */
export function joinedFindings<Of extends CompositionFinding & {readonly open?: string | undefined}>(
  findings: readonly Of[],
): readonly Of[] {
  const joined = grouped(findings, ({composite, ...one}) =>
    JSON.stringify([composite !== undefined, one.place, one.composed, one.message, one.open]),
  )
  return [...joined.values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [{...first, message: valueMessage(first, others.length)}],
  )
}

/** Returns the message of a problem with the composite resource that shows it, and the number of others. */
export function valueMessage({message, composite}: CompositionFinding, others = 0): string {
  if (composite === undefined) return message
  const rest = others === 0 ? '' : ` and ${others} more`
  return `${message} (${objectText(nameOf(composite.value))}${rest})`
}

function useFindings(
  {object, isClaim, composition}: CompositeUse,
  definition: KnownKind,
  {kinds, objects, judge}: ValueContext,
): readonly CompositionFinding[] {
  const input = {
    composition,
    composite: compositeSource(object.value, definition.schema, isClaim),
    observed: observedResources(objects, object.value),
    reader: judge,
  }
  const rendered = renderComposition(input)
  const hasSecret = isModern(definition)
  const failures = rendered.failures.map((failure): CompositionFinding => ({
    rule: 'patch-failed',
    ...failure,
  }))
  const pipeline = asObjects(asObject(composition.spec).pipeline)
  const resources = rendered.resources.flatMap(resource => {
    const {apiVersion, kind} = asObject(resource.object)
    const composed =
      kinds.of(asText(apiVersion), asText(kind)) ?? builtinSchemaOf(asText(apiVersion), asText(kind))
    if (typeof composed !== 'object') return []
    const own = renderedFindings(resource, composed, {isNamespaced: definition.isNamespaced, judge})
    return certainlyLacking(own, {pipeline, step: Number(resource.place[2])})
  })
  const steps = pipeline.flatMap((step, at) =>
    isPatchAndTransform(step)
      ? stepFindings(asObject(step.input), ['spec', 'pipeline', at, 'input'], {
          ...input,
          hasSecret,
          isNamespaced: definition.isNamespaced,
        })
      : [],
  )
  return [...failures, ...resources, ...steps, ...statusFindings(rendered.composite, definition, judge)]
}
