import type {KubernetesObject} from '../../../kubernetes/kubernetes-object.js'
import {escaped, listNames, plural} from '../../../text.js'
import {writeJson} from '../../../yaml/write-yaml.js'
import type {Operation} from '../../plan.js'
import type {GateVerdict} from './crd-gate.js'
import type {DesiredObject} from '../state/desired-object.js'
import {contentHash, isSameContent} from '../state/live-object.js'
import {migrateOperation} from './migrate-operation.js'
import {objectOperation, stateOf} from '../state/object-operation.js'
import {uidOf} from '../state/ownership.js'
import {type VersionMigration, withVersions} from './version-migration.js'

/** The operations on a CRD before it loses stored versions; it can serve both already. */
export interface CrdMigration {
  readonly served: readonly Operation[]
  readonly migrated: Operation
}

/**
 * Returns the operations by which a CRD loses stored versions: the former versions are served beside the new ones, custom
 * resources are migrated, and the former versions are dropped. @param both - the CRD after the first of them.
 */
export function migrationOperations(
  desired: DesiredObject,
  live: KubernetesObject,
  both: KubernetesObject,
  {migration, total, risks}: GateVerdict & {readonly kind: 'migrate'},
  more: Partial<Operation>,
): {readonly operation: Operation; readonly before: CrdMigration} {
  const precondition = {uid: uidOf(live), sha256: contentHash(both)}
  const {phase, name, shared, content} = desired
  const serving = {
    phase,
    name,
    shared,
    get text() {
      return writeJson(withVersions(content, live, migration.from))
    },
  }
  const served = isSameContent(live, both)
    ? []
    : [objectOperation(serving, stateOf(live), servedReason(migration), more)]
  return {
    operation: objectOperation(desired, precondition, droppedReason(migration), {...more, risks}),
    before: {served, migrated: migrateOperation(desired, migration, total, precondition)},
  }
}

function servedReason({from, to}: VersionMigration): string {
  return `${listNames(from)} ${plural(from.length, 'is', 'are')} served together with ${escaped(to)}`
}

function droppedReason({from}: VersionMigration): string {
  return `the package does not have ${listNames(from)}`
}
