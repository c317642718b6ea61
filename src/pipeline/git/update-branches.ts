import type {CommitStyle} from '../../commit/checkout.js'
import type {ForgeResult} from '../../commit/forge.js'
import type {BranchResult} from '../../commit/update-repository.js'
import type {Diagnostic} from '../../diagnostic.js'
import {CrossplaneError} from '../../errors.js'
import {mergeRequestOptions, updateBody, withoutMentions} from '../../inspect/update-body.js'
import type {HomePlace} from '../../plan/folder/home.js'
import type {VersionOffer} from '../../locate/located-package.js'
import {updateBranch, updatePrefix} from '../../plan/git/update-branch.js'
import {
  type CommitObject,
  isSameCommit,
  isSealed,
  readCommitObject,
  sealedMessage,
} from '../../plan/git/update-seal.js'
import {present} from '../../present.js'
import {compareText} from '../../reference/compare-text.js'
import {commandLine} from '../../text.js'
import {carryOutGitChange, type GitChange, prepareGitChange} from './git-change.js'
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
  plannedGroups,
  readHome,
  recordSeen,
  type RefusedVersions,
  type UpdatePorts,
  type UpdateQuery,
} from './update-plan.js'

/** What became of a branch. */
type UpdateStatus =
  | 'created'
  | 'updated'
  | 'current' // as it would be made now
  | 'changed' // a user changed it
  | 'checked-out' // a working tree of the repository has it
  | 'waiting' // for others, of which there are as many as are allowed
  | 'failed'
  | 'removed' // this run would not make it

/** The branch of a group. */
export interface UpdateReport {
  readonly branch: string
  readonly status: UpdateStatus
  /** What it updates, and what moves with that. */
  readonly packages: readonly MovedPackage[]
  readonly commit?: string
  /** The subject of the commit, and the text of a request. */
  readonly title?: string
  readonly body?: string
  /** What became of the request of the branch. */
  readonly request?: ForgeResult
  /** Why it failed, or its request. */
  readonly error?: CrossplaneError
  readonly warnings: readonly Diagnostic[]
  /** What the change says besides, such as which packages stay as they are. */
  readonly notes?: readonly Diagnostic[]
  /** What the server printed. */
  readonly messages: readonly string[]
  /** What was not done although nothing failed. */
  readonly note?: string
}

/** The branches of a home, and the packages that are not updated. */
export interface UpdatesReport {
  readonly target: string
  readonly updates: readonly UpdateReport[]
  readonly waiting: readonly WaitingPackage[]
  /** What failed without delaying an update. */
  readonly warnings: readonly Diagnostic[]
}

/**
 * Makes one branch for each group of packages that can be updated. A branch that a user changed is left. Nothing is pushed before it is
 * complete, so that the next run completes what one that was stopped has left. Throws the errors of the resolution of all packages.
 */
export async function updateBranches(
  query: UpdateQuery,
  place: HomePlace,
  ports: UpdatePorts,
): Promise<UpdatesReport> {
  const {repository} = ports
  const home = await readHome(query, place, ports)
  const {groups, waiting} = await plannedGroups(query, home, ports)
  if (query.isForOne === true && groups.length > 1) throw severalGroups(groups.length)
  const warnings = [...(await recordSeen(home, query, place, ports))]
  const prefix = updatePrefix(repository.target, place.folder)
  const before = await repository.branches(prefix)
  const run = new UpdateRun(query, place, ports, home, before)
  const updates: UpdateReport[] = []
  const size = home.seen?.size
  for (const group of groups) updates.push(...(await run.update(group, updateBranch(prefix, group.name))))
  // What a group newly requires is only known now.
  if (home.seen?.size !== size && warnings.length === 0)
    warnings.push(...(await recordSeen(home, query, place, ports)))
  const left = query.names.length > 0 ? [] : [...before.keys()].filter(branch => !run.branches.has(branch))
  for (const branch of left.sort()) updates.push(await run.remove(branch))
  const all = [...waiting.filter(one => !isMoved(one, updates)), ...run.waiting].sort((one, other) =>
    compareText(one.package, other.package),
  )
  return {target: repository.target, updates, waiting: all, warnings}
}

/** Whether a branch brings the newest version: what is held back alone can move with what requires it. */
function isMoved({package: name, newest}: WaitingPackage, updates: readonly UpdateReport[]): boolean {
  return updates.some(({packages}) => packages.some(one => one.package === name && one.to === newest))
}

function severalGroups(number: number): CrossplaneError {
  return new CrossplaneError('usage', `--body-file is for one branch, and there are ${number}`, {
    suggestions: ['Pass --by all or one PACKAGE, or read the bodies of all branches with --output json.'],
  })
}

function withMoved(own: readonly MovedPackage[], moved: readonly MovedPackage[]): readonly MovedPackage[] {
  const names = new Set(own.map(one => one.package))
  return [...own, ...moved.filter(one => !names.has(one.package))]
}

