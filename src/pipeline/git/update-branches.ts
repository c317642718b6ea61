import type {CommitStyle} from '../../commit/checkout.js'
import type {ForgeResult} from '../../commit/forge.js'
import type {BranchResult} from '../../commit/update-repository.js'
import type {Diagnostic} from '../../diagnostic.js'
import {CrossplaneError} from '../../errors.js'
import {mergeRequestOptions, updateBody, withoutMentions} from '../../inspect/update-body.js'
import type {HomePlace} from '../../plan/folder/home.js'
import {updateBranch, updatePrefix} from '../../plan/git/update-branch.js'
import {
  type CommitObject,
  isSameCommit,
  isSealed,
  readCommitObject,
  sealedMessage,
} from '../../plan/git/update-seal.js'
import {present} from '../../present.js'
import {commandLine} from '../../text.js'
import {carryOutGitChange, type GitChange} from './git-change.js'
import {chooseGroup, movedBy} from './group-choice.js'
import {
  joinedWaiting,
  type MovedPackage,
  movedPackages,
  type UpdateGroup,
  type WaitingPackage,
} from './update-groups.js'
import {
  type Home,
  plannedGroups,
  readHome,
  recordSeen,
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
  const all = joinedWaiting([...waiting.filter(one => !isMoved(one, updates)), ...run.waiting])
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

  /** Makes the branch of a group; nothing if the group changes nothing. One that cannot be updated delays no other. */
  async update(group: UpdateGroup, branch: string): Promise<readonly UpdateReport[]> {
    const {limit = Infinity} = this.#query
    const report = {branch, packages: group.packages, warnings: [], messages: []}
    if (!this.#before.has(branch) && this.#open >= limit) return [{...report, status: 'waiting'}]
    const at = {query: this.#query, place: this.#place, ports: this.#ports, home: this.#home}
    const {change, chosen, waiting, error, isKept} = await chooseGroup(group, at)
    this.waiting.push(...waiting)
    if (isKept) this.branches.add(branch)
    if (error !== undefined) return [{...report, status: 'failed', error}]
    if (change === undefined) return []
    try {
      const made = await this.#put(change, chosen, branch)
      const packages = movedBy(change, chosen, this.#home)
      return [{...report, packages, ...made, ...(await this.#request(branch, made))}]
    } catch (failure) {
      if (!(failure instanceof CrossplaneError)) throw failure
      return [{...report, status: 'failed', error: failure}]
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
