import {existsSync, statSync} from 'node:fs'
import {join} from 'node:path'
import {DECLARATION_FILE} from '../../declaration/declaration.js'
import {CrossplaneError} from '../../errors.js'
import type {ComparedSides, SideQuery} from '../../pipeline/impact/compared-sets.js'
import type {SetQuery} from '../../pipeline/impact/package-set.js'
import type {closureFlags, setFlags} from './compare-flags.js'
import type {FlagValues} from '../shell/flags/flag-values.js'
import {withDefaultDeclaration} from '../sources/default-declaration.js'
import {lockToKeep, lockToRead} from '../declaration/lock-query.js'
import {unlockedQuery} from '../declaration/resolution-query.js'

type CompareFlags = FlagValues<typeof setFlags>
type ClosureFlags = FlagValues<typeof closureFlags>

/**
 * Returns the sides that words name: packages, or files and folders of declarations and locks. Without the second one, the lock
 * of a declaration is compared with an upgrade. Throws `usage`.
 * @param flagNames - names of the flags on the command line.
 */
export function comparedSides(
  [before, after]: readonly [string | undefined, string | undefined],
  flags: CompareFlags,
  flagNames: ReadonlySet<string>,
): ComparedSides {
  // A flag can be for the packages of one side.
  if (before !== undefined && after !== undefined)
    return {before: sideOf(before, flags), after: sideOf(after, flags), flagNames}
  const sides = upgradedSides(before, flags, flagNames)
  if (sides === undefined) throw withoutSecond(before)
  return sides
}

/**
 * Returns the lock of a declaration and what an upgrade would select; undefined if a word names no declaration, or if without a
 * word there is none.
 */
export function upgradedSides(
  word: string | undefined,
  flags: CompareFlags,
  flagNames: ReadonlySet<string>,
): ComparedSides | undefined {
  const declaration =
    word === undefined ? withDefaultDeclaration(undefined, NO_FLAGS).declaration : declarationAt(word)
  if (declaration === undefined) return undefined
  const own = {...flags, declaration}
  const request = {...unlockedQuery({}, own, flagNames), lock: lockToRead({}, own)}
  return {before: {kind: 'declaration', request}, after: {kind: 'upgrade', request}}
}

const NO_NAMES: ReadonlySet<string> = new Set()

const NO_FLAGS: {readonly declaration?: string} = {}

/** A lock that is only compared is not written: its packages are not known. */
const CHECK_PATH = 'Check the path of the lock file.'

function sideOf(word: string, flags: CompareFlags): SideQuery {
  if (isLock(word)) return {kind: 'lock', lock: {...lockToRead({}, {'lock-file': word}), remedy: CHECK_PATH}}
  const declaration = declarationAt(word)
  if (declaration === undefined) return {kind: 'package', reference: word}
  return declaredSet({...flags, declaration}, NO_NAMES)
}

/** The packages of a declaration, as its lock has them if there is one. */
function declaredSet(
  flags: CompareFlags & {readonly declaration: string},
  flagNames: ReadonlySet<string>,
): SetQuery {
  const lock = lockToKeep({}, flags)
  const request = unlockedQuery({}, flags, flagNames)
  return {kind: 'declaration', request: lock === undefined ? request : {...request, lock}}
}

/** Returns the packages that a command reads: those of a lock alone, or of a declaration. Throws `usage` without one. */
export function closureQuery(flags: ClosureFlags, flagNames: ReadonlySet<string>): SetQuery {
  const {declaration} = withDefaultDeclaration(undefined, flags)
  if (declaration !== undefined) return declaredSet({...flags, declaration}, flagNames)
  if (flags['lock-file'] !== undefined) return {kind: 'lock', lock: lockToRead({}, flags)}
  throw new CrossplaneError('usage', 'no declaration found', {
    suggestions: ['Pass --declaration FILE or --lock-file FILE.'],
  })
}

/** A lock can be split into a file for each install, beside which its name is that of no file. */
function isLock(word: string): boolean {
  return word.endsWith('.lock') && !isFolder(word)
}

/** The declaration that a file is, or that a folder has; a reference of a package names neither. */
function declarationAt(word: string): string | undefined {
  if (/\.(?:ya?ml|json)$/.test(word) && existsSync(word) && !isFolder(word)) return word
  const inFolder = join(word, DECLARATION_FILE)
  return isFolder(word) && existsSync(inFolder) ? inFolder : undefined
}

function isFolder(path: string): boolean {
  return statSync(path, {throwIfNoEntry: false})?.isDirectory() === true
}

function withoutSecond(before: string | undefined): CrossplaneError {
  const message =
    before === undefined
      ? 'nothing to compare: no declaration found'
      : `nothing to compare ${before} with: it is not a declaration, and no second argument is given`
  return new CrossplaneError('usage', message, {
    suggestions: [
      'Pass two packages, folders, lock files or declarations, or one declaration with a lock file.',
    ],
  })
}
