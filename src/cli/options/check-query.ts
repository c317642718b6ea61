import {dirname, join, relative, resolve} from 'node:path'
import {CrossplaneError} from '../../errors.js'
import type {CheckQuery} from '../../pipeline/check-folder.js'
import {homeIn, treeIn} from '../../plan/folder/home.js'
import {DEFAULT_RELEASE} from '../../reference/crossplane-release.js'
import {quoted} from '../../text.js'
import type {checkFlags} from '../flags/check.js'
import type {FlagValues} from '../flags/flag-values.js'
import {nearestDeclaration, repositoryRoot} from '../ports/default-declaration.js'
import {lockToRead} from './resolution/lock-query.js'

type CheckFlags = FlagValues<typeof checkFlags>

/** A folder to check, and its declaration, as paths of the working folder. */
export interface CheckPlace {
  readonly folder: string
  /** Absent if none is found, which a comparison of hashes does not need. */
  readonly declaration?: string
}

/**
 * Returns the folder and the declaration that a command line selects; `outputOf` reads the folder that a declaration
 * has. Throws `usage`.
 */
export async function checkPlace(
  flags: CheckFlags,
  outputOf: (declaration: string) => Promise<string | undefined>,
  from = process.cwd(),
): Promise<CheckPlace> {
  const {git, path = '', 'output-dir': folder} = flags
  if (git !== undefined) {
    const root = repositoryRoot(resolve(from, git))
    const home = homeIn(path)
    const declaration = here(from, join(root, home.declaration))
    return {folder: here(from, join(root, treeIn(home, await outputOf(declaration)))), declaration}
  }
  const declaration = flags.declaration ?? nearestFrom(from, folder ?? '.')
  if (folder !== undefined) return {folder, declaration}
  if (declaration !== undefined) {
    const tree = treeIn({folder: ''}, await outputOf(declaration))
    return {folder: here(from, resolve(from, dirname(declaration), tree)), declaration}
  }
  throw new CrossplaneError('usage', 'no folder to check', {
    suggestions: ['Pass --output-dir DIR or --git DIR.'],
  })
}

function nearestFrom(from: string, folder: string): string | undefined {
  const found = nearestDeclaration(resolve(from, folder))
  return found === undefined ? undefined : here(from, found)
}

function here(from: string, path: string): string {
  const found = relative(from, path)
  return found === '' ? '.' : found
}

/** In milliseconds. A locked resolution has nothing to search for. */
const SOLVE_TIMEOUT = 30_000

/** The query of `package check`. Throws `usage` if there is no declaration. */
export function checkQuery({folder, declaration}: CheckPlace, flags: CheckFlags): CheckQuery {
  if (declaration === undefined || declaration === '-') {
    throw new CrossplaneError('usage', `no declaration found for ${quoted(folder)}`, {
      suggestions: ['Pass --declaration FILE, or --hashes to compare with the list of hashes only.'],
    })
  }
  return {
    declaration,
    lock: lockToRead({}, {declaration, 'lock-file': flags['lock-file']}),
    settings: {
      owners: [],
      assume: {crds: [], files: []},
      crossplane: {release: DEFAULT_RELEASE, isGiven: false},
      allowVersionMismatch: false,
      solveTimeout: SOLVE_TIMEOUT,
    },
  }
}
