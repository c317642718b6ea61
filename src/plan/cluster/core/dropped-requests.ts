import type {Diagnostic} from '../../../diagnostic.js'
import {requestName} from '../../../reference/named.js'
import {escaped, listNames, shellWord} from '../../../text.js'
import type {CoreRequest, CoreState} from '../state/core-state.js'
import {requirementsOf} from './recorded-requires.js'
import {isForOthers} from './unused-requests.js'

/** A package of a set, in the version that it gets. */
interface NextPackage {
  readonly repository: string
  readonly dependencies: readonly {readonly package: string}[]
}

/**
 * Names what was installed for other packages and what only their former versions require: it stays in the cluster until a user removes
 * it. Names nothing while it is unknown what an installed package requires: it could require any.
 * @param requested - the repositories that a user requests with the change.
 */
export function droppedRequests(
  next: readonly NextPackage[],
  core: Pick<CoreState, 'requests' | 'lock'>,
  requested: ReadonlyMap<string, string>,
): readonly Diagnostic[] {
  const {requirers, unknown} = requirementsOf(core)
  const after = new Map<string, readonly string[]>([
    ...requirers.map(one => [one.repository, one.dependencies.map(({repository}) => repository)] as const),
    ...next.map(one => [one.repository, one.dependencies.map(required => required.package)] as const),
  ])
  if (unknown.some(({repository}) => !after.has(repository))) return []
  const formerly = (required: string) =>
    requirers
      .filter(({dependencies}) => dependencies.some(({repository}) => repository === required))
      .map(({repository}) => repository)
  const candidates = core.requests.filter(
    one => isForOthers(one) && !requested.has(one.repository) && formerly(one.repository).length > 0,
  )
  const dropped = new Set<CoreRequest>()
  const isLeft = (repository: string) => [...dropped].some(one => one.repository === repository)
  const isRequired = ({repository}: CoreRequest) =>
    [...after].some(([name, requires]) => requires.includes(repository) && !isLeft(name))
  for (let size = -1; size !== dropped.size;) {
    size = dropped.size
    for (const one of candidates) if (!isRequired(one)) dropped.add(one)
  }
  return [...dropped].map(one => droppedNote(one, formerly(one.repository), isLeft))
}

function droppedNote(
  request: CoreRequest,
  by: readonly string[],
  isLeft: (repository: string) => boolean,
): Diagnostic {
  const name = requestName(request)
  const names = listNames(by.map(one => escaped(one)))
  const message = by.every(isLeft)
    ? `only ${names} ${by.length === 1 ? 'requires' : 'require'} ${escaped(name)}, which stays in the cluster unused`
    : `new versions of ${names} do not require ${escaped(name)}, which stays in the cluster unused`
  return {
    ...{severity: 'note', rule: 'xpkg-dropped', message},
    suggestions: [
      `Once the new versions are active: kubectl crossplane package uninstall ${shellWord(name)}`,
    ],
  }
}
