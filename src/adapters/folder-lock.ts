import {randomBytes} from 'node:crypto'
import {basename, dirname, join} from 'node:path'
import {CrossplaneError} from '../errors.js'
import {attempt, type FileSystem, kindOf, unless} from './file-system.js'
import {textAt} from './folder-reader.js'
import {clearFolder, removeIfEmpty, writeNewFile} from './folder-writer.js'
import {describeHolder, formatHolder, isGone, type LockHolder, parseHolder} from './lock-holder.js'

/** How often to look again when others let the lock go, or take over a dead one, just as we try to. */
const TRIES = 5

/** Answers to a rename onto a folder that holds something, and of a folder that the holder cleared away. */
const TAKEN = ['EEXIST', 'ENOENT', 'ENOTDIR', 'ENOTEMPTY']

/**
 * Takes the lock at `path` and returns what lets it go. Throws `output-refused` naming the holder.
 *
 * The lock is a folder with one file in it, of a name that no other lock has. It is made aside and renamed into place:
 * it appears whole, and never where another holds something. The lock of a dead process is taken over by deleting its
 * file by name: whoever comes second finds that name gone, and can delete nobody else's.
 */
export async function takeLock(
  files: FileSystem,
  path: string,
  self: LockHolder,
): Promise<() => Promise<void>> {
  const token = `${self.pid}-${randomBytes(8).toString('hex')}`
  await attempt('lock', path, async () => {
    await acquire(files, path, token, self)
    await sweep(files, path)
  })
  return () => attempt('unlock', path, () => release(files, path, token))
}

async function acquire(files: FileSystem, path: string, token: string, self: LockHolder): Promise<void> {
  for (let tries = TRIES; tries > 0; tries -= 1) {
    await dislodge(files, path, self)
    if (await unless(TAKEN, place(files, path, token, self))) return
  }
  throw held(path, 'another process')
}

/** Leaves the path free, or to whoever was faster. Throws unless the holder is certainly gone. */
async function dislodge(files: FileSystem, path: string, self: LockHolder): Promise<void> {
  const kind = await kindOf(files, path)
  if (kind === 'absent') return
  if (kind !== 'folder') throw held(path, 'something unknown')
  const [token] = (await unless(['ENOENT'], files.readdir(path))) ?? []
  if (token !== undefined) await dislodgeHolder(files, path, token, self)
  await unless(['ENOENT'], removeIfEmpty(files, path))
}

async function dislodgeHolder(
  files: FileSystem,
  path: string,
  token: string,
  self: LockHolder,
): Promise<void> {
  const text = await textAt(files, join(path, token))
  if (text === undefined) return
  const holder = parseHolder(text)
  if (holder === undefined) throw held(path, 'something unknown')
  if (!(await isGone(holder, self))) throw held(path, describeHolder(holder))
  await unless(['ENOENT'], files.unlink(join(path, token)))
}

/** Whether the lock is ours: one that a sweep emptied just before it came into place is nobody's. */
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

/** What processes left that died while they made their lock; those that live will find this one in place. */
async function sweep(files: FileSystem, path: string): Promise<void> {
  const area = dirname(path)
  const asides = (await files.readdir(area)).filter(name => name.startsWith(`${basename(path)}.`))
  for (const name of asides) await unless(['ENOENT', 'ENOTEMPTY'], clearFolder(files, join(area, name)))
}

async function release(files: FileSystem, path: string, token: string): Promise<void> {
  await unless(['ENOENT'], files.unlink(join(path, token)))
  await unless(['ENOENT'], removeIfEmpty(files, path))
  await unless(['ENOENT'], removeIfEmpty(files, dirname(path)))
}

function held(path: string, holder: string): CrossplaneError {
  return new CrossplaneError(
    'output-refused',
    `The folder is being written to: ${holder} holds the lock ${path}.`,
    {
      suggestions: [`Run again when that is done. If it died, delete ${path} first.`],
    },
  )
}
