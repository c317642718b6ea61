import {randomBytes} from 'node:crypto'
import {basename, dirname, join} from 'node:path'
import {CrossplaneError} from '../errors.js'
import {shellWord} from '../text.js'
import {attempt, type FileSystem, kindOf, unless} from './file-system.js'
import {textAt} from './folder-reader.js'
import {clearFolder, removeIfEmpty, writeNewFile} from './folder-writer.js'
import {describeHolder, formatHolder, isGone, type LockHolder, parseHolder} from './lock-holder.js'
import {systemClock} from './system-clock.js'

/** A lock that this process holds until `release`. */
export interface HeldLock {
  /**
   * Throws `output-refused` if the lock was lost: another process may have taken over the lock of a suspended
   * process.
   */
  readonly expectHeld: () => Promise<void>
  readonly release: () => Promise<void>
}

/** The times of a lock. A process in another container cannot be observed, so the holder has to renew its lock. */
export interface Lease {
  /** Milliseconds between two renewals. */
  readonly renewEvery: number
  /** Seconds without a renewal. */
  readonly expiresAfter: number
  sleep(milliseconds: number): Promise<void>
}

export const LEASE: Lease = {
  renewEvery: 5_000,
  expiresAfter: 30,
  sleep: milliseconds => systemClock.sleep(milliseconds),
}

/** The number of attempts while other processes release or take over the lock at the same time. */
const TRIES = 5

/** Error codes of a rename onto a folder that is not empty, and of a folder that the holder deleted. */
const TAKEN = ['EEXIST', 'ENOENT', 'ENOTDIR', 'ENOTEMPTY']

/**
 * Takes the lock at `path`. Throws `output-refused` naming the holder.
 *
 * The lock is a folder with one file in it, of a name that no other lock has. It is created elsewhere and renamed into
 * place, so that it appears complete and never replaces another lock. Its holder renews it by writing the file again.
 * The lock of a process that no longer runs is taken over by deleting its file by name: a second process finds that
 * name gone, and cannot delete another lock.
 */
export async function takeLock(
  files: FileSystem,
  path: string,
  self: LockHolder,
  lease = LEASE,
): Promise<HeldLock> {
  const token = `${self.pid}-${randomBytes(8).toString('hex')}`
  const holder = {...self, lease: lease.expiresAfter}
  await attempt('lock', path, async () => {
    await acquire(files, path, token, holder, lease)
    await sweep(files, path)
  })
  const file = join(path, token)
  const timer = setInterval(() => void renew(files, file, holder), lease.renewEvery)
  timer.unref()
  return {
    async expectHeld() {
      if ((await attempt('lock', path, () => kindOf(files, file))) !== 'file') throw lost(path)
    },
    async release() {
      clearInterval(timer)
      await attempt('unlock', path, () => release(files, path, token))
    },
  }
}

/** A renewal that fails changes nothing: the next one may succeed, and a lost lock stays lost. */
async function renew(files: FileSystem, path: string, holder: LockHolder): Promise<void> {
  try {
    const file = await files.open(path, 'r+')
    try {
      await file.writeFile(formatHolder(holder))
    } finally {
      await file.close()
    }
  } catch {
    // `expectHeld` reports a lost lock where it matters.
  }
}

async function acquire(
  files: FileSystem,
  path: string,
  token: string,
  self: LockHolder,
  lease: Lease,
): Promise<void> {
  for (let tries = TRIES; tries > 0; tries -= 1) {
    await dislodge(files, path, self, lease)
    if (await unless(TAKEN, place(files, path, token, self))) return
  }
  throw lockHeld(path, 'another process')
}

/** Deletes the lock, or leaves it to a faster process. Throws unless its holder no longer runs. */
async function dislodge(files: FileSystem, path: string, self: LockHolder, lease: Lease): Promise<void> {
  const kind = await kindOf(files, path)
  if (kind === 'absent') return
  if (kind !== 'folder') throw lockHeld(path, 'an unknown program')
  const [token] = (await unless(['ENOENT'], files.readdir(path))) ?? []
  if (token !== undefined) await dislodgeHolder(files, join(path, token), self, lease)
  await unless(['ENOENT'], removeIfEmpty(files, path))
}

