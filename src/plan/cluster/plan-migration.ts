import {ownVersions} from '../../crd/convert/convert-crd.js'
import type {Diagnostic} from '../../diagnostic.js'
import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import {nameOf, objectKey, objectText} from '../../kubernetes/object-key.js'
import {asObject, asText, asTexts} from '../../yaml/json-value.js'
import type {Operation, Plan} from '../plan.js'
import type {CrdChange} from './crds/crd-change.js'
import {migrating} from './crds/crd-gate.js'
import type {InstanceSurvey} from './state/instance-survey.js'
import {migrateOperation} from './crds/migrate-operation.js'
import {stateOf} from './state/object-operation.js'
import type {VersionMigration} from './crds/version-migration.js'

/** A CRD with custom resources that may be stored in former versions. */
export interface FormerVersions {
  readonly crd: KubernetesObject
  readonly key: string
  readonly migration: VersionMigration
  /** The loss of the former versions. */
  readonly change: CrdChange
}

/** Returns what a CRD has stored in versions besides its storage version; undefined if nothing. */
export function formerVersions(crd: KubernetesObject): FormerVersions | undefined {
  const spec = asObject(crd.spec)
  const versions = ownVersions(spec)
  const to = versions.find(({storage}) => storage === true)
  const stored = asTexts(asObject(crd.status).storedVersions)
  const strategy = asText(asObject(spec.conversion).strategy)
  const from = stored.filter(name => name !== to?.name)
  if (to === undefined || from.length === 0 || !['', 'None'].includes(strategy)) return undefined
  const after = {...spec, versions: versions.filter(({name}) => !from.includes(asText(name)))}
  return {
    crd,
    key: objectKey(nameOf(crd)),
    migration: {from, to: asText(to.name)},
    change: {before: spec, after, isPruning: spec.preserveUnknownFields !== true, stored},
  }
}

/**
 * Plans to write the custom resources of CRDs once, so that all are stored in the storage version of their CRD. CRDs without
 * other stored versions stay as they are.
 */
export function planMigration(
  crds: readonly KubernetesObject[],
  surveys: ReadonlyMap<string, InstanceSurvey>,
): Plan {
  const former = crds.flatMap(crd => formerVersions(crd) ?? [])
  const judged = former.map(versions => judge(versions, surveys.get(versions.key)))
  return {
    operations: judged.flatMap(({operations}) => operations),
    unchanged: crds.length - former.length,
    rejections: judged.flatMap(({rejections}) => rejections),
  }
}

interface Judged {
  readonly operations: readonly Operation[]
  readonly rejections: readonly Diagnostic[]
}

function judge({crd, change, migration}: FormerVersions, survey: InstanceSurvey | undefined): Judged {
  const name = nameOf(crd)
  const object = objectText(name)
  const reject = (reason: Pick<Diagnostic, 'rule' | 'message' | 'suggestions'>): Judged => ({
    operations: [],
    rejections: [{severity: 'error', subject: {object}, ...reason}],
  })
  if (survey === undefined) {
    return reject({
      rule: 'instances-not-checked',
      message: `${object}: its custom resources cannot be listed`,
    })
  }
  const verdict = migrating(name.name, {...change, before: change.after}, migration, survey)
  if (verdict.kind === 'rejected') return reject(verdict.reason)
  const risks = verdict.kind === 'migrate' ? verdict.risks : []
  const operation = migrateOperation(
    {name, phase: 'crds', content: crd},
    migration,
    survey.total,
    stateOf(crd),
  )
  return {
    operations: [{...operation, risks: [...(operation.risks ?? []), ...risks]}],
    rejections: [],
  }
}
