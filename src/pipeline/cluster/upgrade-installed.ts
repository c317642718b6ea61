import {CrossplaneError, withSuggestions} from '../../errors.js'
import {expectAcceptance} from '../impact/planned-impact.js'
import {readPolicy} from '../request/read-request.js'
import type {InstallPorts} from './install.js'
import type {InstalledUpgrade} from './installed-format.js'
import {formatsInCluster} from './installed-formats.js'
import {joinedChanges, type PackagesChange} from './joined-changes.js'
import {denialWarning} from './list-installs.js'
import {expectOneMeaning, nearInCluster, withoutVersion, writtenOut} from './unknown-name.js'

/**
 * Plans the upgrade of installed packages of all formats as one plan. Throws `not-found` for a package that is not installed, and
 * the errors of resolution and the API.
 */
export async function prepareUpgrade(query: InstalledUpgrade, ports: InstallPorts): Promise<PackagesChange> {
  try {
    return await upgradeNamed(query, ports)
  } catch (error) {
    if (!isNotInstalled(error)) throw error
    const {defaultSource} = query.settings
    const names = await writtenOut(query.names, {action: 'upgrade', defaultSource}, ports.api)
    if (names.every((text, at) => text === query.names[at]))
      throw withSuggestions(error, await nearInCluster(query.names, ports.api))
    return await upgradeNamed({...query, names}, ports)
  }
}

async function upgradeNamed(query: InstalledUpgrade, ports: InstallPorts): Promise<PackagesChange> {
  await expectAcceptance(query.options, async () => (await readPolicy(query.settings, ports.requests)).teams)
  const changes: PackagesChange[] = []
  const denials: CrossplaneError[] = []
  const {defaultSource} = query.settings
  for (const text of query.names)
    await expectOneMeaning({text: withoutVersion(text), action: 'upgrade', defaultSource}, {}, ports.api)
  let {names} = query
  // The last format reports the names that no other has.
  for (const upgradeOf of [...(await formatsInCluster('upgrade', ports.api))].reverse()) {
    if (names.length === 0 && query.names.length > 0) break
    const {change, others, denied} = await upgradeOf({...query, names}, ports).catch((error: unknown) => {
      throw isNotInstalled(error) ? (denials[0] ?? error) : error
    })
    names = others
    if (change !== undefined) changes.unshift(change)
    if (denied !== undefined) denials.push(denied)
  }
  // A policy limits the packages of one format where they are resolved.
  const {teams} = changes.length < 2 ? {} : await readPolicy(query.settings, ports.requests)
  return withDenials(joinedChanges(changes, teams), denials)
}

/** What was not found in a registry has suggestions of its own. */
function isNotInstalled(error: unknown): error is CrossplaneError {
  return error instanceof CrossplaneError && error.code === 'not-found' && error.suggestions.length === 0
}

/** Says which packages are not upgraded, because they cannot be listed. */
function withDenials(change: PackagesChange, denials: readonly CrossplaneError[]): PackagesChange {
  if (denials.length === 0) return change
  const warnings = denials.map(denialWarning)
  return {...change, set: {...change.set, warnings: [...change.set.warnings, ...warnings]}}
}
