import type {CommitStyle} from '../../commit/checkout.js'
import {CrossplaneError} from '../../errors.js'
import {promotedPackages, withPromotedVersions} from '../../plan/declaration/promoted.js'
import type {HomePlace} from '../../plan/folder/home.js'
import {promotionBranch} from '../../plan/git/update-branch.js'
import {committedSource} from '../home/locked-history.js'
import type {GitQuery} from './git-request.js'
import {UpdateRun, type UpdatesReport} from './update-branches.js'
import {movedPackages, type UpdateGroup} from './update-groups.js'
import {readHome, type UpdatePorts, type UpdateQuery} from './update-plan.js'

/** A promotion that becomes a branch, as data. */
export interface BranchPromotion extends Pick<UpdateQuery, 'change' | 'isDryRun' | 'opensMergeRequests'> {
  readonly request: Extract<GitQuery['request'], {readonly kind: 'promote'}>
  readonly style: CommitStyle
}

/**
 * Makes the branch that brings the packages of another home to a home; deletes it if nothing is left to promote. A branch that a user
 * changed is left. Throws the errors of reading both homes.
 */
export async function promoteBranch(
  {request, ...promotion}: BranchPromotion,
  place: HomePlace,
  ports: UpdatePorts,
): Promise<UpdatesReport> {
  const {repository} = ports
  const query: UpdateQuery = {...promotion, by: 'all', within: 'major', names: [], now: 0}
  const home = await readHome(query, place, ports)
  const group = await promotedGroup(request, {name: place.lock, lock: home.lock}, ports)
  const branch = promotionBranch(repository.target, place.folder)
  const before = await repository.branches(branch)
  const run = new UpdateRun(query, place, ports, home, before)
  const updates = await run.update(group, branch)
  const isLeft = updates.length === 0 && before.has(branch)
  return {
    target: repository.target,
    updates: isLeft ? [await run.remove(branch)] : updates,
    waiting: [],
    warnings: [],
  }
}

async function promotedGroup(
  request: BranchPromotion['request'],
  own: Parameters<typeof promotedPackages>[1],
  {repository: {checkout}}: UpdatePorts,
): Promise<UpdateGroup> {
  const {from, only} = request
  const source = request.source ?? (from && (await committedSource(from, checkout)))
  if (source === undefined)
    throw new CrossplaneError('usage', 'cannot promote packages: no home to take them of')
  const {moved} = promotedPackages(source, own, only)
  const packages = movedPackages(own.lock, withPromotedVersions(own.lock, moved, source.lock))
  return {
    name: 'packages',
    packages: packages.map(one => ({...one, word: one.package})),
    words: [],
    request: {...request, source},
  }
}
