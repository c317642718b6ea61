import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import {CrossplaneError, withSuggestions} from '../../errors.js'
import {type ClusterChange, type Decision, isCarriedOut, NOTHING_LEFT} from './cluster-change.js'
import type {RemovalQuery} from './installed-format.js'
import {formatsInCluster} from './installed-formats.js'
import {expectOneNamed, installElsewhere} from './named-in-cluster.js'

/**
 * Plans the removal of the install or package that a query names, in the first format that has it; no operation is left if the
 * saved plan was applied already. Throws `not-found` if there is none, `usage` if both have it, and the errors of the API.
 */
export async function prepareRemoval(query: RemovalQuery, api: ClusterApi): Promise<ClusterChange> {
  await expectOneNamed(query, 'uninstall', api)
  const change = await knownRemoval(query, api)
  if (change !== undefined) return change
  const {saved, ignoresNotFound} = query
  if (saved !== undefined && (await isCarriedOut(saved, api))) return nothingLeft(query)
  // NAMESPACE/NAME of what is gone is not the repository of another install, which would be removed in its place.
  if (ignoresNotFound && query.install !== undefined) return nothingLeft(query)
  const {install, error} = await installElsewhere(query, 'uninstall', api)
  const other = install && (await knownRemoval({...query, install, selectsPackages: false}, api))
  if (other !== undefined) return other
  if (ignoresNotFound) return nothingLeft(query)
  throw withSuggestions(error, ['Pass --ignore-not-found if it may have been uninstalled before.'])
}

async function knownRemoval(query: RemovalQuery, api: ClusterApi): Promise<ClusterChange | undefined> {
  const denials: CrossplaneError[] = []
  for (const removalOf of await formatsInCluster('removal', api)) {
    const change = await removalOf(query, api).catch((error: unknown) => {
      if (!(error instanceof CrossplaneError) || error.code !== 'cluster-denied') throw error
      denials.push(error)
      return undefined
    })
    if (change !== undefined) return change
  }
  const [denied] = denials
  if (denied !== undefined) throw denied
  return undefined
}

function nothingLeft({install, text}: RemovalQuery): ClusterChange {
  const decision: Decision = {...NOTHING_LEFT, installs: install === undefined ? [] : [install]}
  const absent = install === undefined ? text : `${install.namespace}/${install.name}`
  return {decision, decide: () => Promise.resolve(decision), absent}
}
