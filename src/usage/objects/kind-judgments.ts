import {schemaOf} from '../../kubernetes/crd-kind.js'
import {schemaChanges} from '../../crd/changes/schema-changes.js'
import {ownVersions} from '../../crd/convert/convert-crd.js'
import {jsonEqual} from '../../yaml/json-equal.js'
import {asObject, asText, type JsonObject} from '../../yaml/json-value.js'
import type {SurfacePackage} from '../compare-sets.js'
import {type CrdSurface, lostConnectionKeys} from '../package-surface.js'
import {kindKey, setKinds} from '../set-kinds.js'
import {type ObjectFinding, type UsedVersion, type VersionPair, versionPair} from './object-findings.js'

/** How the objects of a version of a kind are judged. */
export type KindJudgment =
  /** No package has anything to do with it. */
  | {readonly kind: 'other'}
  /** All objects have these findings. */
  | {readonly kind: 'whole'; readonly finding: ObjectFinding}
  /** Nothing that concerns objects differs. */
  | {readonly kind: 'same'}
  | ({
      readonly kind: 'pair'
      readonly pair: VersionPair
      readonly findings: readonly ObjectFinding[]
    } & LostKeys)

interface LostKeys {
  /** The connection details that are no longer written. */
  readonly lostKeys: readonly string[]
}

/** Returns how objects are judged, by their apiVersion and kind; each pair of schemas is compared once. */
export function kindJudgments(
  before: readonly SurfacePackage[],
  after: readonly SurfacePackage[],
): (apiVersion: string, kind: string) => KindJudgment {
  const [old, now] = [setKinds(before), setKinds(after)]
  const [unreadOld, unreadNow] = [unreadCrds(before), unreadCrds(after)]
  const groups = new Set([
    ...[...old.keys(), ...now.keys()].map(key => key.slice(0, key.indexOf('/'))),
    ...[...unreadOld, ...unreadNow].map(name => name.slice(name.indexOf('.') + 1)),
  ])
  const judged = new Map<string, KindJudgment>()
  return (apiVersion, kind) => {
    const key = `${apiVersion} ${kind}`
    const earlier = judged.get(key)
    if (earlier !== undefined) return earlier
    const [group = '', version = ''] = apiVersion.split('/')
    const crds = [old, now].map(kinds => kinds.get(kindKey(group, kind))?.crd)
    const judgment =
      crds[0] === undefined && crds[1] === undefined
        ? undefinedKind(groups.has(group), `${kind}.${group}`)
        : (unreadKind(crds, unreadOld, unreadNow) ?? judgmentOf({before: crds[0], after: crds[1], version}))
    judged.set(key, judgment)
    return judgment
  }
}

/** Returns the package of a kind: the one before the change, or the one that brings the kind. */
export function kindOwners(
  before: readonly SurfacePackage[],
  after: readonly SurfacePackage[],
): (apiVersion: string, kind: string) => string | undefined {
  const kinds = setKinds([...before, ...after])
  return (apiVersion, kind) => kinds.get(kindKey(apiVersion.split('/')[0] ?? '', kind))?.package
}

/** Returns the versions in which a cluster serves a kind, the preferred one first. */
type ServedVersions = (group: string, kind: string) => readonly string[]

/**
 * Returns the kinds whose objects can notice a change, each in the version that a cluster stores; in another one where the cluster
 * serves the kind, but not that version.
 */
export function changedKinds(
  before: readonly SurfacePackage[],
  after: readonly SurfacePackage[],
  servedIn: ServedVersions,
): readonly {readonly apiVersion: string; readonly kind: string}[] {
  const judgmentOf = kindJudgments(before, after)
  return [...setKinds(before).values()].flatMap(({crd: {spec, kind}}) => {
    const group = asText(spec.group)
    const names = listableVersions(spec)
    const live = servedIn(group, kind)
    const version = names.find(name => live.includes(name)) ?? live[0] ?? names[0]
    // Of another version nothing is known, unless the kind stays as it is.
    const judged = version === undefined || names.includes(version) ? [version] : names
    const isSame = judged.every(name => judgmentOf(`${group}/${name ?? ''}`, kind).kind === 'same')
    return names.length === 0 || isSame ? [] : [{apiVersion: `${group}/${version ?? ''}`, kind}]
  })
}

/** The served versions of a kind, the one first that a cluster stores. */
function listableVersions(spec: JsonObject): readonly string[] {
  const served = ownVersions(spec).filter(version => version.served === true)
  const stored = served.filter(({storage}) => storage === true)
  return [...stored, ...served].map(({name}) => asText(name))
}

/** The names of the CRDs that could not be read. */
function unreadCrds(packages: readonly SurfacePackage[]): ReadonlySet<string> {
  return new Set(packages.flatMap(({surface}) => surface.unread.map(({name}) => name)))
}

/** Nothing is known about a kind whose CRD could not be read. */
function unreadKind(
  [before, after]: readonly (CrdSurface | undefined)[],
  unreadOld: ReadonlySet<string>,
  unreadNow: ReadonlySet<string>,
): KindJudgment | undefined {
  const name = (before ?? after)?.name ?? ''
  if (before === undefined && unreadOld.has(name)) return whole('unread', 'the old CRD could not be read')
  if (after === undefined && unreadNow.has(name)) return whole('unread', 'the new CRD could not be read')
  return undefined
}

