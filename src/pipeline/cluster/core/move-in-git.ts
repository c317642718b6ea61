import type {ClusterApi} from '../../../cluster/api/cluster-api.js'
import {keptPackage} from '../../../declaration/moving-objects.js'
import {readUsages} from '../../../observe/core/read-usages.js'
import {backward, deployedMoves, forward} from '../../../plan/cluster/core/move-contents.js'
import {continueRejections} from '../../../plan/cluster/core/move-continuation.js'
import {
  type HandOver,
  handOverOperations,
  takeOverOperations,
} from '../../../plan/cluster/core/move-operations.js'
import {coreReference} from '../../../plan/cluster/core/read-core-object.js'
import type {MovedRequest} from '../../../plan/declaration/moved-requests.js'
import type {CoreState} from '../../../plan/cluster/state/core-state.js'
import {present} from '../../../present.js'
import {escaped, listNames} from '../../../text.js'
import type {ClusterChange, Decision} from '../cluster-change.js'
import type {InstallPorts} from '../install.js'
import {snapshotOf} from './begin-move.js'
import {judgedLeftPairs} from './judge-left-pairs.js'
import {existingCore} from './change-packages.js'
import {handedOver} from './move-packages.js'
import {type MovingHome, markedMoves, leftIn, providerNamed} from './moving-home.js'

/** Returns the commit by which a move turns around; undefined if it goes in this direction. */
export function turned({moving}: MovingHome, isBack: boolean): readonly MovedRequest[] | undefined {
  if (moving.length === 0 || moving.every(one => one.isBack === isBack)) return undefined
  return moving.map(({from, to, entry, digest, objects}) => {
    const {repository, tag} = coreReference(keptPackage(objects))
    const isLocked = tag !== undefined && digest !== undefined
    return {
      ...{from: to, to: from, isBack},
      // A package that only others require has no entry: they lead to it.
      ...present({entry}),
      ...(isLocked ? {locked: {repository, tag, digest}} : {}),
    }
  })
}

/** Which steps: those between both commits, or those after the second one, with the commands that go on or back. */
export interface MovePart {
  readonly steps: 'take-over' | 'end'
  readonly ways: readonly string[]
}

/** Plans a part of the steps. */
export async function prepareInGit(
  home: MovingHome,
  part: MovePart,
  ports: InstallPorts,
): Promise<ClusterChange & PartOfMove> {
  const decide = async () => await decidedInGit(home, part, ports)
  const {former, goal, ...decision} = await decide()
  return {decision, decide, former, goal}
}

interface PartOfMove {
  /** The names of the requests that are left in the end. */
  readonly former: readonly string[]
  /** Which way the packages go, for a question. */
  readonly goal: string
}

/** Throws `cluster-refused` if a package needs its former request, so that no commit may remove it. */
export async function expectTakenOver(
  home: MovingHome,
  ways: readonly string[],
  api: ClusterApi,
): Promise<void> {
  const core = await existingCore(api)
  await (
    await handedOver((await handOvers(home, core, api)).packages, core, api, {ways, applied: 'still'})
  )()
}

async function decidedInGit(
  home: MovingHome,
  {steps: part, ways}: MovePart,
  {api, requests}: InstallPorts,
): Promise<Decision & PartOfMove> {
  const core = await existingCore(api)
  const {packages: all, direction, isLeft} = await handOvers(home, core, api)
  const {packages, rejections} = isLeft
    ? await judgedLeftPairs(all, core, {api, requests})
    : {packages: all, rejections: []}
  const isBack = direction === 'back' || home.moving.some(one => one.isBack)
  const steps = part === 'end' ? handOverOperations : takeOverOperations
  return {
    plan: {
      operations: steps(packages, core),
      unchanged: 0,
      rejections: [
        ...continueRejections(packages, core, direction, await readUsages(api), ways),
        ...rejections,
      ],
    },
    ...{snapshot: snapshotOf(core), firstOwners: [], installs: []},
    recheck: await handedOver(packages, core, api, {ways, applied: 'no more'}),
    former: packages.map(({from}) => from.name),
    goal: `${isBack ? 'give back to' : 'take over'} ${listNames(packages.map(({to}) => escaped(to.name)))}`,
  }
}

/** The annotation says which request was the first one; the home says which one stays. */
async function handOvers(
  home: MovingHome,
  core: CoreState,
  api: ClusterApi,
): Promise<{
  readonly packages: readonly HandOver[]
  readonly direction: 'continue' | 'back'
  /** Whether no command has judged them in this cluster. */
  readonly isLeft: boolean
}> {
  const {moving, requests} = home
  const marked = markedMoves(home, core)
  const staying = new Set(moving.length === 0 ? requests.keys() : moving.map(({to}) => to))
  if (marked.length > 0)
    return marked.every(({record}) => staying.has(record.to))
      ? {packages: forward(marked, core), direction: 'continue', isLeft: false}
      : {packages: backward(marked, core), direction: 'back', isLeft: false}
  const pairs = moving.flatMap(one => {
    const [from, to] = [providerNamed(one.from, core), providerNamed(one.to, core)]
    return from === undefined || to === undefined ? [] : [{from, to}]
  })
  const left = await leftIn(home, core, api)
  const packages = forward(deployedMoves([...pairs, ...left], core), core)
  return {packages, direction: 'continue', isLeft: left.length > 0}
}
