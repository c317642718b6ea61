import {ownVersions} from '../../crd/convert/convert-crd.js'
import type {Diagnostic} from '../../diagnostic.js'
import {count, listAll, listNames, plural, shellWord} from '../../text.js'
import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import {asObject, asText, asTexts, type JsonObject} from '../../yaml/json-value.js'
import {type BreakingChange, breakingChanges} from './breaking-change.js'
import type {ClusterSnapshot} from './cluster-snapshot.js'
import type {CrdChange} from './crd-change.js'
import {crdRisks} from './crd-risks.js'
import {objectName, someOf, versionsText} from './crd-texts.js'
import {otherUsers} from './crd-users.js'
import type {DesiredObject} from './desired-object.js'
import type {InstanceSurvey} from './instance-survey.js'

/** The verdict on a change of an existing CRD. */
export type GateVerdict =
  | {readonly kind: 'passed'; readonly risks: readonly Diagnostic[]}
  | {readonly kind: 'replace'; readonly reason: string}
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
  {key, name, claims}: Pick<DesiredObject, 'key' | 'name' | 'claims'>,
  live: KubernetesObject,
  change: CrdChange,
  snapshot: ClusterSnapshot,
  {replaceCrds}: {readonly replaceCrds: boolean},
): GateVerdict {
  const own = claims.map(({install}) => install)
  const dependents = {instances: snapshot.surveys.get(key), users: otherUsers(live, name, own, snapshot)}
  const stored = asTexts(asObject(live.status).storedVersions)
  const [breaking, ...more] = breakingChanges(change.before, change.after, stored, 'stored ')
  if (breaking !== undefined) return replacement(name.name, [breaking, ...more], dependents, replaceCrds)
  return compatible(name.name, change, dependents)
}

function replacement(
  name: string,
  changes: readonly [BreakingChange, ...BreakingChange[]],
  {instances, users}: Dependents,
  replaceCrds: boolean,
): GateVerdict {
  const [{rule}] = changes
  const text = listAll(changes.map(change => change.text))
  const reject = (why: string, suggestion: string): GateVerdict => ({
    kind: 'rejected',
    reason: {rule, message: `${objectName(name)}: ${text}, ${why}`, suggestions: [suggestion]},
  })
  const uses = [...instancesText(instances), ...usersText(users)]
  if (uses.length > 0) {
    const isInstances = instances === undefined || instances.total > 0
    return reject(`but ${listAll(uses)}`, isInstances ? kubectlGetAll(name) : LIST_INSTALLS)
  }
  if (replaceCrds) return {kind: 'replace', reason: text}
  return reject('which requires deleting the CRD', 'Pass --replace-crds to delete and create the CRD.')
}

const LIST_INSTALLS = 'kubectl crossplane package list --all-namespaces'

function kubectlGetAll(name: string): string {
  return `kubectl get ${shellWord(name)} --all-namespaces`
}

function instancesText(instances: InstanceSurvey | undefined): readonly string[] {
  if (instances === undefined) return ['its custom resources cannot be listed']
  const {total, first} = instances
  if (total === 0) return []
  return [`${count(total, 'custom resource')} ${plural(total, 'exists', 'exist')} (${someOf(first, total)})`]
}

function usersText(users: readonly string[]): readonly string[] {
  return users.length === 0 ? [] : [`${listNames(users)} ${plural(users.length, 'uses', 'use')} it`]
}

function compatible(name: string, change: CrdChange, {instances, users}: Dependents): GateVerdict {
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
  if (instances !== undefined && instances.rejected.total > 0) {
    const {total, first} = instances.rejected
    return {
      kind: 'rejected',
      reason: {
        rule: 'instances-rejected',
        message: `${objectName(name)}: the new schema rejects ${total} of ${count(instances.total, 'custom resource')}: ${someOf(first, total)}`,
        suggestions: [kubectlGetAll(name)],
      },
    }
  }
  return {kind: 'passed', risks: crdRisks(name, change, lost, instances)}
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
