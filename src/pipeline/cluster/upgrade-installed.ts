import {CrossplaneError} from '../../errors.js'
import {readPolicy} from '../request/read-request.js'
import type {InstallPorts} from './install.js'
import type {InstalledUpgrade} from './installed-format.js'
import {formatsInCluster} from './installed-formats.js'
import {joinedChanges, type PackagesChange} from './joined-changes.js'
import {denialWarning} from './list-installs.js'

/**
 * Plans the upgrade of installed packages of all formats as one plan. Throws `not-found` for a package that is not installed, and
 * the errors of resolution and the API.
 */
export async function prepareUpgrade(query: InstalledUpgrade, ports: InstallPorts): Promise<PackagesChange> {
  const changes: PackagesChange[] = []
  const denials: CrossplaneError[] = []
  let {names} = query
  // The last format reports the names that no other has.
  for (const upgradeOf of [...(await formatsInCluster('upgrade', ports.api))].reverse()) {
    if (names.length === 0 && query.names.length > 0) break
    const {change, others, denied} = await upgradeOf({...query, names}, ports).catch((error: unknown) => {
      throw isNotFound(error) ? (denials[0] ?? error) : error
    })
    names = others
    if (change !== undefined) changes.unshift(change)
    if (denied !== undefined) denials.push(denied)
  }
  // A policy limits the packages of one format where they are resolved.
  const {teams} = changes.length < 2 ? {} : await readPolicy(query.settings, ports.requests)
  return withDenials(joinedChanges(changes, teams), denials)
}

function isNotFound(error: unknown): boolean {
  return error instanceof CrossplaneError && error.code === 'not-found'
}

/** Says which packages are not upgraded, because they cannot be listed. */
function withDenials(change: PackagesChange, denials: readonly CrossplaneError[]): PackagesChange {
  if (denials.length === 0) return change
  const warnings = denials.map(denialWarning)
  return {...change, set: {...change.set, warnings: [...change.set.warnings, ...warnings]}}
}
