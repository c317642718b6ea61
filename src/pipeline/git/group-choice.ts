import {CrossplaneError} from '../../errors.js'
import type {VersionOffer} from '../../locate/located-package.js'
import type {HomePlace} from '../../plan/folder/home.js'
import {present} from '../../present.js'
import {expectCommittable, type GitChange, prepareGitChange} from './git-change.js'
import {
  type FittingGroup,
  type MovedPackage,
  movedPackages,
  type UpdateGroup,
  waitingGroup,
  type WaitingPackage,
} from './update-groups.js'
import {
  fittingGroup,
  type Home,
  offering,
  offersOf,
  type RefusedVersions,
  type UpdatePorts,
  type UpdateQuery,
} from './update-plan.js'

/** What becomes of a group: a change, or why there is none. */
export interface GroupChoice {
  /** Absent if nothing is updated; it is not empty and can be committed. */
  readonly change?: GitChange
  /** The group with the versions that fit. */
  readonly chosen: UpdateGroup
  readonly waiting: readonly WaitingPackage[]
  /** Why there is no change although there should be one. */
  readonly error?: CrossplaneError
  /** Whether the group has a branch: one that exists is not removed, also where there can only be a change later. */
  readonly isKept: boolean
}

/** Where groups are updated. */
export interface GroupPlace {
  readonly query: UpdateQuery
  readonly place: HomePlace
  readonly ports: UpdatePorts
  readonly home: Home
}

/** Of versions that do not fit, older ones are chosen that do; there is no change if none of these is newer than the locked one. */
export async function chooseGroup(group: UpdateGroup, at: GroupPlace): Promise<GroupChoice> {
  const refused: RefusedVersions = new Map()
  const offers = offersOf(at.home, at.query, refused)
  const first = await prepare(group, offers, at)
  if (!(first instanceof CrossplaneError)) return committable(first, group, [])
  // What is held or too new is named, and can be selected later.
  const later = await waitingFor(group, refused, at)
  if (later.length > 0) return {chosen: group, waiting: later, isKept: true}
  const failed = {chosen: group, waiting: [], error: first, isKept: true}
  if (first.code !== 'unresolvable') return failed
  const {group: chosen, waiting} = await fitting(group, at)
  if (waiting.length === 0) return failed
  if (chosen === undefined) return {chosen: group, waiting, isKept: false}
  const change = await prepare(chosen, offers, at)
  return change instanceof CrossplaneError ? {...failed, error: change} : committable(change, chosen, waiting)
}

/** A change that must not be committed is an error. */
function committable(change: GitChange, chosen: UpdateGroup, waiting: GroupChoice['waiting']): GroupChoice {
  if (change.isEmpty) return {chosen, waiting, isKept: false}
  try {
    expectCommittable(change)
    return {change, chosen, waiting, isKept: true}
  } catch (error) {
    if (error instanceof CrossplaneError) return {chosen, waiting, error, isKept: true}
    throw error
  }
}

/** Returns what a change moves: first the packages of the group, then what moves with them. */
export function movedBy(change: GitChange, {packages}: UpdateGroup, {lock}: Home): readonly MovedPackage[] {
  const names = new Set(packages.map(one => one.package))
  return [...packages, ...movedPackages(lock, change.newLock).filter(one => !names.has(one.package))]
}

async function prepare(
  {words, request}: UpdateGroup,
  offers: VersionOffer,
  {query, place, ports: {repository, ...ports}}: GroupPlace,
): Promise<GitChange | CrossplaneError> {
  try {
    await repository.reset()
    const {checkout, include} = repository
    const requests = request === undefined ? offering(ports.requests, offers) : ports.requests
    return await prepareGitChange(
      {...query.change, request: request ?? {kind: 'upgrade', names: words}, isReviewed: true},
      place,
      {...ports, requests, checkout, ...present({include})},
    )
  } catch (error) {
    if (error instanceof CrossplaneError) return error
    throw error
  }
}

/** The packages of a group that could be updated if versions were offered that wait or are held; none if it fails then as well. */
async function waitingFor(
  group: UpdateGroup,
  refused: RefusedVersions,
  at: GroupPlace,
): Promise<readonly WaitingPackage[]> {
  if (refused.size === 0) return []
  const change = await prepare(group, () => true, at)
  if (change instanceof CrossplaneError) return []
  const {home, query} = at
  return waitingGroup(group, movedPackages(home.lock, change.newLock), {
    ...home,
    within: query.within,
    refused,
  })
}

/** Where nothing fits at all, the first error says why. */
async function fitting(group: UpdateGroup, {query, home, ports}: GroupPlace): Promise<FittingGroup> {
  const unchanged = {group, waiting: []}
  if (group.request !== undefined) return unchanged
  try {
    return await fittingGroup(group, query, home, ports)
  } catch (error) {
    if (error instanceof CrossplaneError) return unchanged
    throw error
  }
}
