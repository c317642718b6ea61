import {existsSync} from 'node:fs'
import {dirname, join, relative, resolve, sep} from 'node:path'
import type {CheckQuery} from '../../pipeline/drift/check-folder.js'
import {checkImpact, type CheckedImpact} from '../../pipeline/drift/check-impact.js'
import {type LockBase, lockBase} from '../../pipeline/home/lock-base.js'
import type {RequestPorts} from '../../pipeline/request/read-request.js'
import {CrossplaneError} from '../../errors.js'
import {repositoryRoot} from '../files/repository-root.js'
import {shownImpact} from './show-checked-impact.js'
import {openRepository} from '../wire.js'

/** The effects of a lock on objects, or why they are not known. */
export interface JudgedObjects {
  readonly shown?: ReturnType<typeof shownImpact>
  readonly failure?: CrossplaneError
}

/** Judges what changes of a lock do to the objects that the declaration names; returns the error if this fails. */
export async function judgedObjects(
  query: CheckQuery,
  flags: {readonly since?: string},
  ports: RequestPorts,
): Promise<JudgedObjects> {
  try {
    const impact = await checkedImpact(query, flags, ports)
    return impact === undefined ? {} : {shown: shownImpact(impact, dirname(query.declaration))}
  } catch (error) {
    if (error instanceof CrossplaneError) return {failure: error}
    throw error
  }
}

async function checkedImpact(
  query: CheckQuery,
  {since}: {readonly since?: string},
  ports: RequestPorts,
): Promise<CheckedImpact | undefined> {
  const base = async () => await lockBaseOf(query, since)
  return await checkImpact(query, {...(since === undefined ? {} : {since}), base}, ports)
}

/** Reads the lock of the merge base. Throws as `lockBase` does, and `not-found` outside of a repository. */
export async function lockBaseOf(
  {declaration, lock}: {readonly declaration: string; readonly lock: {readonly file: string}},
  since: string | undefined,
): Promise<LockBase> {
  const root = repositoryRoot(resolve(dirname(lock.file)))
  if (!existsSync(join(root, '.git'))) {
    const message = `cannot judge the effects of ${lock.file} on objects: it is not in a Git repository`
    throw new CrossplaneError('not-found', message, {
      suggestions: ['Run the command in a clone of the repository.'],
    })
  }
  const inRepository = (path: string) => relative(root, resolve(path)).split(sep).join('/')
  const repository = await openRepository({git: root, push: false, tree: ''})
  try {
    const file = inRepository(declaration)
    const folder = file.includes('/') ? file.slice(0, file.lastIndexOf('/')) : ''
    const place = {folder, declaration: file, lock: inRepository(lock.file)}
    const branch = baseBranch(process.env)
    return await lockBase({...(since === undefined ? {} : {since}), branch}, place, repository.checkout)
  } finally {
    await repository.close()
  }
}

/**
 * Returns the branch that a change of a CI job is merged into, as the variables of GitHub (also of Gitea and Forgejo), GitLab, Azure
 * Pipelines, Bitbucket, Jenkins, Buildkite and Woodpecker name it. A job for a branch itself is compared with the default branch of
 * GitLab, or with the branch: its changes are there already. Undefined outside of such jobs.
 */
function baseBranch(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const isBranch = env.GITHUB_REF_TYPE === 'branch'
  const names = [...VARIABLES.map(variable => env[variable]), isBranch ? env.GITHUB_REF_NAME : undefined]
  const name = names.find(text => text !== undefined && text !== '')
  return name?.replace(/^refs\/heads\//, '')
}

const VARIABLES = [
  'GITHUB_BASE_REF',
  'CI_MERGE_REQUEST_TARGET_BRANCH_NAME',
  'SYSTEM_PULLREQUEST_TARGETBRANCH',
  'BITBUCKET_PR_DESTINATION_BRANCH',
  'CHANGE_TARGET',
  'BUILDKITE_PULL_REQUEST_BASE_BRANCH',
  'CI_COMMIT_TARGET_BRANCH',
  'CI_DEFAULT_BRANCH',
]
