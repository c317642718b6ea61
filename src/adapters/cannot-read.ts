import {CrossplaneError} from '../errors.js'
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
