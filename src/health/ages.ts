import {asText, type JsonValue} from '../yaml/json-value.js'

/** Milliseconds from a time of an object until `now`; 0 for an unknown time, so that no break follows from it. */
export function ageOf(time: JsonValue | undefined, now: number): number {
  const age = now - Date.parse(asText(time))
  return Number.isNaN(age) ? 0 : age
}

/** Milliseconds in which controllers act upon a change, also on a slow cluster. */
export const REACTION = 2 * 60 * 1000
