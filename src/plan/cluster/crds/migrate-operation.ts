import type {ResourceKind} from '../../../cluster/api/cluster-api.js'
import type {Diagnostic} from '../../../diagnostic.js'
import {count, escaped, listNames} from '../../../text.js'
import {parseExactJson} from '../../../yaml/exact-json.js'
import {asObject, asText, asTexts, type JsonObject} from '../../../yaml/json-value.js'
import type {Operation, Precondition} from '../../plan.js'
import {CLUSTER_TARGET} from '../state/cluster-target-name.js'
import {objectName} from './crd-texts.js'
import type {DesiredObject} from '../state/desired-object.js'
import type {VersionMigration} from './version-migration.js'

/** What a `migrate` operation writes, which is its content. */
export interface Migrated extends VersionMigration {
  /** By which all custom resources are listed and written. */
  readonly kind: ResourceKind
  /** The number of custom resources when the plan was made. */
  readonly total: number
}

/** Returns the operation that writes every custom resource of a CRD once, so that it is stored in another version. */
export function migrateOperation(
  {name, phase, content}: Pick<DesiredObject, 'name' | 'phase' | 'content'>,
  {from, to}: VersionMigration,
  total: number,
  precondition: Precondition,
): Operation {
  const {group, names} = asObject(content.spec)
  const kind = {apiVersion: `${asText(group)}/${to}`, kind: asText(asObject(names).kind)}
  const text = `migrates ${count(total, 'custom resource')} of ${escaped(name.name)} from ${listNames(from)} to ${escaped(to)}`
  return {
    action: 'migrate',
    target: CLUSTER_TARGET,
    object: name,
    phase,
    reason: `custom resources are stored in ${listNames(from)}`,
    risks: [migrationRisk(name.name, text)],
    precondition,
    content: JSON.stringify({from, kind, to, total}),
  }
}

function migrationRisk(name: string, message: string): Diagnostic {
  return {severity: 'warning', rule: 'versions-migrated', message, subject: {object: objectName(name)}}
}

/** Reads the content of a `migrate` operation. */
export function migratedBy({content = ''}: Pick<Operation, 'content'>): Migrated {
  const {from, to, kind, total} = parseExactJson(content) as JsonObject
  const {apiVersion, kind: name} = asObject(kind)
  return {
    from: asTexts(from),
    to: asText(to),
    kind: {apiVersion: asText(apiVersion), kind: asText(name)},
    total: Number(total),
  }
}
