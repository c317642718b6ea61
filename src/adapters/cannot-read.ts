import {CrossplaneError} from '../errors.js'

/** What a failure of the file system means to a person: `not-found`, with its reason where it is a common one. */
export function cannotRead(path: string, cause: unknown): unknown {
  if (!(cause instanceof Error) || !('code' in cause) || cause instanceof CrossplaneError) return cause
  const reason = REASONS.get(String(cause.code)) ?? String(cause.code)
  return new CrossplaneError('not-found', `Cannot read ${path}: ${reason}.`, {cause})
}

/** Whether the file system says that there is nothing at a path. */
export function isAbsent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'it is not there'],
  ['ENOTDIR', 'it is no directory'],
  ['EACCES', 'permission denied'],
  ['EPERM', 'permission denied'],
  ['ELOOP', 'it is a link that leads in a circle'],
  ['ENAMETOOLONG', 'its name is too long'],
])
