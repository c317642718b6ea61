import {existsSync} from 'node:fs'
import {join, relative, resolve} from 'node:path'
import {present} from '../../present.js'
import {commandLine, shellWord} from '../../text.js'
import {CrossplaneError} from '../../errors.js'
import type {DriftQuery} from '../../pipeline/drift/drift-query.js'
import {withoutCredentials} from '../../without-credentials.js'
import {homeIn} from '../../plan/folder/home.js'
import type {driftFlags} from './drift-flags.js'
import type {FlagValues} from '../shell/flags/flag-values.js'
import {checkQuery} from '../check/check-query.js'
import {repositoryRoot} from '../files/repository-root.js'
import {nearestHome} from '../sources/default-declaration.js'
import {flagWords} from '../shell/flags/flag-words.js'

type DriftFlags = FlagValues<typeof driftFlags>

/** The sides that a command line selects. */
export interface SelectedSides {
  readonly query: DriftQuery
  readonly hasCluster: boolean
}

/** The flags that select a cluster or a user. */
const CLUSTER = ['context', 'kubeconfig', 'as', 'as-group', 'as-uid'] as const

/** Returns the sides that flags select. One alone is compared with the cluster of the current context. Throws `usage`. */
export function driftQuery(flags: DriftFlags): SelectedSides {
  const {declaration, git} = flags
  if (declaration === undefined && git === undefined) throw withoutSides()
  const isNamed = CLUSTER.some(flag => flags[flag] !== undefined)
  return {
    query: {
      ...(declaration === undefined ? {} : {lock: lockedSide(declaration, flags)}),
      ...(git === undefined ? {} : {tree: homeIn(flags.path ?? nearestHome(git))}),
      remedies: remedyCommands(flags),
    },
    hasCluster: isNamed || declaration === undefined || git === undefined,
  }
}

function lockedSide(declaration: string, flags: DriftFlags): NonNullable<DriftQuery['lock']> {
  const place = {folder: '', declaration}
  const {lock, settings} = checkQuery(place, {
    ...flags,
    'output-dir': undefined,
    hashes: false,
    'allow-unavailable': false,
  })
  return {declaration, lock, settings}
}

/** The flags that decide where packages and the lock are read from. */
const READ = ['declaration', 'lock-file', 'packages', 'packages-base', 'platform'] as const

function remedyCommands(flags: DriftFlags): DriftQuery['remedies'] {
  const {git, branch, declaration} = flags
  const folder = git !== undefined && existsSync(git) ? git : undefined
  const place = folder === undefined ? cloneOf(git, branch) : {repository: folder}
  const repository = {...place, ...present({branch})}
  if (declaration === undefined) return repository
  const command = (verb: string) => commandLine(['package', verb, ...flagWords(flags, READ), '--locked'])
  const root = folder === undefined ? undefined : repositoryRoot(resolve(folder))
  return {
    ...repository,
    install: command('install'),
    ...(root === undefined
      ? {}
      : {render: tree => `${command('render')} --output-dir ${shellWord(here(join(root, tree)))}`}),
  }
}

/** The folder to which git clones a URL, and the command. */
function cloneOf(
  url: string | undefined,
  branch: string | undefined,
): Pick<DriftQuery['remedies'], 'repository' | 'clone'> {
  if (url === undefined) return {}
  const shown = withoutCredentials(url)
  const repository = /([^/:]+?)(?:\/?\.git)?\/*$/.exec(shown)?.[1] ?? 'repository'
  const branchWords = branch === undefined ? [] : ['--branch', branch]
  return {repository, clone: ['git', 'clone', ...branchWords, shown, repository].map(shellWord).join(' ')}
}

/** The path from the working folder. */
function here(path: string): string {
  const inner = relative(process.cwd(), path)
  return inner === '' ? '.' : inner
}

/** Checks that the flags are compatible, which oclif cannot. Throws `usage`. */
export function checkDriftFlags({watch, output}: Pick<DriftFlags, 'watch' | 'output'>): void {
  if (!watch || output === 'text') return
  throw new CrossplaneError('usage', `--watch cannot be combined with --output ${output}`, {
    suggestions: ['Use --output text.'],
  })
}

/** Reports whether the repository is that of a URL, which is cloned for each comparison. */
export function isCloned({git}: Pick<DriftFlags, 'git'>): boolean {
  return git !== undefined && !existsSync(git)
}

function withoutSides(): CrossplaneError {
  const message = 'nothing to compare: neither a lock nor a tree is given'
  return new CrossplaneError('usage', message, {
    suggestions: ['Pass --declaration FILE, --git URL|DIR, or both.'],
  })
}
