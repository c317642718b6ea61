import {randomBytes} from 'node:crypto'
import {lstat, mkdir, open, readFile, readlink, realpath, rename, rm} from 'node:fs/promises'
import {dirname, resolve} from 'node:path'
import {CrossplaneError} from '../../errors.js'
import type {CredentialsFile} from '../../registry/credentials/credential-ports.js'
import {isAbsent} from '../cannot-read.js'
import {systemCode, unless} from '../file-system.js'

/** The file at a path, whether or not it exists. One that is a link stays one: what it leads to is written. */
export function credentialsFile(path: string): CredentialsFile {
  return {
    path,
    read: () => attempt('read', path, () => read(path)),
    write: text => attempt('write', path, () => replace(path, text)),
  }
}

async function read(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (isAbsent(error)) return undefined
    throw error
  }
}

/** Nobody ever sees half of it, and nobody but its owner any of it. */
async function replace(path: string, text: string): Promise<void> {
  const target = await targetOf(path)
  await mkdir(dirname(target), {recursive: true, mode: 0o700})
  const unfinished = `${target}.${randomBytes(6).toString('hex')}`
  try {
    const file = await open(unfinished, 'wx', 0o600)
    try {
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(unfinished, target)
  } catch (error) {
    await rm(unfinished, {force: true})
    throw error
  }
}

/** Where a path leads, also where a link leads to what is not there yet. */
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
    if (systemCode(cause) === undefined) throw cause
    throw new CrossplaneError('credentials-failed', `cannot ${verb} the credentials file ${path}`, {
      cause,
      suggestions: ['Grant access to it, or name another file in REGISTRY_AUTH_FILE.'],
    })
  }
}
