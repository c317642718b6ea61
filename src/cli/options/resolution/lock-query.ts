import {basename, dirname, join} from 'node:path'
import type {WritableFile} from '../../../fetch/output-files.js'
import {readLock} from '../../../declaration/read-lock.js'
import {CrossplaneError} from '../../../errors.js'
import type {HeldLock} from '../../../pipeline/resolve/held-lock.js'
import type {LockQuery} from '../../../pipeline/resolve/resolution-query.js'
import {parsePackageImage} from '../../../reference/package-reference.js'
import {MAX_FILE_BYTES} from '../../../yaml/source-text.js'
import {readStream} from '../../wire.js'
import {shellWord} from '../../../text.js'
import type {FlagValues} from '../../flags/flag-values.js'
import type {indexFlags} from '../../flags/index-flags.js'
import type {lockFlags} from '../../flags/lock.js'
import type {declarationFlags, packageFlags} from '../../flags/package.js'
import type {placeFlags} from '../../flags/request.js'
import type {RequestArguments} from '../request-parameters.js'

/** Where a lock file is, and whether it must exist. */
type LockFlags = Partial<FlagValues<typeof lockFlags & typeof declarationFlags>>

/**
 * The lock that a result keeps to: the named one, or the one beside the declaration if there is one. Throws `usage`
 * where there is no place for one.
 */
export function lockToKeep(args: RequestArguments, flags: LockFlags): LockQuery | undefined {
  const {declaration, locked: isBinding = false} = flags
  const isNamed = flags['lock-file'] !== undefined || isBinding
  if (!isNamed && (declaration === undefined || declaration === '-')) return undefined
  return {...lockToRead(args, flags), isOptional: !isNamed, otherwise: isBinding ? 'refuse' : 'note'}
}

/** A lock that must exist. Throws `usage` where there is no place for one. */
export function lockToRead(args: RequestArguments, flags: LockFlags): LockQuery {
  return {file: lockPath(flags), isOptional: false, otherwise: 'take', remedy: lockCommand(args, flags)}
}

/** A lock that is to be written anew, and what is there now. */
export interface LockToWrite {
  readonly file: WritableFile
  /** What is in it; undefined where there is none yet. */
  readonly bytes?: Buffer
  readonly held?: HeldLock
}

/** The lock that `package lock` writes. Throws `usage`, and what reading the one that is there throws. */
export async function lockToWrite(
  args: RequestArguments,
  flags: LockFlags & {readonly upgrade?: readonly string[]},
  outputs: {file(path: string): WritableFile},
): Promise<LockToWrite> {
  const name = lockPath(flags)
  if (name === '-') {
    throw new CrossplaneError('usage', '--lock-file - is standard input, and a lock is written to its file', {
      suggestions: ['Name a file.'],
    })
  }
  const upgraded = upgradedIn(flags)
  const file = outputs.file(name)
  const bytes = await bytesOf(file)
  if (bytes === undefined) {
    if (upgraded.length === 0) return {file}
    throw new CrossplaneError('usage', `--upgrade was given, and there is no lock ${name} to upgrade in`, {
      suggestions: ['Leave it out: the newest version that fits is chosen.'],
    })
  }
  const lock = readLock(name, bytes)
  return {file, bytes, held: {name, lock, upgraded, otherwise: 'take', remedy: lockCommand(args, flags)}}
}

/** Adds an empty value to an `--upgrade` that names no package: it means all of them. */
export function withUpgradeValues(argv: readonly string[]): string[] {
  return argv.map((word, index) => {
    const next = argv[index + 1]
    return word === '--upgrade' && (next === undefined || next.startsWith('-')) ? '--upgrade=' : word
  })
}

/** The packages to unlock, without a tag: the declaration restricts versions. Throws `usage`. */
function upgradedIn({upgrade = []}: {readonly upgrade?: readonly string[]}): HeldLock['upgraded'] {
  if (upgrade.includes('')) return 'all'
  for (const text of upgrade) {
    const {tag, digest} = parsePackageImage(text)
    if (tag === undefined && digest === undefined) continue
    throw new CrossplaneError(
      'usage',
      `--upgrade names ${text}, and what it moves to is the newest that fits`,
      {
        suggestions: ['Leave the tag out; for a certain version, ask for it by its tag.'],
      },
    )
  }
  return upgrade
}

async function bytesOf(file: WritableFile): Promise<Buffer | undefined> {
  const existing = await file.existing()
  if (existing === undefined) return undefined
  return Buffer.from(await readStream(existing.read(), file.name, MAX_FILE_BYTES))
}

/**
 * The file of the lock: the one that was named, or the one beside the declaration, called as that is. Throws `usage` for
 * what was asked for on a command line: it would take the place of a declaration's lock that happens to be here.
 */
export function lockPath({'lock-file': file, declaration}: LockFlags): string {
  if (file !== undefined && file !== '') return file
  if (file === '' || declaration === undefined || declaration === '-') {
    throw new CrossplaneError(
      'usage',
      'no lock was named, and only a declaration in a file has one beside it',
      {
        suggestions: ['Pass --lock-file FILE, or --declaration FILE.'],
      },
    )
  }
  const name = basename(declaration).replace(/\.(?:ya?ml|json)$/, '')
  return join(dirname(declaration), `${name}.lock`)
}

/** The flags of this command line that decide what the lock contains; `package lock` has them all. */
const LOCK_COMMAND_FLAGS = ['declaration', 'crd', 'packages', 'index', 'namespace', 'lock-file'] as const

/** The command that writes the lock anew, to paste into a shell. */
function lockCommand({ref, name}: RequestArguments, flags: LockFlags & LockCommandFlags): string {
  const written = LOCK_COMMAND_FLAGS.flatMap(flag => {
    const value = flags[flag]
    const values = typeof value === 'string' ? [value] : (value ?? [])
    return values.flatMap(each => [`--${flag}`, each])
  })
  const words = [ref, name].filter(each => each !== undefined)
  return ['kubectl crossplane package lock', ...[...words, ...written].map(shellWord)].join(' ')
}

type LockCommandFlags = Partial<FlagValues<typeof packageFlags & typeof indexFlags & typeof placeFlags>>
