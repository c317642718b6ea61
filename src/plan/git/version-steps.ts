import {count, escaped, listNames} from '../../text.js'
import {asObject, asText, type JsonObject} from '../../yaml/json-value.js'
import {breakingChanges} from '../cluster/crds/breaking-change.js'

/** Reports whether a CRD can serve the versions of a former one, because it differs in versions alone and no webhook converts. */
export function isMigratable(former: JsonObject, crd: JsonObject): boolean {
  const [before, after] = [asObject(former.spec), asObject(crd.spec)]
  const strategy = asText(asObject(after.conversion).strategy)
  return (strategy === '' || strategy === 'None') && breakingChanges(before, after, []).length === 0
}

/** The names of the versions that CRDs keep, by the name of the CRD. */
type Kept = ReadonlyMap<string, readonly JsonObject[]>

/**
 * Returns what a reviewer must know of a commit in which CRDs begin or end to keep versions that their packages lack.
 * @param context - the cluster of the tree, if it is known.
 */
export function versionSteps(before: Kept, after: Kept): readonly string[] {
  const begun = [...after].filter(([crd]) => !before.has(crd))
  const ended = [...before].filter(([crd]) => !after.has(crd))
  return [...begunLines(begun), ...endedLines(ended)]
}

type Entries = readonly (readonly [string, readonly JsonObject[]])[]

function begunLines(begun: Entries): readonly string[] {
  if (begun.length === 0) return []
  const names = namesIn(begun)
  return [
    'Packages lack versions of CRDs that custom resources can be stored in. Three steps:',
    `1. This commit serves ${names} beside the new versions of ${count(begun.length, 'CRD')}.`,
    '2. Once it is deployed, store the custom resources of each cluster in the new versions:',
    '   kubectl crossplane package migrate --context NAME',
    `3. The next commit with --context drops ${names}.`,
  ]
}

function endedLines(ended: Entries): readonly string[] {
  if (ended.length === 0) return []
  return [`Nothing is stored in ${namesIn(ended)} of ${count(ended.length, 'CRD')}: this commit drops it.`]
}

function namesIn(entries: Entries): string {
  const names = entries.flatMap(([, versions]) => versions.map(({name}) => escaped(asText(name))))
  return listNames([...new Set(names)].sort())
}
