import {requestText} from '../../../plan/cluster/core/lock/problem-texts.js'
import {coreReference} from '../../../plan/cluster/core/read-core-object.js'
import {requirementsOf} from '../../../plan/cluster/core/recorded-requires.js'
import {CrossplaneError} from '../../../errors.js'
import type {CoreRequest, CoreState} from '../../../plan/cluster/state/core-state.js'
import {parseImageName} from '../../../reference/image-name.js'
import {nearNames, notFound, oneNamedIn} from '../../../reference/named.js'
import {canonicalName, repositoryName} from '../../../reference/repository-name.js'
import {escaped, quoted} from '../../../text.js'
import {derivedName} from '../../../xpkg/package-name.js'
import type {ResolutionSettings} from '../../request/request-query.js'

/** A package that moves to another request. */
export interface BeginQuery {
  readonly action: 'begin'
  /** The package that is installed, by a name of it. */
  readonly from: string
  /** `REPOSITORY` or `REPOSITORY:TAG` */
  readonly to: string
  readonly name?: string
  /** Whether the members of a family move with it. */
  readonly family: boolean
  /** What requires it, each as `NAME:TAG`, with the version to which it changes in the same move. */
  readonly with: readonly string[]
  readonly settings: ResolutionSettings
  /** Whether commits request it, and remove the former request. */
  readonly inGit?: true
}

/** A package, and what it moves to. */
export interface MoveTarget {
  readonly from: CoreRequest
  readonly name: string
  readonly repository: string
  readonly tag: string
}

/** Returns the package, and the members of its family, with what they move to. Throws `not-found` and `usage`. */
export function targetsOf(
  {from: text, to, name, family, settings}: BeginQuery,
  core: CoreState,
): readonly MoveTarget[] {
  const {defaultSource} = settings
  const from = oneNamedIn({text, action: 'move', defaultSource}, core.requests)
  if (from === undefined)
    throw notFound({kind: 'package', name: text}, [
      ...nearNames({text}, core.requests),
      'kubectl crossplane package list',
    ])
  const {repository: place, tag, digest} = coreReference(to)
  if (digest !== undefined) {
    const message = `cannot move ${quoted(text)}: ${escaped(to)} names a digest, and only packages with tags can move`
    throw new CrossplaneError('usage', message, {suggestions: ['Pass REPOSITORY:TAG.']})
  }
  const image = parseImageName(place)
  // As it is written, with the registry: Crossplane takes no other name, not even for docker.io.
  const repository = image === undefined ? place : repositoryName(image, defaultSource)
  const first = {from, repository, name: name ?? derivedName(repository), tag: tag ?? from.tag ?? ''}
  if (first.name === from.name && canonicalName(repository) === canonicalName(from.repository))
    throw nothingMoves(from)
  const members = family ? membersOf(from, core) : []
  return [
    first,
    ...members.map(member => {
      const own = `${folderOf(repository)}${member.repository.slice(folderOf(member.repository).length)}`
      return {from: member, repository: own, name: derivedName(own), tag: member.tag ?? ''}
    }),
  ]
}

/** A request that requires what moves, and the tag to which it changes. */
export interface RequirerTarget {
  readonly from: CoreRequest
  readonly tag: string
}

/** Returns the requests that change their versions with a move. Throws `not-found` and `usage`. */
export function requirerTargets(
  {with: texts, settings: {defaultSource}}: Pick<BeginQuery, 'with' | 'settings'>,
  {requests}: Pick<CoreState, 'requests'>,
): readonly RequirerTarget[] {
  const all = texts.map(text => {
    const {repository: name, tag, digest} = coreReference(text)
    if (tag === undefined || digest !== undefined)
      throw new CrossplaneError('usage', `--with ${quoted(text)} has no tag`, {
        suggestions: ['Pass NAME:TAG, with the version that requires the new repository.'],
      })
    const from = oneNamedIn({text: name, action: 'move', defaultSource}, requests)
    if (from === undefined)
      throw notFound({kind: 'package', name}, [
        ...nearNames({text: name}, requests),
        'kubectl crossplane package list',
      ])
    return {from, tag}
  })
  const twice = all.find(({from}, index) => all.findIndex(one => one.from === from) !== index)
  if (twice === undefined) return all
  throw new CrossplaneError('usage', `--with names ${requestText(twice.from)} twice`, {
    suggestions: ['Pass one version of it.'],
  })
}

function nothingMoves(from: CoreRequest): CrossplaneError {
  const message = `${requestText(from)} has this repository and this name: nothing moves`
  return new CrossplaneError('usage', message, {
    suggestions: ['Pass another repository, or --name NAME.', 'A version changes with package upgrade.'],
  })
}

/** The packages beside it, in the same registry and organization, that require it. */
function membersOf({repository}: CoreRequest, core: CoreState): readonly CoreRequest[] {
  const requiring = new Set(
    requirementsOf(core)
      .requirers.filter(({dependencies}) => dependencies.some(one => one.repository === repository))
      .map(one => one.repository),
  )
  return core.requests.filter(
    one =>
      one.repository !== repository &&
      requiring.has(one.repository) &&
      folderOf(one.repository) === folderOf(repository),
  )
}

function folderOf(repository: string): string {
  return repository.slice(0, repository.lastIndexOf('/') + 1)
}
