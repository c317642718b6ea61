import {CrossplaneError} from '../errors.js'
import {systemCode} from './file-system.js'

/** What a failure of the file system means to a person: `not-found`, with its reason where it is a common one. */
export function cannotRead(path: string, cause: unknown): unknown {
  const code = systemCode(cause)
  if (code === undefined) return cause
  const reason = REASONS.get(code) ?? code
  return new CrossplaneError('not-found', `Cannot read ${path}: ${reason}.`, {cause})
}

/** Whether the file system says that there is nothing at a path. */
export function isAbsent(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '')
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'it is not there'],
  ['ENOTDIR', 'it is no directory'],
  ['EACCES', 'permission denied'],
  ['EPERM', 'permission denied'],
  ['ELOOP', 'it is a link that leads in a circle'],
  ['ENAMETOOLONG', 'its name is too long'],
])
