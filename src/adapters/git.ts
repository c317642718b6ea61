import {execFile} from 'node:child_process'
import {lstat} from 'node:fs/promises'
import {join} from 'node:path'
import type {SourceControl, SourceFacts} from '../author/build/source-control.js'

/** In milliseconds: git answers these questions at once, or hangs on a dead network drive. */
const PATIENCE = 30_000
const MAX_OUTPUT = 1024 * 1024

/** The user's own git. */
export const git: SourceControl = {facts}

async function facts(folder: string): Promise<SourceFacts | undefined> {
  if ((await ask(folder, 'rev-parse', '--is-inside-work-tree'))?.trim() !== 'true') return undefined
  const [revision, status, remote] = await Promise.all([
    ask(folder, 'rev-parse', '--verify', '--quiet', 'HEAD'),
    // What is ignored is in the package too, and in no commit.
    ask(folder, 'status', '--porcelain', '--untracked-files=all', '--ignored', '--', await packageIn(folder)),
    // As configured: `remote get-url` would give what this machine puts in its place.
    ask(folder, 'config', '--get', 'remote.origin.url'),
  ])
  const isDirty = status !== ''
  return {
    isDirty,
    ...(revision === undefined || isDirty ? {} : {revision: revision.trim()}),
    ...(remote === undefined ? {} : {remote: remote.trim()}),
  }
}

/** What else changed in the repository is not in the package. */
async function packageIn(folder: string): Promise<string> {
  const stats = await lstat(join(folder, '.registry')).catch(() => undefined)
  return stats === undefined ? '.' : '.registry'
}

/**
 * What git prints; undefined where it refuses, or is not there. It starts no monitor that the repository names; filters
 * that its configuration names may run, as with every `git status`.
 */
function ask(folder: string, ...args: readonly string[]): Promise<string | undefined> {
  // A hook that builds has another repository in these.
  const {GIT_DIR: _gitDir, GIT_WORK_TREE: _workTree, GIT_INDEX_FILE: _index, ...env} = process.env
  const options = {timeout: PATIENCE, maxBuffer: MAX_OUTPUT, env: {...env, GIT_OPTIONAL_LOCKS: '0'}}
  return new Promise(resolve => {
    execFile('git', ['-C', folder, '-c', 'core.fsmonitor=false', ...args], options, (error, stdout) =>
      resolve(error === null ? stdout : undefined),
    )
  })
}
