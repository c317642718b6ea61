import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import {CrossplaneError} from '../../errors.js'
import {quoted} from '../../text.js'
import type {InstallPorts} from './install.js'
import type {InstalledFormat, NamedHistory, NamedPart, NamedQuery, RollbackQuery} from './installed-format.js'
import {formatsInCluster} from './installed-formats.js'
import type {PackagesChange} from './joined-changes.js'

/** Reads the revisions of what a query names, of any format. Throws `not-found`, and the errors of the API. */
export async function readHistory(query: NamedQuery, api: ClusterApi): Promise<NamedHistory> {
  return await firstPart('history', query, api, historyOf => historyOf(query, api))
}

/** Plans the return of what a query names to a revision. Throws `not-found`, and the errors of resolution and the API. */
export async function prepareRollback(query: RollbackQuery, ports: InstallPorts): Promise<PackagesChange> {
  return await firstPart('rollback', query, ports.api, rollback => rollback(query, ports))
}

/**
 * Returns what the first format has of a name. Throws the first error for a name that none has, which is `cluster-denied` where the
 * user may not read what it could name.
 */
async function firstPart<Use extends keyof InstalledFormat, Part>(
  use: Use,
  {text = ''}: NamedQuery,
  api: Pick<ClusterApi, 'discover'>,
  ask: (part: InstalledFormat[Use]) => Promise<NamedPart<Part>>,
): Promise<Part> {
  const errors: CrossplaneError[] = []
  for (const format of await formatsInCluster(use, api)) {
    const named = await ask(format).catch(deniedPart)
    if ('part' in named) return named.part
    if (named.absent !== undefined) errors.push(named.absent)
  }
  throw errors[0] ?? packageAbsent(text)
}

function deniedPart(error: unknown): {readonly absent: CrossplaneError} {
  if (error instanceof CrossplaneError && error.code === 'cluster-denied') return {absent: error}
  throw error
}

function packageAbsent(text: string): CrossplaneError {
  return new CrossplaneError('not-found', `package ${quoted(text)} is not installed`, {
    suggestions: ['kubectl crossplane package list --all-namespaces'],
  })
}
