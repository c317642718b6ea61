import {basename, dirname, join} from 'node:path'
import {Readable} from 'node:stream'
import type {WritableFile} from '../../fetch/output-files.js'
import type {Lock} from '../../declaration/lock.js'
import {readLock} from '../../declaration/read-lock.js'
import {writeLock} from '../../declaration/write-lock.js'
import {CrossplaneError} from '../../errors.js'
import type {HeldLock} from '../../pipeline/resolve/held-lock.js'
import {readInputFiles} from './input-files.js'

/** The values of `lockFlags`, as oclif parses them, with what says where a lock is by default. */
export interface LockFlagValues {
  readonly 'lock-file'?: string
  readonly locked?: boolean
  readonly declaration?: string
}

/** The lock that a command line names, which an answer keeps to. Throws `usage` where there can be none. */
export async function heldLock(flags: LockFlagValues): Promise<HeldLock | undefined> {
  const isBinding = flags.locked === true
  if (flags['lock-file'] === undefined && !isBinding) return undefined
  if (flags['lock-file'] === undefined && flags.declaration === undefined) {
    throw new CrossplaneError('usage', '--locked was given, and no lock to keep to', {
      suggestions: ['Pass --lock-file FILE, or --declaration FILE with a lock beside it.'],
    })
  }
  return {...(await neededLock(flags)), otherwise: isBinding ? 'refuse' : 'note'}
}

/** The lock at its place, which only says what there was. Throws `not-found` where there is none. */
export async function neededLock(flags: LockFlagValues): Promise<HeldLock> {
  const name = lockPath(flags)
  const [input] = await readInputFiles([name], '--lock-file').catch((error: unknown) => {
    throw withNextStep(error, flags)
  })
  if (input === undefined) throw new RangeError('one file was asked for')
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
  /** Its text; undefined where there is none yet. */
  readonly text?: string
  readonly held?: HeldLock
}

/** The lock that `package lock` writes. Throws what reading the one that is there throws. */
export async function lockToWrite(
  flags: LockFlagValues & {readonly upgrade?: readonly string[]},
  outputs: {file(path: string): WritableFile},
): Promise<LockToWrite> {
  const name = lockPath(flags)
  const file = outputs.file(name)
  const upgraded = flags.upgrade ?? []
  const existing = await file.existing()
  if (existing === undefined) {
    if (upgraded.length === 0) return {file}
    throw new CrossplaneError('usage', `--upgrade was given, and there is no lock ${name} to upgrade in`, {
      suggestions: ['Leave it out: the newest version that fits is chosen.'],
    })
  }
  const chunks: Uint8Array[] = []
  for await (const chunk of existing.read()) chunks.push(chunk)
  const bytes = Buffer.concat(chunks)
  const held = {
    name,
    lock: readLock(name, bytes),
    upgraded,
    otherwise: 'take',
    remedy: remedy(flags),
  } as const
  return {file, text: bytes.toString(), held}
}

/** Writes the lock unless it is the same already: then its file is not touched. */
export async function writeLockFile({file, text}: LockToWrite, lock: Lock): Promise<void> {
  const written = writeLock(lock)
  if (written !== text) await file.write(Readable.from([Buffer.from(written)]))
}

function withNextStep(error: unknown, flags: LockFlagValues): unknown {
  if (!(error instanceof CrossplaneError)) return error
  return new CrossplaneError(error.code, error.message, {
    cause: error.cause,
    suggestions: [`${remedy(flags)} writes one.`],
  })
}

/** The file of the lock: the one that was named, or the one beside the declaration, called as that is. */
export function lockPath({'lock-file': file, declaration}: LockFlagValues): string {
  if (file !== undefined) return file
  if (declaration === undefined || declaration === '-') return DEFAULT_NAME
  const name = basename(declaration).replace(/\.(?:ya?ml|json)$/, '')
  return join(dirname(declaration), `${name}.lock`)
}

const DEFAULT_NAME = 'crossplane-packages.lock'

function remedy({'lock-file': file, declaration}: LockFlagValues): string {
  const asked = declaration === undefined ? ' with what was asked for' : ` --declaration ${declaration}`
  return `kubectl crossplane package lock${file === undefined ? '' : ` --lock-file ${file}`}${asked}`
}
