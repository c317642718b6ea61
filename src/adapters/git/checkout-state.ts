import {stat} from 'node:fs/promises'
import {resolve} from 'node:path'
import type {CheckoutState} from '../../plan/git/checkout-snapshot.js'
import {cannotOpen} from './git-failure.js'
import type {GitProgram} from './git-program.js'

/** Files in the folder of git, and the operation that each belongs to. */
const OPERATIONS = {
  MERGE_HEAD: 'merge',
  'rebase-merge': 'rebase',
  'rebase-apply': 'rebase',
  CHERRY_PICK_HEAD: 'cherry-pick',
  REVERT_HEAD: 'revert',
  BISECT_LOG: 'bisect',
} as const

/** Reads the branch of a working tree, its commit and its remote branch. Throws `git-refused`. */
export async function checkoutState(root: string, git: GitProgram): Promise<CheckoutState> {
  try {
    const branch = (await git.find(['symbolic-ref', '--quiet', 'HEAD'])).trim().replace(/^refs\/heads\//, '')
    const head = (await git.find(['rev-parse', '--verify', '--quiet', 'HEAD'])).trim()
    const operation = await operationIn(root, git)
    const upstream = branch === '' ? undefined : await upstreamOf(branch, git)
    return {
      root,
      ...(branch === '' ? {} : {branch}),
      ...(head === '' ? {} : {head}),
      ...(operation === undefined ? {} : {operation}),
      ...(upstream === undefined ? {} : {upstream}),
    }
  } catch (error) {
    throw cannotOpen(root, error)
  }
}

async function operationIn(root: string, git: GitProgram): Promise<string | undefined> {
  const names = Object.keys(OPERATIONS).flatMap(name => ['--git-path', name])
  const paths = (await git.run(['rev-parse', ...names])).split(/\r?\n/)
  for (const [index, operation] of Object.values(OPERATIONS).entries()) {
    if ((await stat(resolve(root, paths[index] ?? '')).catch(() => undefined)) !== undefined) return operation
  }
  return undefined
}

/** A remote branch that was never fetched, or is deleted, compares with nothing. */
async function upstreamOf(branch: string, git: GitProgram): Promise<CheckoutState['upstream']> {
  const format = '--format=%(upstream:short)%00%(upstream:track)'
  const [name = '', track = ''] = (await git.run(['for-each-ref', format, `refs/heads/${branch}`]))
    .trim()
    .split('\0')
  if (name === '' || track.includes('gone')) return undefined
  const count = (word: string) => Number(new RegExp(`${word} (\\d+)`).exec(track)?.[1] ?? 0)
  return {name, ahead: count('ahead'), behind: count('behind')}
}
