import {readdirSync} from 'node:fs'
import {basename, dirname} from 'node:path'
import {CrossplaneError} from '../errors.js'
import {escaped, nearest} from '../text.js'
import {reasonOf, systemCode} from './file-system.js'

/** Returns a system error as a `CrossplaneError`: `not-found` if nothing exists, otherwise `read-failed`. */
export function cannotRead(path: string, cause: unknown): unknown {
  const code = systemCode(cause)
  if (code === undefined) return cause
  const isNowhere = isAbsent(cause) || NO_FILE_CAN_BE_THERE.includes(code)
  return new CrossplaneError(
    isNowhere ? 'not-found' : 'read-failed',
    `cannot read ${path}: ${reasonOf(code)}`,
    {cause},
  )
}

const NO_FILE_CAN_BE_THERE = ['ELOOP', 'ENAMETOOLONG']

/** Reports whether a system error means that nothing exists at a path. */
export function isAbsent(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '')
}

/** Suggests the path that is most similar to one where nothing exists; nothing without one. */
export function nearPaths(path: string): readonly string[] {
  const name = basename(path)
  const near = nearest(name, namesBeside(path))
  if (near === undefined || near === name) return []
  return [`Did you mean ${escaped(`${path.slice(0, path.lastIndexOf(name))}${near}`)}?`]
}

function namesBeside(path: string): readonly string[] {
  try {
    return readdirSync(dirname(path))
  } catch {
    return []
  }
}
