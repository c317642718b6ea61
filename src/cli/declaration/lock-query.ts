import {basename, dirname, join} from 'node:path'
import type {WritableFile} from '../../fetch/output-files.js'
import {readLock} from '../../declaration/read-lock.js'
import {CrossplaneError} from '../../errors.js'
import {present} from '../../present.js'
import type {HeldLock} from '../../resolve/lock/held-lock.js'
import type {LockQuery} from '../../pipeline/request/request-query.js'
import {parsePackageImage} from '../../reference/package-reference.js'
import {MAX_FILE_BYTES} from '../../yaml/source-text.js'
import {readStream} from '../wire.js'
import {shellWord} from '../../text.js'
import type {FlagValues} from '../shell/flags/flag-values.js'
import type {indexFlags} from '../sources/index-flags.js'
import type {lockFlags} from './lock-flags.js'
import type {declarationFlags, packageFlags} from '../sources/package-flags.js'
import type {placeFlags} from './request-flags.js'
import {flagWords} from '../shell/flags/flag-words.js'
import type {RequestArguments} from './request-parameters.js'

/** The flags for the path of a lock file. */
type LockFlags = Partial<FlagValues<typeof lockFlags & typeof declarationFlags>>

/**
 * The lock to keep to: the named one, or the one beside the declaration if it exists. Throws `usage` if
 * its path is not known.
 */
export function lockToKeep(args: RequestArguments, flags: LockFlags): LockQuery | undefined {
  const {declaration, locked: isBinding = false} = flags
  const isNamed = flags['lock-file'] !== undefined || isBinding
  if (!isNamed && (declaration === undefined || declaration === '-')) return undefined
  return {
    ...lockToRead(args, flags),
    isOptional: !isNamed,
    otherwise: isBinding ? 'reject' : 'note',
  }
}

/** A lock that must exist. Throws `usage` without a path for one. */
export function lockToRead(args: RequestArguments, flags: LockFlags): LockQuery {
  const isTrusted = flags['trust-lock'] === true
  return {
    file: lockPath(flags),
    isOptional: false,
    otherwise: 'take',
    ...(isTrusted ? {isTrusted} : {}),
    remedy: lockCommand(args, flags),
    ...present({declaration: flags.declaration === '-' ? undefined : flags.declaration}),
  }
}

/** A lock that is to be written, and its current content. */
export interface LockToWrite {
  readonly file: WritableFile
  /** Its current content; undefined if the file does not exist. */
  readonly bytes?: Uint8Array
  readonly heldLock?: HeldLock
}

/** Opens lock files; `joined` reads the locks of installs in place of one, if there are any. */
interface LockOutputs {
  file(path: string): WritableFile
  joined?(path: string): Promise<{readonly bytes: Uint8Array} | undefined>
}

/** Opens the lock that `package lock` writes. Throws `usage`, and the errors of reading the current one. */
export async function lockToWrite(
  args: RequestArguments,
  flags: LockFlags & LockCommandFlags & {readonly upgrade?: readonly string[]},
  outputs: LockOutputs,
): Promise<LockToWrite> {
  const name = lockPath(flags)
  if (name === '-') {
    throw new CrossplaneError(
      'usage',
      '--lock-file cannot be - (standard input): the lock is written to the file',
      {
        suggestions: ['Pass --lock-file FILE.'],
      },
    )
  }
  const upgraded = upgradedIn(flags)
  const file = outputs.file(name)
  const bytes = (await outputs.joined?.(name))?.bytes ?? (await bytesOf(file))
  if (bytes === undefined) {
    if (upgraded.length === 0) return {file}
    throw new CrossplaneError('usage', `--upgrade requires a lock file, but ${name} does not exist`, {
      suggestions: ['Omit --upgrade: without a lock file, the newest matching version is selected.'],
    })
  }
  const lock = readLock(name, bytes)
  return {file, bytes, heldLock: {name, lock, upgraded, otherwise: 'take', remedy: lockCommand(args, flags)}}
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
      `--upgrade takes a package without a tag or digest, but ${text} has one`,
      {
        suggestions: ['Omit the tag; to select a specific version, request the package with that tag.'],
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
 * Returns the path of the lock file: `--lock-file`, or the declaration's name with `.lock`. Throws `usage` for a REF
 * without `--lock-file`: its lock would replace that of a declaration in the same folder.
 */
export function lockPath({'lock-file': file, declaration}: LockFlags): string {
  if (file !== undefined && file !== '') return file
  if (file === '' || declaration === undefined || declaration === '-') {
    throw new CrossplaneError(
      'usage',
      'missing flag --lock-file: only a declaration in a file has a default lock file',
      {
        suggestions: ['Pass --lock-file FILE, or --declaration FILE.'],
      },
    )
  }
  const name = basename(declaration).replace(/\.(?:ya?ml|json)$/, '')
  return join(dirname(declaration), `${name}.lock`)
}

/** The flags of this command line that decide what the lock contains; `package lock` has them all. */
const LOCK_COMMAND_FLAGS = [
  'declaration',
  'crd',
  'packages',
  'packages-base',
  'index',
  'namespace',
  'lock-file',
] as const

/** The command that writes the lock again, to paste into a shell. */
function lockCommand({ref, name}: RequestArguments, flags: LockFlags & LockCommandFlags): string {
  const words = [ref, name].filter(word => word !== undefined)
  const all = [...words, ...flagWords(flags, LOCK_COMMAND_FLAGS)]
  return ['kubectl crossplane package lock', ...all.map(shellWord)].join(' ')
}

type LockCommandFlags = Partial<FlagValues<typeof packageFlags & typeof indexFlags & typeof placeFlags>>
