import type {CoreRequest, CoreState} from '../state/core-state.js'
import {isMadeByCore} from './judge-package-object.js'
import {requirementsOf} from './recorded-requires.js'
import {isOurs, requestedAs} from './requested-as.js'

/**
 * Returns a request, and those that were installed for other packages and that none requires without it. A package of which it
 * is unknown what it requires could require any.
 */
export function unusedWithout(
  request: CoreRequest,
  core: Pick<CoreState, 'requests' | 'lock'>,
): readonly CoreRequest[] {
  const {requests} = core
  const {requirers: entries, unknown} = requirementsOf(core)
  if (unknown.some(other => other !== request)) return [request]
  const removed = new Set([request])
  const names = new Set([request.repository])
  const isRequired = ({repository}: CoreRequest) =>
    entries.some(
      entry => !names.has(entry.repository) && entry.dependencies.some(one => one.repository === repository),
    )
  const wasRequired = ({repository}: CoreRequest) =>
    entries.some(
      entry => names.has(entry.repository) && entry.dependencies.some(one => one.repository === repository),
    )
  for (;;) {
    const next = requests.find(
      other => !removed.has(other) && isForOthers(other) && wasRequired(other) && !isRequired(other),
    )
    if (next === undefined) return [...removed]
    removed.add(next)
    names.add(next.repository)
  }
}

/** Reports whether a request was made for other packages, by this program or by the core itself. */
export function isForOthers(request: CoreRequest): boolean {
  const {object} = request
  return isOurs(object) ? requestedAs(request) === undefined : isMadeByCore(object)
}
