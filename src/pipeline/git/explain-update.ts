import {notDeclared} from '../../plan/declaration/declared-names.js'
import type {HomePlace} from '../../plan/folder/home.js'
import {updateBranch, updatePrefix} from '../../plan/git/update-branch.js'
import {present} from '../../present.js'
import {chooseGroup, type GroupPlace, movedBy} from './group-choice.js'
import {
  joinedWaiting,
  lockedTags,
  type MovedPackage,
  type UpdateGroup,
  type WaitingPackage,
} from './update-groups.js'
import {plannedGroups, readHome, type UpdatePorts, type UpdateQuery} from './update-plan.js'

/** Why a package is updated or not. */
export interface UpdateExplanation {
  readonly package: string
  readonly locked: string
  /** The branch that has the update; absent if there is none. */
  readonly branch?: string
  /** What is updated with it. */
  readonly packages: readonly MovedPackage[]
  /** Why a newer version is not selected. */
  readonly waiting?: WaitingPackage
}

/**
 * Explains why a package is updated or not: its group is decided as a run does, and so are the others if another one can bring it.
 * Throws `not-found` for a package that neither the declaration nor the lock has.
 */
export async function explainUpdate(
  query: UpdateQuery,
  place: HomePlace,
  ports: UpdatePorts,
): Promise<UpdateExplanation> {
  const home = await readHome(query, place, ports)
  const planned = await plannedGroups(query, home, ports)
  const [name = ''] = planned.names
  const locked = lockedTags(home.lock).get(name)
  if (locked === undefined)
    throw notDeclared({identity: name}, home.files.declaration.name, lockedTags(home.lock).keys())
  const isOwn = (group: UpdateGroup) =>
    group.packages.some(one => one.package === name) || group.words.includes(name)
  const own = planned.groups.find(isOwn)
  const isLeft = planned.waiting.some(one => one.package === name)
  const isHeld = Object.hasOwn(home.declaration.hold ?? {}, name)
  // What is held back alone can move with what requires it.
  const others = [...planned.groups.filter(group => group !== own), ...planned.others]
  const at = {query, place, ports, home}
  const waiting = [...planned.waiting]
  for (const group of [...(own === undefined ? [] : [own]), ...(isLeft && !isHeld ? others : [])]) {
    const decided = await explained(group, name, at)
    if (group === own) waiting.push(...decided.waiting)
    if (decided.branch === undefined) continue
    return explanation(name, locked, {...decided, waiting})
  }
  return explanation(name, locked, {packages: [], waiting})
}

type Found = Pick<UpdateExplanation, 'branch' | 'packages'> & {readonly waiting: readonly WaitingPackage[]}

/** What a group does with a package. */
async function explained(group: UpdateGroup, name: string, at: GroupPlace): Promise<Found> {
  const {change, chosen, waiting, error} = await chooseGroup(group, at)
  const packages = change === undefined ? [] : movedBy(change, chosen, at.home)
  const branch = packages.some(one => one.package === name)
    ? updateBranch(updatePrefix(at.ports.repository.target, at.place.folder), group.name)
    : undefined
  const failed = group.packages.flatMap(({package: one, from, to}) =>
    error === undefined
      ? []
      : [{package: one, locked: from, newest: to, reason: `the update fails: ${error.message}`}],
  )
  return {...present({branch}), packages, waiting: [...waiting, ...failed]}
}

function explanation(name: string, locked: string, {branch, packages, waiting}: Found): UpdateExplanation {
  const to = packages.find(one => one.package === name)?.to
  const left = joinedWaiting(waiting).find(one => one.package === name && one.newest !== to)
  const shown = packages.map(one => ({package: one.package, from: one.from, to: one.to}))
  return {package: name, locked, ...present({branch, waiting: left}), packages: shown}
}
