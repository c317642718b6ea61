import type {Diagnostic} from '../../diagnostic.js'
import {present} from '../../present.js'
import {escaped, listSome} from '../../text.js'
import {minimalRejection} from '../explain/minimal-rejection.js'
import {ROOT} from '../solver/constraints.js'
import type {Nogood} from '../solver/nogood.js'
import type {Budget} from '../solver/solver.js'
import type {XpkgRepository} from './xpkg-catalog.js'
import type {XpkgModel} from './xpkg-model.js'

type Repositories = ReadonlyMap<string, XpkgRepository>

/** Why a repository offers fewer versions than exist, by repository. */
export type Narrowings = (repository: string) => readonly string[]

interface Explaining {
  readonly model: XpkgModel
  readonly repositories: Repositories
  readonly narrowings: Narrowings
}

/** One requirement of one package, in some of its versions. */
interface Cited {
  readonly node: number
  readonly versions: string[]
  readonly to: string
  readonly constraint: string
  readonly satisfiedBy: readonly string[]
  /** Why a root is one. */
  readonly reason: string
  /** Why versions that the constraint accepts are not of the required kind. */
  readonly otherKind?: string
}

/** Explains a rejection by the fewest requirements that cannot be satisfied together, those of the roots first. */
export function explainRejection(
  model: XpkgModel,
  nogood: Nogood,
  repositories: Repositories,
  budget: Budget,
  narrowings: Narrowings = () => [],
): readonly Diagnostic[] {
  const cited = new Map<string, Cited>()
  for (const {node, position, demand} of minimalRejection(model, nogood, budget).edges) {
    const {outcome, requirement} = demand
    if (outcome.kind !== 'edge') continue
    const {repository, versions} = model.node(outcome.to)
    const key = JSON.stringify([node, repository, requirement.text])
    const version = model.node(node).versions[position] ?? ''
    const entry = cited.get(key)
    if (entry === undefined)
      cited.set(key, {
        node,
        versions: [version],
        to: repository,
        constraint: requirement.text,
        satisfiedBy: versions.filter((_tag, at) => (outcome.allowed & (1n << BigInt(at))) !== 0n),
        reason: model.reasonOf(demand),
        ...present({otherKind: model.otherKind(demand)}),
      })
    else entry.versions.push(version)
  }
  return [...cited.values()].map(entry => diagnosticOf(entry, {model, repositories, narrowings}))
}

function diagnosticOf(cited: Cited, explaining: Explaining): Diagnostic {
  const {model, repositories} = explaining
  const {node, versions, to, constraint, satisfiedBy} = cited
  const name = nameOf(to, constraint)
  const {repository} = model.node(node)
  const message =
    node === ROOT
      ? `${name} ${cited.reason}${satisfiedBy.length === 1 ? '' : `; ${answer(cited, explaining)}`}`
      : `${versionsOf(repository, versions)} requires ${name}; ${answer(cited, explaining)}`
  const read = repositories.get(to)
  const blocked = read !== undefined && 'error' in read.tags ? read.tags.error : undefined
  return {
    severity: 'error',
    rule: 'unresolvable',
    message,
    ...present({suggestions: blocked?.suggestions}),
    subject: {
      package: to,
      requirement: constraint,
      ...(node === ROOT ? {} : {requiredBy: versionsOf(repository, versions)}),
      candidates: satisfiedBy,
    },
  }
}

function nameOf(repository: string, constraint: string): string {
  return [repository, constraint]
    .filter(text => text !== '')
    .map(escaped)
    .join(' ')
}

function versionsOf(repository: string, versions: readonly string[]): string {
  const [only, ...others] = versions
  return others.length === 0
    ? `${repository}:${escaped(only ?? '')}`
    : `${repository} (${listSome(versions.map(escaped))})`
}

function answer(cited: Cited, explaining: Explaining): string {
  const {model, repositories, narrowings} = explaining
  const {node, to, satisfiedBy, constraint, otherKind} = cited
  const isRequirement = node !== ROOT
  if (satisfiedBy.length > 0) {
    const accepted = `satisfied by ${listSome(satisfiedBy.map(escaped))}`
    const requested = model.prereleases(to, constraint).filter(tag => model.requested(to).includes(tag))
    return isRequirement ? [accepted, ...prereleaseWords(requested)].join('; ') : accepted
  }
  if (otherKind !== undefined) return otherKind
  if (isRequirement && !model.isConstraint(constraint)) return 'this is not a constraint on versions'
  const read = repositories.get(to)
  if (read === undefined) return `the version is ${escaped(model.coreVersion ?? '')}`
  const prereleases = prereleaseWords(model.prereleases(to, constraint))
  const narrowing = narrowings(to)
  return [unsatisfied(read, narrowing), ...prereleases, ...narrowing].join('; ')
}

function prereleaseWords(versions: readonly string[]): readonly string[] {
  if (versions.length === 0) return []
  const names = listSome(versions.map(escaped))
  return versions.length === 1
    ? [`${names} is a prerelease, which a constraint without one does not accept`]
    : [`${names} are prereleases, which a constraint without one does not accept`]
}

/** Why no version of a repository can be selected. */
function unsatisfied({tags, contents}: XpkgRepository, narrowing: readonly string[]): string {
  if ('reason' in tags) return `it cannot be read: ${tags.reason}`
  const [reason] = [...contents.values()].flatMap(content => ('reason' in content ? [content.reason] : []))
  if (reason !== undefined) return `no version satisfies it: ${reason}`
  if (tags.value.length === 0)
    // What an index yanked, the registry has still.
    return narrowing.some(text => text.includes(' was yanked: '))
      ? 'all of its versions were yanked'
      : 'it has no tags'
  return `no version satisfies it: it has ${listSome(tags.value.map(escaped))}`
}
