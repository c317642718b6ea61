import {type Event, EVENT_ID, getScalarValue, SCALAR_STYLE} from 'js-yaml'
import {keyText, resolvePlain} from './go-scalars.js'
import type {FieldPath} from './json-value.js'

/**
 * The event of what stands at a path below the node at `start`; for an entry of a mapping that of its key. Where the
 * path leads nowhere, that of the longest part which is there.
 */
export function eventAt(
  events: readonly Event[],
  start: number,
  path: FieldPath,
  text: string,
): Event | undefined {
  let [index, place] = [start, start]
  for (const step of path) {
    const next = typeof step === 'number' ? itemAt(events, index, step) : entryAt(events, index, step, text)
    if (next === undefined) break
    place = next
    index = typeof step === 'number' ? next : next + 1
  }
  return events[place]
}

/** The index of a sequence's item. */
function itemAt(events: readonly Event[], index: number, item: number): number | undefined {
  if (events[index]?.type !== EVENT_ID.SEQUENCE) return undefined
  let at = index + 1
  for (let skipped = 0; skipped < item; skipped++) {
    if (ends(events, at)) return undefined
    at = after(events, at)
  }
  return ends(events, at) ? undefined : at
}

/** The index of the last key of that name in a mapping. */
function entryAt(events: readonly Event[], index: number, key: string, text: string): number | undefined {
  if (events[index]?.type !== EVENT_ID.MAPPING) return undefined
  let found: number | undefined
  for (let at = index + 1; !ends(events, at); at = after(events, after(events, at))) {
    if (keyOf(events[at], text) === key) found = at
  }
  return found
}

function keyOf(event: Event | undefined, text: string): string | undefined {
  if (event?.type !== EVENT_ID.SCALAR) return undefined
  const value = getScalarValue(text, event)
  if (event.style !== SCALAR_STYLE.PLAIN || event.tagStart !== -1) return value
  const resolved = resolvePlain(value)
  return 'rule' in resolved ? undefined : keyText(resolved)
}

function ends(events: readonly Event[], index: number): boolean {
  const event = events[index]
  return event === undefined || event.type === EVENT_ID.POP
}

/** The index after the node at this one. */
function after(events: readonly Event[], index: number): number {
  let [at, open] = [index, 0]
  do {
    const type = events[at]?.type
    if (type === EVENT_ID.POP) open -= 1
    else if (type === EVENT_ID.SEQUENCE || type === EVENT_ID.MAPPING) open += 1
    at += 1
  } while (open > 0 && at < events.length)
  return at
}
