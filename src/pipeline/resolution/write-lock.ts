import type {Lock} from '../../declaration/lock.js'
import {writeLock} from '../../declaration/write-lock.js'
import type {WritableFile} from '../../fetch/output-files.js'
import {LOCK_TARGET, planFile} from '../../plan/file/plan-file.js'
import type {Plan} from '../../plan/plan.js'

/** A lock file and the bytes that resolution started from; undefined if it did not exist. */
export interface ObservedLock {
  readonly file: WritableFile
  readonly bytes?: Uint8Array
}

/** Plans the write of a lock file; nothing to do if it is unchanged. */
export function planLock({file, bytes}: ObservedLock, lock: Lock): Plan {
  const name = file.name.split(/[\\/]/).at(-1) ?? file.name
  return planFile({target: LOCK_TARGET, name, content: writeLock(lock)}, {bytes})
}
