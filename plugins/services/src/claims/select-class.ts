import {
  asObject,
  type JsonValue,
  type KubernetesObject,
  listAll,
  type Outcome,
  quoted,
} from 'kubectl-crossplane/plugin'
import {conditionOf, isWaitingForClass, waitingForClass} from '../model/conditions.js'
import {normalEvent} from '../model/event-texts.js'
import {kindText} from '../model/kinds.js'
import {controllerNames, DEFAULT_CLASS} from '../model/names.js'
import {referenceTo} from '../model/references.js'
import {matchesSelector, selectorText} from '../model/selector.js'
import {reportVerdict} from '../model/verdict.js'
import type {Service} from '../services.js'
import type {ClaimPorts} from './claim-ports.js'

interface Candidate {
  readonly service: Service
  readonly object: KubernetesObject
}

/** Sets the class of a claim: one that its selector matches, or the default class if it has no selector. */
export async function selectClass(claim: KubernetesObject, ports: ClaimPorts): Promise<Outcome> {
  const {classSelector} = asObject(claim.spec)
  const isSelected = classSelector !== undefined && classSelector !== null
  const candidates = classesOf(ports).filter(({object}) =>
    isSelected ? matchesSelector(classSelector, object.metadata.labels ?? {}) : isDefault(object),
  )
  const candidate = candidates[isSelected ? Math.floor(ports.random() * candidates.length) : 0]
  if (candidate === undefined) return await reportNone(claim, isSelected ? classSelector : undefined, ports)
  const {store} = ports
  const names = controllerNames(claim, candidate.service.managed)
  const placed = await store.patch(claim, {spec: {classRef: referenceTo(candidate.object)}})
  const event = isSelected
    ? normalEvent('SelectedResourceClass', names.scheduler)
    : normalEvent('DefaultResourceClass', names.defaulter)
  await store.event(placed, {
    ...event,
    message: `${event.message}${isSelected ? '' : othersText(candidates)}`,
  })
  return {result: 'requeue', again: 0}
}

/** The classes of all services, in the order of their names. */
function classesOf({services, store}: ClaimPorts): readonly Candidate[] {
  return services
    .flatMap(service => {
      const objects = service.class === undefined ? [] : store.list(service.class)
      return objects.map(object => ({service, object}))
    })
    .filter(({object}) => object.metadata.deletionTimestamp === undefined)
    .sort((a, b) => (a.object.metadata.name < b.object.metadata.name ? -1 : 1))
}

function isDefault({metadata}: KubernetesObject): boolean {
  return metadata.annotations?.[DEFAULT_CLASS] === 'true'
}

function othersText(candidates: readonly Candidate[]): string {
  if (candidates.length === 1) return ''
  const names = candidates.map(({object}) => `${kindText(object)} ${quoted(object.metadata.name)}`)
  return `, the first by name of several: ${listAll(names)}`
}

/** Another program may serve the claim too: its Ready is kept. */
async function reportNone(
  claim: KubernetesObject,
  selector: JsonValue | undefined,
  ports: ClaimPorts,
): Promise<Outcome> {
  const outcome: Outcome = {result: 'requeue', again: ports.wait}
  const before = conditionOf(claim, 'Ready')
  const [service] = ports.services.filter(each => each.class !== undefined)
  if (service === undefined || (before !== undefined && !isWaitingForClass(before))) return outcome
  const kinds = ports.services.flatMap(each => (each.class === undefined ? [] : [kindText(each.class)]))
  const names = controllerNames(claim, service.managed)
  const message = `${noneText(selector)} among the objects of ${listAll(kinds)}`
  const source = selector === undefined ? names.defaulter : names.scheduler
  const event = {type: 'Warning', reason: 'NoMatchingClass', message, source} as const
  await reportVerdict(claim, {conditions: [waitingForClass(message)], event, outcome}, ports.store)
  return outcome
}

function noneText(selector: JsonValue | undefined): string {
  if (selector === undefined) return `no default class (annotation ${DEFAULT_CLASS}: "true")`
  const text = selectorText(selector)
  return text === '' ? 'no class' : `no class matches the selector ${quoted(text)}`
}
