import {CrossplaneError} from '../../errors.js'
import {listNames, nearest, quoted, shellWord} from '../../text.js'
import type {ClusterEntry, ContextEntry, Kubeconfig, Origin, UserEntry} from './kubeconfig.js'
import {invalidKubeconfig} from './kubeconfig-error.js'

/** The entries that one context of a kubeconfig refers to. */
export interface SelectedContext {
  /** Empty in a cluster. */
  readonly name: string
  /** Empty where the context has none. */
  readonly namespace: string
  readonly cluster: Named<ClusterEntry>
  /** Absent where the context names no user: then requests are anonymous. */
  readonly user?: Named<UserEntry>
}

/** An entry of a kubeconfig with its name. */
export interface Named<Entry> {
  readonly name: string
  readonly entry: Entry
}

/**
 * Selects the requested context, else the current one; undefined where there is no current context. Throws `usage` for
 * a requested context that does not exist, and `input-invalid` for names of entries that do not.
 */
export function selectContext(
  config: Kubeconfig,
  requested: string | undefined,
): SelectedContext | undefined {
  const name = requested ?? config.currentContext
  if (name === '') return undefined
  const context = config.contexts.get(name)
  if (context === undefined) throw contextNotFound(name, config, requested !== undefined)
  return {
    name,
    namespace: context.namespace,
    cluster: clusterOf(name, context, config),
    ...userOf(name, context, config),
  }
}

function clusterOf(name: string, context: ContextEntry, {clusters}: Kubeconfig): Named<ClusterEntry> {
  const {origin, cluster} = context
  if (cluster === '')
    throw dangling(origin, `context ${quoted(name)} names no cluster`, 'cluster', clusters, name)
  const entry = clusters.get(cluster)
  if (entry !== undefined) return {name: cluster, entry}
  const message = `context ${quoted(name)} names the cluster ${quoted(cluster)}, which is not defined`
  throw dangling(origin, message, 'cluster', clusters, name)
}

function userOf(
  name: string,
  {origin, user}: ContextEntry,
  {users}: Kubeconfig,
): Pick<SelectedContext, 'user'> {
  if (user === '') return {}
  const entry = users.get(user)
  if (entry !== undefined) return {user: {name: user, entry}}
  const message = `context ${quoted(name)} names the user ${quoted(user)}, which is not defined`
  throw dangling(origin, message, 'user', users, name)
}

function dangling(
  origin: Origin,
  message: string,
  kind: 'cluster' | 'user',
  defined: ReadonlyMap<string, unknown>,
  context: string,
): CrossplaneError {
  const names = [...defined.keys()]
  const set = `kubectl config set-context ${shellWord(context)} --${kind}=NAME`
  const next = names.length === 0 ? `Define the ${kind}.` : `Use one of ${listNames(names)}: ${set}`
  return invalidKubeconfig([{origin, message}], next)
}

function contextNotFound(name: string, {contexts}: Kubeconfig, isRequested: boolean): CrossplaneError {
  const names = [...contexts.keys()]
  const similar = nearest(name, names)
  const listed = `Use one of the contexts ${listNames(names)}: `
  const option = isRequested ? '--context NAME' : 'kubectl config use-context NAME'
  const suggestion =
    names.length === 0
      ? 'The kubeconfig has no contexts; pass another with --kubeconfig FILE.'
      : similar === undefined
        ? `${listed}${option}`
        : `${isRequested ? 'Pass ' : ''}${option.replace('NAME', shellWord(similar))}${isRequested ? '.' : ''}`
  const message = isRequested
    ? `context ${quoted(name)} not found`
    : `the current context ${quoted(name)} of the kubeconfig is not defined`
  return new CrossplaneError('usage', message, {suggestions: [suggestion]})
}
