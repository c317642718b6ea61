import type {CommitStyle} from '../../commit/checkout.js'
import type {Forge} from '../../commit/forge.js'
import type {UpdateRepository} from '../../commit/update-repository.js'
import type {Lock} from '../../declaration/lock.js'
import {readDeclaration} from '../../declaration/read-declaration.js'
import type {Diagnostic} from '../../diagnostic.js'
import {CrossplaneError} from '../../errors.js'
import type {VersionOffer} from '../../locate/located-package.js'
import {declaredEntries, declaredNames, notDeclared} from '../../plan/declaration/declared-names.js'
import type {HomePlace} from '../../plan/folder/home.js'
import {SeenByHome} from '../../plan/git/seen-versions.js'
import {isUpdateBranch, updatePrefix} from '../../plan/git/update-branch.js'
import {present} from '../../present.js'
import {isWithin} from '../../reference/version-step.js'
import {committedHome, heldLock, type HomeFiles, noDeclaration} from '../home/committed-home.js'
import type {GitPorts} from './git-change.js'
import type {GitQuery} from './git-request.js'
import type {OutdatedPackage} from '../../package/reports.js'
import type {RequestedInstall} from '../../render/requested-install.js'
import {outdatedRequest} from '../resolution/outdated-request.js'
import {withContent} from '../request/input-files.js'
import {readRequest, type RequestPorts} from '../request/read-request.js'
import {
  type FittingGroup,
  type GroupQuery,
  lockedTags,
  tagged,
  type UpdateGroup,
  updateGroups,
  withFitting,
} from './update-groups.js'

/** An update of a home, as data. */
export interface UpdateQuery extends Pick<GroupQuery, 'by' | 'within' | 'names'> {
  /** What all changes have in common. */
  readonly change: Omit<GitQuery, 'request'>
  readonly style: CommitStyle
  /** The most branches that are open at a time. */
  readonly limit?: number
  /** Whether nothing is written. */
  readonly isDryRun: boolean
  /** How long a version must be known before it is selected, in milliseconds; it is counted from when it was first seen. */
  readonly minAge?: number
  /** The time of the run, in milliseconds since the epoch. */
  readonly now: number
  /** Whether GitLab opens merge requests when branches are pushed. */
  readonly opensMergeRequests?: boolean
  /** Whether several branches are an error. */
  readonly isForOne?: boolean
}

/** The ports of updates. */
export interface UpdatePorts extends Omit<GitPorts, 'checkout' | 'include' | 'cluster'> {
  readonly repository: UpdateRepository
  /** Opens requests for branches; absent where none are opened. */
  readonly forge?: Forge
}

/** A home as the base has it. */
interface UpdateHome extends GroupQuery {
  readonly files: HomeFiles
  readonly bytes: Uint8Array
  /** The versions that it has seen, if their age decides. */
  readonly seen?: SeenByHome
}

/** Another run can write at the same time. */
const MAX_ATTEMPTS = 5

/**
 * Writes which versions were seen, so that later runs know their age. What another run has written meanwhile is kept. A failure is a
 * warning: it only delays later updates.
 */
export async function recordSeen(
  home: Home,
  {minAge, now, isDryRun}: UpdateQuery,
  {folder}: HomePlace,
  {repository}: UpdatePorts,
): Promise<readonly Diagnostic[]> {
  const {seen} = home
  if (minAge === undefined || seen === undefined || isDryRun) return []
  const prefix = updatePrefix(repository.target, folder)
  try {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const {text, commit} = await repository.seen()
      const next = seen.after(new SeenByHome(text, prefix, now)).text(text)
      if (next === undefined || (await repository.putSeen(next, commit)).kind === 'done') return []
    }
    return []
  } catch (error) {
    if (!(error instanceof CrossplaneError)) throw error
    const message = `cannot record which versions were seen: ${error.message}`
    return [{severity: 'warning', rule: 'seen-versions', message, suggestions: error.suggestions}]
  }
}

export async function readHome(
  {minAge, now}: UpdateQuery,
  place: HomePlace,
  {repository}: UpdatePorts,
): Promise<Pick<UpdateHome, 'files' | 'bytes' | 'lock' | 'declaration' | 'seen'>> {
  const {checkout, include, target} = repository
  if (isUpdateBranch(target)) throw updateOfUpdate(target)
  const files = await committedHome(place, await checkout.state(), {checkout, ...present({include})})
  const {name, bytes} = files.declaration
  if (bytes === undefined) throw noDeclaration(place.declaration)
  const lock = heldLock(files)?.lock
  if (lock === undefined) {
    throw new CrossplaneError('not-found', `cannot update packages: ${place.lock} is not in the commit`, {
      suggestions: ['Commit the lock that package lock writes.'],
    })
  }
  const prefix = updatePrefix(repository.target, place.folder)
  const seen = minAge === undefined ? undefined : new SeenByHome((await repository.seen()).text, prefix, now)
  return {files, bytes, lock, declaration: readDeclaration(name, bytes), ...present({seen})}
}

function updateOfUpdate(target: string): CrossplaneError {
  return new CrossplaneError('usage', `cannot update packages of ${target}: it is the branch of an update`, {
    suggestions: ['Pass --branch with the branch that the updates are for.'],
  })
}

export type Home = Awaited<ReturnType<typeof readHome>>