/** Makes the branches of one run. */
export class UpdateRun {
  /** The branches that it has judged. */
  readonly branches = new Set<string>()
  /** The packages of groups that wait for what they require. */
  readonly waiting: WaitingPackage[] = []
  readonly #query: UpdateQuery
  readonly #place: HomePlace
  readonly #ports: UpdatePorts
  readonly #home: Home
  readonly #before: ReadonlyMap<string, string>
  #open: number

  constructor(
    query: UpdateQuery,
    place: HomePlace,
    ports: UpdatePorts,
    home: Home,
    before: ReadonlyMap<string, string>,
  ) {
    this.#query = query
    this.#place = place
    this.#ports = ports
    this.#home = home
    this.#before = before
    this.#open = before.size
  }

  /** Makes the branch of a group; nothing if the group changes nothing. */
  async update(group: UpdateGroup, branch: string): Promise<readonly UpdateReport[]> {
    const {limit = Infinity} = this.#query
    const report = {branch, packages: group.packages, warnings: [], messages: []}
    if (!this.#before.has(branch) && this.#open >= limit) return [{...report, status: 'waiting'}]
    const refused: RefusedVersions = new Map()
    try {
      const {change, chosen, waiting} = await this.#prepareFitting(group, branch, refused)
      this.waiting.push(...waiting)
      if (change === undefined || change.isEmpty) return []
      this.branches.add(branch)
      const made = await this.#put(change, chosen, branch)
      const packages = withMoved(chosen.packages, movedPackages(this.#home.lock, change.newLock))
      return [{...report, packages, ...made, ...(await this.#request(branch, made))}]
    } catch (error) {
      if (!(error instanceof CrossplaneError)) throw error
      // One group that cannot be updated delays no other; its branch stays as it is.
      this.branches.add(branch)
      const waiting = await this.#waitingFor(group, refused)
      this.waiting.push(...waiting)
      return waiting.length > 0 ? [] : [{...report, status: 'failed', error}]
    }
  }

  /** Of versions that do not fit, older ones are chosen that do; there is no change if none of these is newer than the locked one. */
  async #prepareFitting(
    group: UpdateGroup,
    branch: string,
    refused: RefusedVersions,
  ): Promise<{
    readonly change?: GitChange
    readonly chosen: UpdateGroup
    readonly waiting: readonly WaitingPackage[]
  }> {
    const offers = offersOf(this.#home, this.#query, refused)
    try {
      return {change: await this.#prepare(group, offers), chosen: group, waiting: []}
    } catch (error) {
      if (!(error instanceof CrossplaneError) || error.code !== 'unresolvable') throw error
      // What is held or too new is named, and can be selected later.
      const later = await this.#waitingFor(group, refused)
      if (later.length > 0) {
        // The branch stays as it is.
        this.branches.add(branch)
        return {chosen: group, waiting: later}
      }
      const {group: chosen, waiting} = await this.#fitting(group)
      if (waiting.length === 0) throw error
      if (chosen === undefined) return {chosen: group, waiting}
      return {change: await this.#prepare(chosen, offers), chosen, waiting}
    }
  }

  /** Where nothing fits at all, the first error says why. */
  async #fitting(group: UpdateGroup): Promise<FittingGroup> {
    const unchanged = {group, waiting: []}
    if (group.request !== undefined) return unchanged
    try {
      return await fittingGroup(group, this.#query, this.#home, this.#ports)
    } catch (error) {
      if (error instanceof CrossplaneError) return unchanged
      throw error
    }
  }

  /** The packages of a group that could be updated if versions were offered that wait or are held; none if it fails then as well. */
  async #waitingFor(group: UpdateGroup, refused: RefusedVersions): Promise<readonly WaitingPackage[]> {
    if (refused.size === 0) return []
    try {
      const {newLock} = await this.#prepare(group, () => true)
      return waitingGroup(group, movedPackages(this.#home.lock, newLock), {
        ...this.#home,
        within: this.#query.within,
        refused,
      })
    } catch (error) {
      if (error instanceof CrossplaneError) return []
      throw error
    }
  }

  /** Deletes a branch that this run would not make, unless a user changed it. */
  async remove(branch: string): Promise<UpdateReport> {
    const {repository} = this.#ports
    const from = this.#before.get(branch) ?? ''
    const report = {branch, packages: [], warnings: [], messages: []}
    try {
      if (!isSealed(await this.#read(from))) return {...report, status: 'changed', commit: from}
      if (this.#query.isDryRun) return {...report, status: 'removed'}
      const {kind, messages} = await repository.remove({branch, from})
      if (kind === 'done') return {...report, status: 'removed', messages}
      return {...report, ...(await this.#asLeft(branch, kind)), messages}
    } catch (error) {
      if (!(error instanceof CrossplaneError)) throw error
      return {...report, status: 'failed', error}
    }
  }

  /** What a branch is that was not moved: another run can have made or removed it. */
  async #asLeft(
    branch: string,
    kind: Exclude<BranchResult['kind'], 'done'>,
  ): Promise<Pick<UpdateReport, 'status' | 'commit'>> {
    if (kind === 'checked-out') return {status: 'checked-out'}
    const commit = (await this.#ports.repository.branches(branch)).get(branch)
    if (commit === undefined) return {status: 'removed'}
    return isSealed(await this.#read(commit)) ? {status: 'current', commit} : {status: 'changed'}
  }

  async #prepare({words, request}: UpdateGroup, offers: VersionOffer): Promise<GitChange> {
    const {repository, ...ports} = this.#ports
    await repository.reset()
    const {checkout, include} = repository
    const requests = request === undefined ? offering(ports.requests, offers) : ports.requests
    return await prepareGitChange(
      {
        ...this.#query.change,
        request: request ?? {kind: 'upgrade', names: words},
        isReviewed: true,
      },
      this.#place,
      {...ports, requests, checkout, ...present({include})},
    )
  }

  async #put(change: GitChange, group: UpdateGroup, branch: string): Promise<UpdateOutcome> {
    const {repository} = this.#ports
    const {style, isDryRun} = this.#query
    const message = withoutMentions(change.message)
    const [title = ''] = message.split('\n')
    const text = {title, body: this.#body(change, group), warnings: change.set.warnings, notes: change.notes}
    const sealed = {...change, message, commit: {...change.commit, message}}
    // What is only printed runs no program of the user.
    const used: CommitStyle = isDryRun ? {...style, sign: undefined, isBare: true} : style
    const made = await carryOutGitChange(sealed, used)
    if (made === undefined) throw new RangeError('a change that is not empty makes a commit')
    const own = await this.#read(made.id)
    const object = {...own, message: sealedMessage(own)}
    const commit = await repository.commit(object, used)
    const from = this.#before.get(branch)
    const status = await this.#statusOf(from, object)
    if (status === 'current' || status === 'changed')
      return {...text, status, ...this.#noteOf(status), ...present({commit: from}), messages: []}
    if (status === 'created') this.#open += 1
    if (isDryRun) return {...text, status, messages: []}
    const options =
      this.#query.opensMergeRequests === true ? mergeRequestOptions(repository.target, text) : []
    const {kind, messages} = await repository.put({branch, ...present({from}), to: commit, options})
    if (kind === 'done') return {...text, status, commit, messages}
    return {...text, ...(await this.#asLeft(branch, kind)), messages}
  }

  /** GitLab opens a merge request when it gets a push, and there is none. */
  #noteOf(status: UpdateStatus): Pick<UpdateReport, 'note'> {
    const isLeft = this.#query.opensMergeRequests === true && status === 'current'
    return isLeft ? {note: 'no merge request is opened: the branch exists'} : {}
  }

  /** Opens the request of a branch that is as this program made it. One that fails is opened by the next run. */
  async #request(
    branch: string,
    {status, commit, title = '', body = ''}: UpdateOutcome,
  ): Promise<Pick<UpdateReport, 'request' | 'error'>> {
    const {forge, repository} = this.#ports
    if (forge === undefined || commit === undefined || status === 'changed' || status === 'removed') return {}
    try {
      return {request: await forge.ensure({branch, target: repository.target, commit, title, body})}
    } catch (error) {
      if (!(error instanceof CrossplaneError)) throw error
      return {error}
    }
  }

  async #statusOf(from: string | undefined, made: CommitObject): Promise<UpdateStatus> {
    if (from === undefined) return 'created'
    const before = await this.#read(from)
    if (isSameCommit(before, made)) return 'current'
    return isSealed(before) ? 'updated' : 'changed'
  }

  async #read(commit: string): Promise<CommitObject> {
    return readCommitObject(await this.#ports.repository.read(commit))
  }

  #body({summary, impact, set, notes, state, newLock}: GitChange, group: UpdateGroup): string {
    const {folder} = this.#place
    return updateBody({
      packages: movedPackages(this.#home.lock, newLock),
      summary,
      ...(impact === undefined ? {} : {impact: {...impact.impact, open: impact.open.length}}),
      warnings: set.warnings.map(({message}) => message),
      // The folder can be that of a clone of this run.
      notes: notes.map(({message}) => message.replaceAll(`${state.root}/`, '')),
      rollback: group.packages.map(({package: name}) =>
        commandLine([
          ...['package', 'rollback', name, '--git', '.'],
          ...(folder === '' ? [] : ['--path', folder]),
        ]),
      ),
    })
  }
}

type UpdateOutcome = Pick<
  UpdateReport,
  'status' | 'commit' | 'title' | 'body' | 'warnings' | 'notes' | 'note'
> &
  Pick<BranchResult, 'messages'>
