import {migratedBy} from '../../../plan/cluster/crds/migrate-operation.js'
import {isCrd} from '../../../kubernetes/crd-kind.js'
import type {Plan} from '../../../plan/plan.js'
import {count, listNames, listSome} from '../../../text.js'
import {plainText} from '../text/plain-text.js'

/** The steps by which CRDs lose the versions that custom resources are stored in; none if no CRD does. */
export function migrationLines({operations}: Pick<Plan, 'operations'>): readonly string[] {
  const migrations = operations
    .filter(({action}) => action === 'migrate')
    .map(operation => ({crd: operation.object?.name ?? '', ...migratedBy(operation)}))
  // A migration by itself neither serves nor drops a version.
  const isStep = operations.some(({action, object}) => action === 'apply' && isCrd(object))
  if (migrations.length === 0 || !isStep) return []
  const total = migrations.reduce((sum, migration) => sum + migration.total, 0)
  const pairs = [...new Set(migrations.map(({from, to}) => `from ${listNames(from)} to ${to}`))]
  const former = [...new Set(migrations.flatMap(({from}) => from))].sort()
  const crds = `${count(migrations.length, 'CRD')} (${listSome(migrations.map(({crd}) => crd))})`
  return [
    'Versions of CRDs change in three steps:',
    `1. Serve the former and the new versions of ${crds}.`,
    `2. Migrate ${count(total, 'custom resource')} ${listSome(pairs)}.`,
    `3. Drop ${listNames(former)}.`,
  ].map(line => plainText(line))
}
