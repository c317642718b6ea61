import {existsSync} from 'node:fs'
import {dirname, join, relative, resolve} from 'node:path'
import {CrossplaneError} from '../../errors.js'
import type {CheckQuery} from '../../pipeline/drift/check-folder.js'
import {homeIn, type HomePlace, treeIn} from '../../plan/folder/home.js'
import {DEFAULT_RELEASE} from '../../reference/crossplane-release.js'
import {present} from '../../present.js'
import {quoted, shellWord} from '../../text.js'
import type {checkFlags} from './check-flags.js'
import type {FlagValues} from '../shell/flags/flag-values.js'
import {repositoryRoot} from '../files/repository-root.js'
import {hasEntry, nearestDeclaration, nearestHome} from '../sources/default-declaration.js'
import {flagWords} from '../shell/flags/flag-words.js'
import {lockToRead} from '../declaration/lock-query.js'

type CheckFlags = FlagValues<typeof checkFlags>

/** A folder to check, and its declaration, as paths of the working folder. */
export interface CheckPlace {
  readonly folder: string
  /** Absent if none is found, which a comparison of hashes does not need. */
  readonly declaration?: string
}

/**
 * Returns the folder and the declaration that a command line selects; `outputOf` reads the folder that a declaration
 * has. Throws `usage`, and `not-found` without a declaration, and for a home that does not exist.
 */
export async function checkPlace(
  flags: CheckFlags,
  outputOf: (declaration: string) => Promise<string | undefined>,
  from = process.cwd(),
): Promise<CheckPlace> {
  const {git, 'output-dir': folder} = flags
  if (git !== undefined) return await homePlace({...flags, git}, outputOf, from)
  const declaration = flags.declaration ?? nearestFrom(from, folder ?? '.') ?? ownOf(folder, from)
  if (flags.declaration !== undefined) expectDeclaration(flags.declaration, from)
  if (folder !== undefined) return {folder, declaration}
  if (declaration !== undefined) {
    const tree = treeIn({folder: ''}, await outputOf(declaration))
    return {folder: here(from, resolve(from, dirname(declaration), tree)), declaration}
  }
  throw new CrossplaneError('not-found', 'cannot check rendered files: no declaration found', {
    suggestions: ['Pass --output-dir DIR, --git DIR or --declaration FILE.'],
  })
}

/** The place of a home. Throws `not-found`. */
async function homePlace(
  {git, path, hashes}: CheckFlags & {readonly git: string},
  outputOf: (declaration: string) => Promise<string | undefined>,
  from: string,
): Promise<CheckPlace> {
  const root = repositoryRoot(resolve(from, git))
  const home = homeIn(path ?? nearestHome(resolve(from, git)))
  if (!existsSync(join(root, '.git'))) throw noRepository(git, existsSync(resolve(from, git)))
  // A comparison of hashes needs no declaration.
  if (!hashes && !hasEntry(join(root, home.declaration))) throw noDeclaration(home)
  const declaration = here(from, join(root, home.declaration))
  return {folder: here(from, join(root, treeIn(home, await outputOf(declaration)))), declaration}
}

function noRepository(git: string, isThere: boolean): CrossplaneError {
  const cause = isThere
    ? 'the folder of --git is not in a Git repository'
    : `${git}: no such file or directory`
  const message = `cannot check rendered files: ${cause}`
  return new CrossplaneError('not-found', message, {
    suggestions: ['Pass --git with a folder of a repository, or --output-dir with the folder of the files.'],
  })
}

function noDeclaration({folder}: HomePlace): CrossplaneError {
  const place = folder === '' ? 'the root of the repository' : folder
  return new CrossplaneError('not-found', `cannot check rendered files: ${place} has no declaration`, {
    suggestions: ['Pass --path with the folder of the declaration.'],
  })
}

/** Throws `not-found` before the lock, whose name follows from that of the declaration, is looked for. */
function expectDeclaration(declaration: string, from: string): void {
  if (declaration === '-' || hasEntry(resolve(from, declaration))) return
  const message = `cannot check rendered files: ${quoted(declaration)}: no such file or directory`
  throw new CrossplaneError('not-found', message, {
    suggestions: ['Pass --declaration with an existing file.'],
  })
}

/** Outside of a repository, only the working folder is looked at besides the folder itself: for what is below it. */
function ownOf(folder = '.', from: string): string | undefined {
  return relative(from, resolve(from, folder)).startsWith('..') ? undefined : nearestFrom(from, '.')
}

function nearestFrom(from: string, folder: string): string | undefined {
  const declaration = nearestDeclaration(resolve(from, folder))
  return declaration === undefined ? undefined : here(from, declaration)
}

function here(from: string, path: string): string {
  const inner = relative(from, path)
  return inner === '' ? '.' : inner
}

/** In milliseconds. A locked resolution has nothing to search for. */
const SOLVE_TIMEOUT = 30_000

/** The query of `package check`. Throws `not-found` if there is no declaration, and `usage` for standard input. */
export function checkQuery({folder, declaration}: CheckPlace, flags: CheckFlags): CheckQuery {
  if (declaration === undefined || declaration === '-') {
    const code = declaration === undefined ? 'not-found' : 'usage'
    throw new CrossplaneError(code, `no declaration found for ${quoted(folder)}`, {
      suggestions: ['Pass --declaration FILE, or --hashes to compare with the list of hashes only.'],
    })
  }
  return {
    declaration,
    lock: lockToRead({}, {...flags, declaration}),
    settings: {
      owners: [],
      assume: {crds: [], files: []},
      crossplane: {release: DEFAULT_RELEASE, isGiven: false},
      allowVersionMismatch: false,
      solveTimeout: SOLVE_TIMEOUT,
      ...present({policy: flags.policy}),
    },
    allowUnavailable: flags['allow-unavailable'],
  }
}

/** Returns the command that renders the checked folder, with the flags of the check that decide what is read. */
export function renderCommand({folder, declaration}: CheckPlace, flags: CheckFlags): string {
  const words = [
    ...(declaration === undefined ? [] : ['--declaration', declaration]),
    ...flagWords(flags, ['lock-file', 'packages', 'packages-base']),
    ...['--output-dir', folder],
  ]
  return ['kubectl crossplane package render', ...words.map(shellWord)].join(' ')
}
