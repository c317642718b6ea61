import type {Diagnostic} from '../../diagnostic.js'
import type {ObservedPackages, ObservedRequest} from '../../observe/installs/observe-packages.js'
import {isSameInstall} from '../../plan/cluster/state/ownership.js'
import {SYSTEM_NAMESPACE} from '../../reference/instance-name.js'
import {count, listNames} from '../../text.js'
import type {ResolutionSettings} from '../request/request-query.js'

/** Namespaces in which request objects count: those that a command is about. */
export type RequestPlaces = ReadonlySet<string>

/** Returns the namespaces that the settings of a command name, and others that it names. */
export function requestPlaces(
  {systemNamespace = SYSTEM_NAMESPACE, dependencyNamespace, contextNamespace}: ResolutionSettings,
  ...others: readonly (string | undefined)[]
): RequestPlaces {
  const names = [systemNamespace, dependencyNamespace, contextNamespace, ...others]
  return new Set(names.flatMap(name => name ?? []))
}

/**
 * Leaves out the requests of other namespaces: a user who may create requests in one namespace must not decide
 * about the packages of others.
 */
export function withOwnRequests(observed: ObservedPackages, places: RequestPlaces): ObservedPackages {
  return {...observed, requests: observed.requests.filter(({namespace}) => places.has(namespace))}
}

/** Reports the requests of other namespaces, which a command ignores; those of installs are not ignored. */
export function otherRequestNotes(
  {requests, inventories}: Pick<ObservedPackages, 'requests' | 'inventories'>,
  places: RequestPlaces,
): readonly Diagnostic[] {
  const others = requests.filter(
    request =>
      !places.has(request.namespace) && !inventories.some(({install}) => isSameInstall(install, request)),
  )
  if (others.length === 0) return []
  const names = listNames(others.map(requestText))
  const message = `${count(others.length, 'request')} of other namespaces ${others.length === 1 ? 'is' : 'are'} ignored: ${names}`
  return [{severity: 'note', rule: 'request-ignored', message}]
}

function requestText({namespace, name, package: reference}: ObservedRequest): string {
  return `${namespace}/${name} (${reference})`
}
