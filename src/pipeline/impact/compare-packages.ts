import {CrossplaneError} from '../../errors.js'
import type {Change, Severity} from '../../usage/change.js'
import {count} from '../../text.js'
import {compareSets, type SetComparison} from '../../usage/compare-sets.js'
import type {InputFailures} from '../../usage/objects/read-objects.js'
import {type ComparedSets, type ComparedSides, readSets} from './compared-sets.js'
import type {RequestPorts} from '../request/read-request.js'

/** The differences between two sets of packages. */
export interface PackageComparison extends SetComparison, Pick<ComparedSets, 'packages' | 'unchanged'> {
  readonly totals: Readonly<Record<Severity, number>>
}

/** Compares what users depend on of two sets of packages; packages that are the same in both are not read. */
export async function comparePackages(sides: ComparedSides, ports: RequestPorts): Promise<PackageComparison> {
  const sets = await readSets(sides, ports, 'changed')
  const {changes, unread} = compareSets(sets.before, sets.after)
  const {packages, unchanged} = sets
  return {packages, unchanged, totals: totalsOf(changes), changes, unread}
}

function totalsOf(changes: readonly Change[]): Readonly<Record<Severity, number>> {
  const totals = {breaking: 0, risky: 0, compatible: 0}
  for (const {severity} of changes) totals[severity] += 1
  return totals
}

/**
 * Throws `input-invalid` or `package-invalid` if files of objects or schemas could not be read: what is wrong with their
 * objects is unknown.
 */
export function expectJudged(
  unreadable: InputFailures['unreadable'],
  comparison: Pick<PackageComparison, 'unread'>,
): void {
  if (unreadable.length === 0) return expectCompared(comparison)
  const files = new Set(unreadable.map(({file}) => file)).size
  throw new CrossplaneError('input-invalid', `cannot read the objects of ${count(files, 'file')}`, {
    diagnostics: unreadable.map(({reason, ...place}) => ({
      ...{severity: 'error', rule: 'objects-unread', message: reason},
      ...place,
    })),
  })
}

/** Throws `package-invalid` if a schema could not be read: what it breaks is unknown. */
export function expectCompared({unread}: Pick<PackageComparison, 'unread'>): void {
  if (unread.length === 0) return
  throw new CrossplaneError('package-invalid', `cannot compare ${count(unread.length, 'CRD')}`, {
    diagnostics: unread.map(({package: name, name: crd, reason}) => ({
      severity: 'error',
      rule: 'crd-unread',
      message: `${crd} of ${name}: ${reason}`,
    })),
  })
}
