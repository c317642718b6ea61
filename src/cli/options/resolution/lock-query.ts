import {basename, dirname, join} from 'node:path'
import {Readable} from 'node:stream'
import type {WritableFile} from '../../../fetch/output-files.js'
import type {Lock} from '../../../declaration/lock.js'
import {readLock} from '../../../declaration/read-lock.js'
import {writeLock} from '../../../declaration/write-lock.js'
import {CrossplaneError} from '../../../errors.js'
import type {HeldLock} from '../../../pipeline/resolve/held-lock.js'
import {parsePackageImage} from '../../../reference/package-reference.js'
import {MAX_FILE_BYTES} from '../../../yaml/source-text.js'
import {readStream} from '../../wire.js'
import {readInputFiles} from '../input-files.js'

/** The values of `lockFlags`, as oclif parses them, with what says where a lock is by default. */
export interface LockFlagValues {
  readonly 'lock-file'?: string
  readonly locked?: boolean
  readonly declaration?: string
}

/**
 * The lock that an answer keeps to: the one that a command line names, or the one beside a declaration if there is one.
 * Throws `usage` where there can be none, and `not-found` where there has to be one.
 */
export async function heldLock(flags: LockFlagValues): Promise<HeldLock | undefined> {
  const isBinding = flags.locked === true
  const isNamed = flags['lock-file'] !== undefined || isBinding
  const lock = isNamed ? await neededLock(flags) : await lockBeside(flags)
  return lock === undefined ? undefined : {...lock, otherwise: isBinding ? 'refuse' : 'note'}
}

async function lockBeside(flags: LockFlagValues): Promise<HeldLock | undefined> {
  const {declaration} = flags
  if (declaration === undefined || declaration === '-') return undefined
  return await neededLock(flags).catch((error: unknown) => {
    if (error instanceof CrossplaneError && isAbsent(error)) return undefined
    throw error
  })
}

/** The lock at its place, which only says what there was. Throws `not-found` where there is none. */
export async function neededLock(flags: LockFlagValues): Promise<HeldLock> {
  const path = lockPath(flags)
  const [input] = await readInputFiles([path], '--lock-file').catch((error: unknown) => {
    throw unreadable(path, error, flags)
  })
  if (input === undefined) throw new RangeError('one file was asked for')
  const {name} = input
  return {
    name,
    lock: readLock(name, input.bytes),
    upgraded: [],
    otherwise: 'take',
    remedy: remedy(flags),
  }
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
  flags: LockFlagValues & {readonly upgrade?: readonly string[]},
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
  return {file, bytes, held: {name, lock, upgraded, otherwise: 'take', remedy: remedy(flags)}}
}

/** Repositories without a tag: which version is meant is for the declaration to say. */
function upgradedIn({upgrade = []}: {readonly upgrade?: readonly string[]}): readonly string[] {
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
 * Writes the lock unless it is the same already: then its file is not touched. Throws `output-refused` where somebody
 * else has written it since it was read.
 */
export async function writeLockFile({file, bytes}: LockToWrite, lock: Lock): Promise<void> {
  const written = Buffer.from(writeLock(lock))
  if (isSame(written, bytes)) return
  if (!isSame(await bytesOf(file), bytes)) {
    throw new CrossplaneError('output-refused', `the lock ${file.name} has changed since it was read`, {
      suggestions: ['Run the command again, which begins with the lock as it is now.'],
    })
  }
  await file.write(Readable.from([written]))
}

function isSame(one: Buffer | undefined, other: Buffer | undefined): boolean {
  return one === undefined || other === undefined ? one === other : one.equals(other)
}

function unreadable(path: string, error: unknown, flags: LockFlagValues): unknown {
  if (!(error instanceof CrossplaneError)) return error
  const {code, cause} = error
  return new CrossplaneError(code, `the lock ${path} cannot be read`, {
    cause,
    suggestions: isAbsent(error) ? [`${remedy(flags)} writes one.`] : [],
  })
}

function isAbsent({cause}: CrossplaneError): boolean {
  return (cause as {readonly code?: unknown} | undefined)?.code === 'ENOENT'
}

/**
 * The file of the lock: the one that was named, or the one beside the declaration, called as that is. Throws `usage` for
 * what was asked for on a command line: it would take the place of a declaration's lock that happens to be here.
 */
export function lockPath({'lock-file': file, declaration}: LockFlagValues): string {
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

function remedy({'lock-file': file, declaration}: LockFlagValues): string {
  const asked = declaration === undefined ? ' with what was asked for' : ` --declaration ${declaration}`
  const place = file === undefined ? '' : ` --lock-file ${file === '-' ? 'FILE' : file}`
  return `kubectl crossplane package lock${place}${asked}`
}
