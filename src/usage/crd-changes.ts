import {schemaOf} from '../kubernetes/crd-kind.js'
import {ownVersions} from '../crd/convert/convert-crd.js'
import type {ChangeEffect, SchemaChange} from '../crd/changes/schema-change.js'
import {schemaChanges} from '../crd/changes/schema-changes.js'
import {present} from '../present.js'
import {jsonEqual} from '../yaml/json-equal.js'
import {asObject, asText, asTexts, type JsonObject, type JsonValue} from '../yaml/json-value.js'
import {type CrdSurface, lostConnectionKeys} from './package-surface.js'
import type {Change, ChangeRule, Severity} from './change.js'

/** Compares two contents of a CRD. What changes in the same way in several versions is one change. */
export function crdChanges(before: CrdSurface, after: CrdSurface): readonly Change[] {
  const about = {crd: after.name, kind: after.kind}
  return [
    ...definitionChanges(before, after),
    ...versionChanges(before, after),
    ...partChanges(before, after),
  ].map(change => ({...change, ...about}))
}

type OwnChange = Omit<Change, 'crd' | 'kind'>

function changed(
  severity: Severity,
  rule: ChangeRule,
  values: {readonly [name in 'before' | 'after']?: JsonValue | undefined},
  versions: readonly string[] = [],
): OwnChange {
  return {severity, rule, ...(versions.length === 0 ? {} : {versions}), ...present(values)}
}

function definitionChanges(old: CrdSurface, now: CrdSurface): readonly OwnChange[] {
  const [names, newNames] = [asObject(old.spec.names), asObject(now.spec.names)]
  const differing = <Value extends JsonValue>(
    severity: Severity,
    rule: ChangeRule,
    [before, after]: readonly [Value | undefined, Value | undefined],
  ) => (jsonEqual(before ?? null, after ?? null) ? [] : [changed(severity, rule, {before, after})])
  const activation = [old, now].map(({isInactive}) => (isInactive ? 'Inactive' : 'Active'))
  return [
    ...differing('breaking', 'scope-changed', [old.spec.scope, now.spec.scope]),
    ...differing('breaking', 'kind-renamed', [names.kind, newNames.kind]),
    ...differing('risky', 'names-changed', [otherNames(names), otherNames(newNames)]),
    ...differing('risky', 'conversion-changed', [strategyOf(old), strategyOf(now)]),
    ...differing(now.isInactive ? 'breaking' : 'compatible', 'activation-changed', [
      activation[0],
      activation[1],
    ]),
  ]
}

/** The names by which kubectl and clients find a kind. */
function otherNames({singular, listKind, shortNames, categories}: JsonObject): JsonObject {
  return {
    singular: asText(singular),
    listKind: asText(listKind),
    shortNames: [...asTexts(shortNames)].sort(),
    categories: [...asTexts(categories)].sort(),
  }
}

function strategyOf({spec}: CrdSurface): string {
  return asText(asObject(spec.conversion).strategy) || 'None'
}

/** Changes of the versions themselves: they come, go, are served, stored, deprecated, and have subresources. */
function versionChanges(before: CrdSurface, after: CrdSurface): readonly OwnChange[] {
  const [old, now] = [versionsOf(before), versionsOf(after)]
  const lost = [...old].filter(([name]) => !now.has(name))
  const added = [...now.keys()].filter(name => !old.has(name))
  const stored = (versions: ReadonlyMap<string, JsonObject>) =>
    [...versions].find(([, {storage}]) => storage === true)?.[0]
  return [
    ...lost.map(([name, version]) =>
      changed(isUsed(version) ? 'breaking' : 'compatible', 'version-removed', {}, [name]),
    ),
    ...added.map(name => changed('compatible', 'version-added', {}, [name])),
    ...(stored(old) === stored(now)
      ? []
      : [changed('risky', 'storage-changed', {before: stored(old), after: stored(now)})]),
    ...[...now].flatMap(([name, version]) => {
      const former = old.get(name)
      return former === undefined ? [] : ownVersionChanges(name, former, version)
    }),
  ]
}

/** Objects are written in a version that is served, and can be stored in that of the storage. */
function isUsed({served, storage}: JsonObject): boolean {
  return served === true || storage === true
}

