import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import {CrossplaneError} from '../../errors.js'
import {present} from '../../present.js'
import type {InstallId} from '../../reference/install-id.js'
import {ambiguous, fullForm, type Nameable} from '../../reference/named.js'
import {expectAcceptance} from '../impact/planned-impact.js'
import {readPolicy} from '../request/read-request.js'
import type {InstallPorts} from './install.js'
import type {InstalledFormat, NamedHistory, NamedPart, NamedQuery, RollbackQuery} from './installed-format.js'
import {formatsInCluster} from './installed-formats.js'
import type {PackagesChange} from './joined-changes.js'
import {expectOneMeaning, namedElsewhere} from './unknown-name.js'

/** Reads the revisions of what a query names, of any format. Throws `not-found`, and the errors of the API. */
export async function readHistory(query: NamedQuery, api: ClusterApi): Promise<NamedHistory> {
  const ask = {use: 'history', action: 'list the revisions of'} as const
  return await firstPart(ask, query, api, (historyOf, named) => historyOf(named, api))
}

/** Plans the return of what a query names to a revision. Throws `not-found`, and the errors of resolution and the API. */
export async function prepareRollback(query: RollbackQuery, ports: InstallPorts): Promise<PackagesChange> {
  await expectAcceptance(query.options, async () => (await readPolicy(query.settings, ports.requests)).teams)
  const ask = {use: 'rollback', action: 'roll back'} as const
  return await firstPart(ask, query, ports.api, (rollback, named) => rollback({...query, ...named}, ports))
}

/**
 * Returns what the first format has of a name, or of the install of a repository. Throws the first error for a name that none has,
 * which is `cluster-denied` where the user may not read what it could name.
 */
async function firstPart<Use extends keyof InstalledFormat, Part>(
  {use, action}: {readonly use: Use; readonly action: string},
  query: NamedQuery,
  api: ClusterApi,
  ask: (part: InstalledFormat[Use], query: NamedQuery) => Promise<NamedPart<Part>>,
): Promise<Part> {
  await expectOneNamed(query, action, api)
  const formats = await formatsInCluster(use, api)
  const first = async (named: NamedQuery) => {
    const errors: CrossplaneError[] = []
    for (const format of formats) {
      const part = await ask(format, named).catch(deniedPart)
      if ('part' in part) return part
      if (part.absent !== undefined) errors.push(part.absent)
    }
    const [error] = errors
    if (error?.code === 'cluster-denied') throw error
    return undefined
  }
  const direct = await first(query)
  if (direct !== undefined) return direct.part
  const {install, byLastPart, error} = await installElsewhere(query, action, api)
  const named = install === undefined ? byLastPart : {...install, repository: ''}
  const other = named && (await first(writtenOutQuery(query, named)))
  if (other === undefined) throw error
  return other.part
}

/** The query for an install or a package, by its full name. */
function writtenOutQuery({install: _install, ...query}: NamedQuery, named: Nameable): NamedQuery {
  const {namespace, name} = named
  if (namespace === undefined || name === undefined) return {...query, text: fullForm(named)}
  return {...query, install: {namespace, name}, selectsPackages: false}
}

/** Throws `usage` for the name of an install that a package for a current Crossplane has, too: neither comes first. */
export async function expectOneNamed(
  {text, install, selectsPackages}: NamedQuery,
  action: string,
  api: ClusterApi,
): Promise<void> {
  if (install === undefined || !selectsPackages) return
  await expectOneMeaning({text, action}, {namespace: install.namespace}, api)
}

/** Finds an install by its repository: with a namespace, only one in it. Throws `usage` for a repository of several. */
export async function installElsewhere(
  {text, install, namespace, selectsPackages}: NamedQuery,
  action: string,
  api: ClusterApi,
): Promise<{
  readonly install: InstallId | undefined
  /** What has the text only as the last segment of its repository. */
  readonly byLastPart: Nameable | undefined
  readonly error: CrossplaneError
}> {
  const query = {
    text,
    action,
    selectsPackages,
    isRemoved: action === 'uninstall',
    ...present({namespace, install}),
  }
  const {installs, byLastPart, error} = await namedElsewhere(query, api)
  for (const all of [installs, byLastPart]) if (all.length > 1) throw ambiguous(query, all)
  return {install: installs[0], byLastPart: byLastPart[0], error}
}

function deniedPart(error: unknown): {readonly absent: CrossplaneError} {
  if (error instanceof CrossplaneError && error.code === 'cluster-denied') return {absent: error}
  throw error
}
