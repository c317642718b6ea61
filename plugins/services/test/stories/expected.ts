import {
  asObject,
  asText,
  asTexts,
  type JsonObject,
  type JsonValue,
  mergePatched,
} from 'kubectl-crossplane/plugin'
import {RULES} from './rules.js'
import type {Seen} from './snapshot.js'
import type {Story} from './story.js'

/** The snapshots of a story as they should be here: what was recorded, changed by the named rules. */
export function expectedSnapshots({name, steps, want}: Story): ReadonlyMap<string, JsonObject> {
  const result = new Map<string, JsonObject>()
  let objects: JsonObject = {}
  for (const {snapshot} of steps) {
    if (snapshot === undefined) continue
    const seen = asObject(want[asText(snapshot)])
    objects = result.size === 0 ? asObject(seen.objects) : objectsAfter(objects, seen)
    const calls = [
      ...new Set(
        sameText(
          asTexts(seen.calls).map(call => call.replace(/ \(xN\)$/, '')),
          name,
        ),
      ),
    ].sort()
    const recorded: JsonObject = {objects, external: seen.external ?? {}, calls}
    const patch = RULES[name]?.snapshots?.[asText(snapshot)] ?? {}
    result.set(asText(snapshot), sameText(mergePatched(recorded, patch) as JsonObject, name))
  }
  return result
}

/** Snapshots leave out what stayed the same. */
function objectsAfter(before: JsonObject, {same, objects}: JsonObject): JsonObject {
  const kept = asTexts(same).map((key): readonly [string, JsonValue] => [key, before[key] ?? {}])
  return {...Object.fromEntries(kept), ...asObject(objects)}
}

/** The Events of a story that must occur. */
export function expectedEvents({name, want}: Story): readonly string[] {
  const {without = [], events = []} = RULES[name] ?? {}
  const recorded = Object.values(want).flatMap(seen => asTexts(asObject(seen).events))
  // A pass with a stale cache adds this one; the other is a conflict.
  const isChance = (event: string) => event.includes('the object has been modified')
  const isFalse = (event: string) => event.startsWith('Warning CannotUnbindManagedResource')
  const kept = recorded
    .map(event => event.replace(/\s+/g, ' '))
    .filter(event => !isChance(event) && !isFalse(event) && !without.some(text => event.includes(text)))
  return [...new Set(sameText([...kept, ...events], name))]
}

/** Every Event that may occur in a story, without the names of objects. */
export function vocabularyOf(stories: readonly Story[]): ReadonlySet<string> {
  return new Set(
    stories.flatMap(story => expectedEvents(story).map(event => withoutNames(event, story.name))),
  )
}

/** Removes the names of objects from an Event. */
export function withoutNames(event: string, story: string): string {
  return event.replaceAll(story, 'STORY').replace(/^(\w+ \w+ \w+)\/\S+:/, '$1:')
}

/** Replaces texts that are one in a story: which of them occurs is chance. */
function sameText<Value>(value: Value, story: string): Value {
  const same = Object.entries(RULES[story]?.same ?? {})
  if (same.length === 0) return value
  const text = same.reduce((all, [from, to]) => all.replaceAll(from, to), JSON.stringify(value))
  return JSON.parse(text) as Value
}

/** Returns what was seen as if the recorded claim had won. */
export function withoutChance(seen: Seen, story: string): Seen {
  const {exchanged} = RULES[story] ?? {}
  const result = sameText(seen, story)
  const {calls, events} = result
  const once = {...result, calls: [...new Set(calls)].sort(), events: [...new Set(events)]}
  if (exchanged === undefined) return once
  const {status} = asObject(once.objects['FancySQLInstance/two'])
  if (asObject(status).bindingPhase !== 'Bound') return once
  const text = exchanged.reduce(
    (all, [first, second]) =>
      all.replaceAll(first, 'THIRD').replaceAll(second, first).replaceAll('THIRD', second),
    JSON.stringify(once),
  )
  return JSON.parse(text) as Seen
}
