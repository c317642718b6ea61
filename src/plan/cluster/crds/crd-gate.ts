import {ownVersions} from '../../../crd/convert/convert-crd.js'
import type {Diagnostic} from '../../../diagnostic.js'
import {count, escaped, listAll, listNames, listSome, plural, shellWord} from '../../../text.js'
import type {KubernetesObject} from '../../../kubernetes/kubernetes-object.js'
import {asObject, asText, asTexts, type JsonObject} from '../../../yaml/json-value.js'
import {type BreakingChange, breakingChanges} from './breaking-change.js'
import type {ClusterSnapshot} from '../state/cluster-snapshot.js'
import type {CrdChange} from './crd-change.js'
import {crdRisks} from './crd-risks.js'
import {objectName, SHOWN, someOf, versionsText} from './crd-texts.js'
import {otherUsers} from './crd-users.js'
import {usageReason} from './crd-usage.js'
import type {DesiredObject} from '../state/desired-object.js'
import {type InstanceSurvey, MAX_FIELDS} from '../state/instance-survey.js'
import {type VersionMigration, versionMigration} from './version-migration.js'

/** The verdict on a change of an existing CRD. */
export type GateVerdict =
  | {readonly kind: 'passed'; readonly risks: readonly Diagnostic[]}
  | {readonly kind: 'replace'; readonly reason: string}
  /** The custom resources move to another version first; `total` is their number. */
  | {
      readonly kind: 'migrate'
      readonly migration: VersionMigration
      readonly total: number
      readonly risks: readonly Diagnostic[]
    }
  | {readonly kind: 'rejected'; readonly reason: Pick<Diagnostic, 'rule' | 'message' | 'suggestions'>}

/** The dependents of a CRD. */
interface Dependents {
  /** Undefined if the instances cannot be listed. */
  readonly instances: InstanceSurvey | undefined
  /** Other installs. */
  readonly users: readonly string[]
}

/**
 * Decides whether a CRD that exists may change. A change that is not possible by an update is a replacement, which
 * deletes all instances and is therefore rejected while any exist, or while other installs use the CRD.
 */
export function gateCrd(
  {key, name, claims, content}: Pick<DesiredObject, 'key' | 'name' | 'claims' | 'content'>,
  live: KubernetesObject,
  change: CrdChange,
  snapshot: ClusterSnapshot,
  {replaceCrds, migratesVersions = false, acceptsImpact}: GateOptions,
): GateVerdict {
  const own = claims.map(({install}) => install)
  const dependents = {instances: snapshot.surveys.get(key), users: otherUsers(live, name, own, snapshot)}
  return judgeChange(name.name, {change, live, dependents, acceptsImpact}, changes => {
    const migration = changes.every(({rule}) => rule === 'crd-version-removed')
      ? versionMigration(content, live)
      : undefined
    if (migration === undefined || dependents.instances === undefined || dependents.users.length > 0) {
      return replacement(name.name, changes, dependents, {replaceCrds})
    }
    const migrated = migrating(name.name, change, migration, dependents.instances)
    if (migratesVersions) return migrated
    const isMigratable = migrated.kind === 'migrate'
    return replacement(name.name, changes, dependents, {replaceCrds, isMigratable})
  })
}

/** A change of a CRD that exists, of a package of any format. */
interface JudgedChange {
  readonly change: CrdChange
  readonly live: KubernetesObject
  readonly dependents: Dependents
  /** Whether the effects on instances are accepted. */
  readonly acceptsImpact?: boolean | undefined
}

/** The changes that no update can make. */
export type BreakingChanges = readonly [BreakingChange, ...BreakingChange[]]

/**
 * Decides whether a CRD may change, by the rules for packages of all formats. @param breaking - decides about changes that no update
 * can make.
 */
export function judgeChange<Verdict>(
  name: string,
  {change, live, dependents, acceptsImpact}: JudgedChange,
  breaking: (changes: BreakingChanges) => Verdict,
): Verdict | ReturnType<typeof compatibleVerdict> {
  const stored = asTexts(asObject(live.status).storedVersions)
  const [first, ...more] = breakingChanges(change.before, change.after, stored, 'stored ')
  return first === undefined
    ? compatibleVerdict(name, change, dependents, acceptsImpact)
    : breaking([first, ...more])
}

/** Rejects changes that no update can make, where the CRD cannot be replaced. @param advice - how to go on. */
export function breakingReason(
  name: string,
  changes: BreakingChanges,
  {total, first}: Pick<InstanceSurvey, 'total' | 'first'>,
  advice: string,
): Reason {
  const [{rule}] = changes
  const uses = total === 0 ? [] : instancesText({total, first})
  return {
    rule,
    message: [
      `${objectName(name)}: ${listAll(changes.map(({text}) => text))}, which the API server rejects`,
      ...uses,
    ].join(', and '),
    suggestions: [kubectlGetAll(name), advice],
  }
}

/** The changes beyond updates that the gate lets through. */
interface GateOptions {
  readonly replaceCrds: boolean
  readonly migratesVersions?: boolean | undefined
  readonly acceptsImpact?: boolean | undefined
}

/** Returns why custom resources cannot be stored in another version; undefined if they can. */
export function migrationRejection(name: string, to: string, instances: InstanceSurvey): Reason | undefined {
  return schemaRejection(name, instances) ?? lossRejection(name, to, instances)
}

