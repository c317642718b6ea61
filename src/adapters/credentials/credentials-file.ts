import {lstat, mkdir, open, readlink, realpath} from 'node:fs/promises'
import {dirname, resolve} from 'node:path'
import {CrossplaneError} from '../../errors.js'
import type {CredentialsFile} from '../../registry/credentials/credential-ports.js'
import {realFileSystem, reasonOf, systemCode, unless} from '../file-system.js'
import {readNamedFile} from '../read-named-file.js'
import {replaceFile} from '../replace-file.js'

/** Opens the file at a path, which need not exist. A symbolic link is kept: its target is written. */
export function credentialsFile(path: string): CredentialsFile {
  return {
    path,
    read: () => attempt('read', path, () => read(path)),
    write: text => attempt('write', path, () => replace(path, text)),
  }
}

/** Far more than any file with credentials has. */
const MAX_BYTES = 4 * 1024 * 1024

async function read(path: string): Promise<string | undefined> {
  try {
    return Buffer.from(await readNamedFile(path, MAX_BYTES)).toString()
  } catch (error) {
    if (error instanceof CrossplaneError && error.code === 'not-found') return undefined
    throw error
  }
}

/** Readers see the old or the new content, and only the owner can read either. */
async function replace(path: string, text: string): Promise<void> {
  const target = await targetOf(path)
  await mkdir(dirname(target), {recursive: true, mode: 0o700})
  await replaceFile(realFileSystem, target, unfinished => writeNew(unfinished, text))
}

async function writeNew(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Resolves a path, also through a link whose target does not exist yet. */
async function targetOf(path: string): Promise<string> {
  const real = await unless(['ENOENT'], realpath(path))
  if (real !== undefined) return real
  const stats = await unless(['ENOENT', 'ENOTDIR'], lstat(path))
  return stats?.isSymbolicLink() === true ? resolve(dirname(path), await readlink(path)) : path
}

async function attempt<T>(verb: string, path: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (cause) {
    const code = systemCode(cause)
    if (code === undefined && !(cause instanceof CrossplaneError)) throw cause
    const message =
      code === undefined ? (cause as CrossplaneError).message : `cannot ${verb} ${path}: ${reasonOf(code)}`
    throw new CrossplaneError('credentials-failed', message, {
      cause,
      suggestions: ['Fix the cause, or set REGISTRY_AUTH_FILE to another credentials file.'],
    })
  }
}