function whole(verdict: ObjectFinding['verdict'], message: string): KindJudgment {
  return {kind: 'whole', finding: {verdict, path: [], message}}
}

function undefinedKind(isOurs: boolean, name: string): KindJudgment {
  return isOurs ? whole('unread', `no package defines ${name}`) : {kind: 'other'}
}

interface KindPair {
  readonly before: CrdSurface | undefined
  readonly after: CrdSurface | undefined
  readonly version: string
}

function judgmentOf({before, after, version}: KindPair): KindJudgment {
  if (before === undefined) return whole('unread', 'the kind is new')
  if (before === after) return {kind: 'same'}
  const old = servedVersion(before, version)
  if (old === undefined) return whole('unread', `version ${version} is not served before`)
  if (after === undefined) return whole('unserved', 'no package defines the kind any more')
  const now = servedVersion(after, version)
  const reason = unservedReason(before, after, version, now !== undefined)
  if (now === undefined || reason !== undefined) return whole('unserved', reason ?? '')
  return pairOf(before, after, {version, old, now})
}

function servedVersion(crd: CrdSurface, name: string): JsonObject | undefined {
  return ownVersions(crd.spec).find(version => version.name === name && version.served === true)
}

function unservedReason(
  before: CrdSurface,
  after: CrdSurface,
  version: string,
  isServed: boolean,
): string | undefined {
  if (!isServed) {
    const has = ownVersions(after.spec).some(({name}) => name === version)
    return has ? `version ${version} is no longer served` : `version ${version} is removed`
  }
  const [old, now] = [asText(before.spec.scope), asText(after.spec.scope)]
  if (old !== now) return `the scope changes from ${old} to ${now}`
  const isDeactivated = after.isInactive && !before.isInactive
  return isDeactivated
    ? 'the kind is inactive until a ManagedResourceActivationPolicy activates it'
    : undefined
}

interface ServedPair {
  readonly version: string
  readonly old: JsonObject
  readonly now: JsonObject
}

function pairOf(before: CrdSurface, after: CrdSurface, {version, old, now}: ServedPair): KindJudgment {
  const lostKeys = lostConnectionKeys(before, after)
  const conversion = conversionReason(before, after, version)
  const findings =
    conversion === undefined ? [] : [{verdict: 'convert', path: [], message: conversion} as const]
  const [usedBefore, usedAfter] = [usedVersion(before, old), usedVersion(after, now)]
  if (findings.length + lostKeys.length === 0 && jsonEqual(asJson(usedBefore), asJson(usedAfter)))
    return {kind: 'same'}
  return {kind: 'pair', pair: versionPair(usedBefore, usedAfter), findings, lostKeys}
}

function asJson({schema, storageSchema = {}, hasStatus}: UsedVersion): JsonObject {
  return {schema, storageSchema, hasStatus}
}

function usedVersion(crd: CrdSurface, version: JsonObject): UsedVersion {
  const stored = storageVersion(crd)
  const isRenamed = stored !== undefined && stored.name !== version.name && !hasWebhook(crd)
  return {
    schema: schemaOf(version),
    hasStatus: asObject(version.subresources).status !== undefined,
    ...(isRenamed ? {storageSchema: schemaOf(stored)} : {}),
  }
}

function storageVersion({spec}: CrdSurface): JsonObject | undefined {
  return ownVersions(spec).find(({storage}) => storage === true)
}

function hasWebhook({spec}: CrdSurface): boolean {
  return asObject(spec.conversion).strategy === 'Webhook'
}

/** Why a webhook converts objects that it did not convert before: what it makes of them is not known. */
function conversionReason(before: CrdSurface, after: CrdSurface, version: string): string | undefined {
  const target = storageVersion(after)
  if (!hasWebhook(after) || target === undefined) return undefined
  const sources = new Set([asText(storageVersion(before)?.name), version])
  const converted = [...sources].find(name => {
    const source = [after, before].flatMap(crd => ownVersions(crd.spec).filter(own => own.name === name))[0]
    if (source === undefined || name === target.name) return false
    return !isConvertedAlready(before, source, target) && differsInTypes(schemaOf(source), schemaOf(target))
  })
  return converted === undefined
    ? undefined
    : `a webhook converts objects from ${converted} to ${asText(target.name)}, whose types differ`
}

function isConvertedAlready(before: CrdSurface, ...versions: readonly JsonObject[]): boolean {
  const [, target] = versions
  const had = (version: JsonObject) =>
    ownVersions(before.spec).some(
      own => own.name === version.name && jsonEqual(schemaOf(own), schemaOf(version)),
    )
  return hasWebhook(before) && storageVersion(before)?.name === target?.name && versions.every(had)
}

/** The status is written by controllers. */
function differsInTypes(source: JsonObject, target: JsonObject): boolean {
  return schemaChanges(source, target).some(
    ({path, effect}) => (effect === 'dropped' || effect === 'rejected') && !/^status\b/.test(path),
  )
}