/** Judges the move of custom resources to another version. */
export function migrating(
  name: string,
  change: CrdChange,
  migration: VersionMigration,
  instances: InstanceSurvey,
): GateVerdict {
  const rejection = migrationRejection(name, migration.to, instances)
  if (rejection !== undefined) return {kind: 'rejected', reason: rejection}
  const risks = crdRisks(name, change, unservedVersions(change), instances)
  return {kind: 'migrate', migration, total: instances.total, risks}
}

function replacement(
  name: string,
  changes: BreakingChanges,
  {instances, users}: Dependents,
  {replaceCrds, isMigratable = false}: {readonly replaceCrds: boolean; readonly isMigratable?: boolean},
): GateVerdict {
  const [{rule}] = changes
  const text = listAll(changes.map(change => change.text))
  const more = isMigratable ? [MIGRATE] : []
  const reject = (why: string, suggestion: string): GateVerdict => ({
    kind: 'rejected',
    reason: {rule, message: `${objectName(name)}: ${text}, ${why}`, suggestions: [suggestion, ...more]},
  })
  const uses = [...instancesText(instances), ...usersText(users)]
  if (uses.length > 0) {
    const isInstances = instances === undefined || instances.total > 0
    return reject(`but ${listAll(uses)}`, isInstances ? kubectlGetAll(name) : LIST_INSTALLS)
  }
  if (replaceCrds) return {kind: 'replace', reason: text}
  return reject('which requires deleting the CRD', 'Pass --replace-crds to delete and create the CRD.')
}

const MIGRATE = 'Pass --migrate-versions to store its custom resources in a version that the package has.'

const LIST_INSTALLS = 'kubectl crossplane package list --all-namespaces'

function kubectlGetAll(name: string): string {
  return `kubectl get ${shellWord(name)} --all-namespaces`
}

function instancesText(instances: Pick<InstanceSurvey, 'total' | 'first'> | undefined): readonly string[] {
  if (instances === undefined) return ['its custom resources cannot be listed']
  const {total, first} = instances
  if (total === 0) return []
  return [`${count(total, 'custom resource')} ${plural(total, 'exists', 'exist')} (${someOf(first, total)})`]
}

function usersText(users: readonly string[]): readonly string[] {
  return users.length === 0 ? [] : [`${listNames(users)} ${plural(users.length, 'uses', 'use')} it`]
}

/** Judges a change that an API server can make by the instances and the other installs that depend on the CRD. */
function compatibleVerdict(
  name: string,
  change: CrdChange,
  {instances, users}: Dependents,
  acceptsImpact = false,
): Extract<GateVerdict, {readonly kind: 'passed' | 'rejected'}> {
  const lost = unservedVersions(change)
  if (lost.length > 0 && users.length > 0) {
    return {
      kind: 'rejected',
      reason: {
        rule: 'crd-version-removed',
        message: `${objectName(name)}: the package no longer serves ${versionsText(lost)}, but ${listAll(usersText(users))}`,
        suggestions: [LIST_INSTALLS],
      },
    }
  }
  const rejection =
    instances && (schemaRejection(name, instances) ?? impactReason(name, instances, acceptsImpact))
  if (rejection !== undefined) return {kind: 'rejected', reason: rejection}
  return {kind: 'passed', risks: crdRisks(name, change, lost, instances)}
}

/** What the schema rejects was said before. */
function impactReason(name: string, {usage}: InstanceSurvey, acceptsImpact: boolean): Reason | undefined {
  return usage === undefined || acceptsImpact ? undefined : usageReason(name, usage)
}

type Reason = Pick<Diagnostic, 'rule' | 'message' | 'suggestions'>

function schemaRejection(name: string, {total: all, rejected}: InstanceSurvey): Reason | undefined {
  const {total, first} = rejected
  if (total === 0) return undefined
  return {
    rule: 'instances-rejected',
    message: `${objectName(name)}: the new schema rejects ${total} of ${count(all, 'custom resource')}: ${someOf(first, total)}`,
    suggestions: [kubectlGetAll(name)],
  }
}

/** A migration is the last time that the old fields are read; those of a status are written again by the controller. */
function lossRejection(name: string, to: string, instances: InstanceSurvey): Reason | undefined {
  const {pruned, prunedFields} = instances
  const fields = prunedFields.filter(field => !/^status\b/.test(field))
  if (pruned.total === 0 || (fields.length === 0 && prunedFields.length < MAX_FIELDS)) return undefined
  const some = count(pruned.total, 'custom resource')
  return {
    rule: 'fields-pruned',
    message: `${objectName(name)}: ${some} would lose fields that ${escaped(to)} does not have, such as ${listSome(fields, SHOWN)}: ${someOf(pruned.first, pruned.total)}`,
    suggestions: [
      `${kubectlGetAll(name)} --output yaml`,
      'Save the values of these fields, and remove the fields from the custom resources.',
    ],
  }
}

/** Versions that clients can no longer use, though no object is stored in them. */
function unservedVersions({before, after}: CrdChange): readonly string[] {
  const served = (spec: JsonObject) =>
    ownVersions(spec)
      .filter(version => version.served === true)
      .map(version => asText(version.name))
  const kept = new Set(served(after))
  return served(before).filter(version => !kept.has(version))
}