function ownVersionChanges(name: string, before: JsonObject, after: JsonObject): readonly OwnChange[] {
  const [was, is] = [before.served === true, after.served === true]
  const serving = was === is ? [] : [is ? SERVED : UNSERVED]
  const isDeprecated = after.deprecated === true && before.deprecated !== true
  return [
    ...serving.map(([severity, rule]) => changed(severity, rule, {}, [name])),
    ...(isDeprecated ? [changed('risky', 'version-deprecated', {}, [name])] : []),
    ...subresourceChanges(name, asObject(before.subresources), asObject(after.subresources)),
  ]
}

const SERVED = ['compatible', 'version-served'] as const
const UNSERVED = ['breaking', 'version-unserved'] as const

function subresourceChanges(name: string, before: JsonObject, after: JsonObject): readonly OwnChange[] {
  return ['status', 'scale'].flatMap(part => {
    const [old, now] = [before[part], after[part]]
    if (jsonEqual(old ?? null, now ?? null)) return []
    const rule =
      now === undefined
        ? 'subresource-removed'
        : old === undefined
          ? 'subresource-added'
          : 'subresource-changed'
    // With a status subresource, the status of what users write is ignored.
    return [
      changed(
        rule === 'subresource-added' && part === 'scale' ? 'compatible' : 'risky',
        rule,
        {after: part},
        [name],
      ),
    ]
  })
}

function versionsOf({spec}: CrdSurface): ReadonlyMap<string, JsonObject> {
  return new Map(ownVersions(spec).map(version => [asText(version.name), version]))
}

/** Changes of schemas and connection keys. */
function partChanges(before: CrdSurface, after: CrdSurface): readonly OwnChange[] {
  const now = versionsOf(after)
  const merged = new Map<string, OwnChange>()
  for (const [name, version] of versionsOf(before)) {
    const next = now.get(name)
    // Of a version that is neither served nor stored there are no objects.
    if (next === undefined || !isUsed(version) || !isUsed(next)) continue
    for (const change of schemaChanges(schemaOf(version), schemaOf(next))) {
      const own = schemaChange(change)
      const key = JSON.stringify([own.path, own.rule, own.severity, textOf(own.before), textOf(own.after)])
      const versions = [...(merged.get(key)?.versions ?? []), name]
      merged.set(key, {...own, versions})
    }
  }
  // Those of a claim are those of its composite resource, where they are reported.
  const keys = before.source === 'claim' ? [] : keyChanges(before, after)
  return [...merged.values(), ...keys]
}

/** Values with integers that JavaScript cannot represent have no JSON of their own. */
function textOf(value: JsonValue | undefined): string {
  return JSON.stringify(value ?? null, (_key, part: unknown) =>
    typeof part === 'bigint' ? `${part}n` : part,
  )
}

const SEVERITIES: Readonly<Record<ChangeEffect, Severity>> = {
  dropped: 'breaking',
  rejected: 'breaking',
  frozen: 'risky',
  changed: 'risky',
  none: 'compatible',
}

/** A required field is at its own path, here. */
function schemaChange({path: at, effect, rule, before, after}: SchemaChange): OwnChange {
  const isRequired = rule === 'required-added' || rule === 'required-removed'
  const name = isRequired ? asText(after ?? before) : ''
  const path = [at, name].filter(step => step !== '').join('.')
  const severity = SEVERITIES[effect]
  return {
    severity: severity === 'breaking' && isStatus(path) ? 'risky' : severity,
    rule,
    path,
    ...(isRequired ? {} : present({before, after})),
  }
}

/** Controllers write the status; users and Compositions read it. */
function isStatus(path: string): boolean {
  return path === 'status' || path.startsWith('status.')
}

function keyChanges(before: CrdSurface, after: CrdSurface): readonly OwnChange[] {
  const lost = lostConnectionKeys(before, after)
  // An XRD without a list publishes all keys.
  const added = before.source === 'xrd' ? lostConnectionKeys(after, before) : newKeys(before, after)
  return [
    ...lost.map(key => changed('risky', 'connection-key-removed', {before: key})),
    ...added.map(key => changed('compatible', 'connection-key-added', {after: key})),
  ]
}

function newKeys(before: CrdSurface, after: CrdSurface): readonly string[] {
  return after.connectionKeys.filter(key => !before.connectionKeys.includes(key))
}