async function dislodgeHolder(
  files: FileSystem,
  file: string,
  self: LockHolder,
  lease: Lease,
): Promise<void> {
  const path = dirname(file)
  const text = await textAt(files, file)
  if (text === undefined) return
  const holder = parseHolder(text)
  if (holder === undefined) throw lockHeld(path, 'an unknown program')
  const isDead = (await isGone(holder, self)) || (await isExpired(files, file, holder, lease))
  if (isDead) await unless(['ENOENT'], files.unlink(file))
  else if ((await kindOf(files, file)) === 'file') throw lockHeld(path, describeHolder(holder), holder.lease)
}

/**
 * Reports whether the lease has ended. Both times are those of the file system, so that clocks of different machines do
 * not matter. The lock is observed once more after a renewal is due: after a suspend, its holder continues too.
 */
async function isExpired(
  files: FileSystem,
  file: string,
  holder: LockHolder,
  lease: Lease,
): Promise<boolean> {
  if (holder.lease === undefined) return false
  const renewed = await renewedAt(files, file)
  const now = await timeOf(files, `${dirname(file)}.${randomBytes(8).toString('hex')}`)
  if (renewed === undefined || now - renewed <= holder.lease * 1000) return false
  await lease.sleep(2 * lease.renewEvery)
  return (await renewedAt(files, file)) === renewed
}

async function renewedAt(files: FileSystem, file: string): Promise<number | undefined> {
  return (await unless(['ENOENT', 'ENOTDIR'], files.lstat(file)))?.mtimeMs
}

/** Returns the time of the file system, by creating a file; 0 if the folder and its lock are gone. */
async function timeOf(files: FileSystem, probe: string): Promise<number> {
  await unless(['ENOENT'], writeNewFile(files, probe, ''))
  const now = await renewedAt(files, probe)
  await unless(['ENOENT'], files.unlink(probe))
  return now ?? 0
}

/** Reports whether the lock is ours: a lock that was emptied right before it was in place is free. */
async function place(files: FileSystem, path: string, token: string, self: LockHolder): Promise<boolean> {
  const aside = `${path}.${token}`
  try {
    await files.mkdir(aside, {recursive: true})
    await writeNewFile(files, join(aside, token), formatHolder(self))
    await files.rename(aside, path)
    return (await kindOf(files, join(path, token))) === 'file'
  } catch (error) {
    await clearFolder(files, aside)
    throw error
  }
}

/**
 * Deletes the files that terminated processes left while creating their lock; running processes find this lock in
 * place.
 */
async function sweep(files: FileSystem, path: string): Promise<void> {
  const area = dirname(path)
  const names = (await files.readdir(area)).filter(name => name.startsWith(`${basename(path)}.`))
  for (const left of names.map(name => join(area, name))) {
    // A plain file is the time probe of a process that may be about to read it; without its probe, no lease counts as
    // expired.
    const isProbe = (await kindOf(files, left)) === 'file'
    await unless(['ENOENT', 'ENOTEMPTY'], isProbe ? files.unlink(left) : clearFolder(files, left))
  }
}

async function release(files: FileSystem, path: string, token: string): Promise<void> {
  await unless(['ENOENT'], files.unlink(join(path, token)))
  await unless(['ENOENT'], removeIfEmpty(files, path))
  await unless(['ENOENT'], removeIfEmpty(files, dirname(path)))
}

function lockHeld(path: string, holder: string, lease?: number): CrossplaneError {
  const suggestion =
    lease === undefined
      ? `If no process writes to the folder, run: rm -r ${shellWord(path)}`
      : `Run the command again when it has finished: its lock is taken over ${lease} seconds after it ends.`
  return new CrossplaneError('output-refused', `cannot lock ${path}: it is held by ${holder}`, {
    suggestions: [suggestion],
  })
}

function lost(path: string): CrossplaneError {
  return new CrossplaneError(
    'output-refused',
    `cannot continue: another process took over the lock ${path}`,
    {
      suggestions: ['Run the command again: it completes or undoes the interrupted write first.'],
    },
  )
}