export async function plannedGroups(query: UpdateQuery, home: Home, ports: UpdatePorts) {
  const {files, bytes, lock, declaration} = home
  const {name} = files.declaration
  const names = declaredNames(
    {name, bytes},
    {names: query.names, lock, ...present({defaultSource: query.change.settings.defaultSource})},
  ).named
  expectLocked(names, lock, name)
  const refused: RefusedVersions = new Map()
  const packages = await outdatedIn(home, query, ports, {refused})
  const groups = updateGroups(packages, {
    declaration,
    lock,
    by: query.by,
    within: query.within,
    names,
    refused,
  })
  return {...groups, names}
}

/** Compares the lock of a home with the newest versions, where some packages have no tags in the declaration. */
async function outdatedIn(
  home: Home,
  query: UpdateQuery,
  ports: UpdatePorts,
  {refused, free}: {readonly refused: RefusedVersions; readonly free?: ReadonlySet<string>},
): Promise<readonly OutdatedPackage[]> {
  const {files, bytes, lock, declaration} = home
  const {name, split} = files.declaration
  const requests = checkedOut(ports.requests, ports.repository)
  const own = keepingDigests(offering(requests, offersOf(home, query, refused)), lock)
  const inputs = withContent(own.inputs, name, Buffer.from(bytes).toString(), split !== undefined)
  const request = await readRequest(
    {kind: 'declaration', file: name, settings: query.change.settings},
    {...own, inputs},
  )
  const policy = {...request.policy, ...present({lock: heldLock(files)})}
  const requested = free === undefined ? request.requested : withoutTags(request.requested, declaration, free)
  return (await outdatedRequest({...request, requested, policy})).packages
}

/** Each entry of a declaration requests one package, in its order. */
function withoutTags(
  requested: readonly RequestedInstall[],
  declaration: Home['declaration'],
  free: ReadonlySet<string>,
): readonly RequestedInstall[] {
  const entries = declaredEntries(declaration, declaration.defaultSource).all
  const places = new Set(entries.filter(({identity}) => free.has(identity)).map(({index}) => index))
  return requested.map((one, index) => {
    if (!places.has(index) || one.target.kind !== 'image') return one
    const {tag: _tag, ...name} = one.target.name
    return {...one, target: {...one.target, name}}
  })
}

/**
 * Returns a group with the newest versions that fit together and with other packages, and those that do not. Throws as the resolution of
 * all packages does.
 */
export async function fittingGroup(
  group: UpdateGroup,
  query: UpdateQuery,
  home: Home,
  ports: UpdatePorts,
): Promise<FittingGroup> {
  const free = new Set(tagged(group).map(one => one.package))
  if (free.size === 0) return {group, waiting: []}
  return withFitting(group, await outdatedIn(home, query, ports, {refused: new Map(), free}))
}

/** Throws `not-found` for a name that is misspelled: nothing would be updated. */
function expectLocked(names: readonly string[], {packages, xpkgs = []}: Lock, file: string): void {
  const locked = new Set([
    ...packages.map(({identity}) => identity),
    ...xpkgs.map(({repository}) => repository),
  ])
  const missing = names.find(name => !locked.has(name))
  if (missing !== undefined) throw notDeclared({identity: missing}, file, locked)
}

/** The versions that were not offered, by repository. */
export type RefusedVersions = Map<string, Set<string>>

/**
 * Locked versions are offered, and pins of packages that are not locked yet; of others, those that are old enough, not held, and within
 * the step. A package that is not locked has no step, but waits as others do: what a version newly requires runs like any other.
 */
export function offersOf(
  {lock, declaration, seen}: Home,
  {within, minAge = 0}: UpdateQuery,
  refused: RefusedVersions = new Map(),
): VersionOffer {
  const {hold = {}, defaultSource} = declaration
  const tags = lockedTags(lock)
  const entries = declaredEntries(declaration, defaultSource).all
  const pins = new Map(entries.map(({identity, image}) => [identity, image.tag]))
  return (identity, tag) => {
    const locked = tags.get(identity)
    if ((locked ?? pins.get(identity)) === tag) return true
    const isOld = seen === undefined || seen.age(identity, tag, locked) >= minAge
    const isNear = locked === undefined || isWithin(locked, tag, within)
    const isOffered = isOld && isNear && !Object.hasOwn(hold, identity)
    if (!isOffered) refused.set(identity, (refused.get(identity) ?? new Set()).add(tag))
    return isOffered
  }
}

/** The files of the working tree, which are only written if the declaration names one: most homes name none, and have no update. */
function checkedOut(requests: RequestPorts, repository: UpdateRepository): RequestPorts {
  const {inputs, packages} = requests
  let writing: Promise<void> | undefined
  const write = async () => await (writing ??= repository.reset())
  let isNamed = false
  return {
    ...requests,
    inputs: {
      read: async (...file) => {
        await write()
        return await inputs.read(...file)
      },
      beside: (file, path) => {
        isNamed = true
        return inputs.beside(file, path)
      },
    },
    packages: async declared => {
      if (isNamed) await write()
      return await packages(declared)
    },
  }
}

/** Locked tags keep their locked bytes: a tag that was published again is no update, and the registry need not say what it has. */
function keepingDigests(requests: RequestPorts, {xpkgs = []}: Lock): RequestPorts {
  const digests = new Map(xpkgs.map(({repository, tag, digest}) => [`${repository}:${tag ?? ''}`, digest]))
  const digestOf = (identity: string, tag: string) => digests.get(`${identity}:${tag}`)
  return {...requests, packages: async declared => ({...(await requests.packages(declared)), digestOf})}
}

export function offering(requests: RequestPorts, offers: VersionOffer): RequestPorts {
  return {...requests, packages: async declared => ({...(await requests.packages(declared)), offers})}
}
