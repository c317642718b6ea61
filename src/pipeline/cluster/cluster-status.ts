import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import {CrossplaneError} from '../../errors.js'
import {present} from '../../present.js'
import type {ClusterStatusQuery, ListedPart, ListQuery, StatusPart} from './installed-format.js'
import {readStatusesOf} from './install-status.js'
import {fullForm} from '../../reference/named.js'
import {formatsInCluster} from './installed-formats.js'
import {namedElsewhere} from './unknown-name.js'

/** Lists what is installed in a cluster, of all formats. Throws the errors of the API. */
export async function listCluster(query: ListQuery, api: ClusterApi): Promise<Required<ListedPart>> {
  const lists = await formatsInCluster('list', api)
  const parts = await Promise.all(lists.map(async list => await list(query, api)))
  return {
    installs: parts.flatMap(({installs = []}) => installs),
    packages: parts.flatMap(({packages = []}) => packages),
    warnings: parts.flatMap(({warnings}) => warnings),
  }
}

/**
 * Reads the health of all that is installed in a cluster, or of what a text names in any format. Throws `not-found` and the
 * errors of the API.
 */
export async function readClusterStatus(
  query: ClusterStatusQuery,
  api: ClusterApi,
): Promise<Required<StatusPart>> {
  const {text} = query
  const {missing, ...all} = await knownStatus(query, api)
  if (text === undefined || all.statuses.length + all.packages.length > 0) return all
  const denied = missing.find(({code}) => code === 'cluster-denied')
  if (denied !== undefined) throw denied
  const {installs, byLastPart, error} = await elsewhere(query, text, api)
  const [named] = byLastPart.filter(({kind}) => kind !== undefined)
  if (named !== undefined) return await readClusterStatus({...query, text: fullForm(named)}, api)
  const own = byLastPart.flatMap(({namespace, name}) =>
    namespace === undefined || name === undefined ? [] : [{namespace, name}],
  )
  const statuses = await readStatusesOf([...installs, ...own], api, query.lock)
  if (statuses.length === 0) throw error
  return {...all, statuses}
}

/** Installs by their repository: with a namespace, only those in it. */
async function elsewhere(
  {installs: own, selectsPackages}: ClusterStatusQuery,
  text: string,
  api: ClusterApi,
) {
  const namespace = selectsPackages ? undefined : own?.namespace
  const {name} = own ?? {}
  const install =
    name === undefined || own?.namespace === undefined ? undefined : {namespace: own.namespace, name}
  return await namedElsewhere({text, action: 'show', selectsPackages, ...present({namespace, install})}, api)
}

async function knownStatus(query: ClusterStatusQuery, api: ClusterApi) {
  const {text, lock} = query
  // What a lock has of a format is missing in a cluster that cannot have it.
  const isExpected = lock?.instances.some(({kind}) => kind !== undefined) === true
  const formats = await formatsInCluster('status', api, isExpected ? ['xpkg'] : [])
  const missing: CrossplaneError[] = []
  const parts = await Promise.all(
    formats.map(async statusOf => {
      const read = statusOf(query, api)
      return text === undefined ? await read : await read.catch((error: unknown) => otherwise(error, missing))
    }),
  )
  return {
    missing,
    statuses: parts.flatMap(part => part?.statuses ?? []),
    packages: parts.flatMap(part => part?.packages ?? []),
    warnings: parts.flatMap(part => part?.warnings ?? []),
    denials: parts.flatMap(part => part?.denials ?? []),
  }
}

/** What a text names can be of another format, also if the user may not read this one. */
function otherwise(error: unknown, missing: CrossplaneError[]): undefined {
  if (!(error instanceof CrossplaneError) || !NOT_FOUND.includes(error.code)) throw error
  missing.push(error)
}

const NOT_FOUND: readonly string[] = ['not-found', 'cluster-denied']
