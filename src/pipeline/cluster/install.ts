import {observeCluster} from '../../apply/observe-cluster.js'
import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import type {Diagnostic} from '../../diagnostic.js'
import {type InstallOptions, planInstall} from '../../plan/cluster/plan-install.js'
import type {InstallSet} from '../../render/install-set.js'
import {render, type RenderQuery} from '../render/render.js'
import type {RenderChoices} from '../render/render-part.js'
import type {RequestPorts} from '../resolve/read-request.js'
import type {ClusterChange} from './cluster-change.js'

/** What to install, and how. */
export interface InstallQuery {
  readonly render: RenderQuery
  readonly choices: RenderChoices
  readonly options: InstallOptions
}

/** A change that installs a set. */
export interface InstallChange extends ClusterChange {
  readonly set: InstallSet
  readonly notes: readonly Diagnostic[]
}

/** Renders what is requested and decides what it changes in a cluster. Throws what rendering and the API throw. */
export async function prepareInstall(
  query: InstallQuery,
  {api, requests}: {readonly api: ClusterApi; readonly requests: RequestPorts},
): Promise<InstallChange> {
  const {options} = query
  const set = await render(query.render, query.choices, requests)
  const decide = async () => {
    const snapshot = await observeCluster(set, api, options)
    return {plan: planInstall(set, snapshot, options), snapshot}
  }
  return {set, notes: set.notes ?? [], decision: await decide(), decide}
}
