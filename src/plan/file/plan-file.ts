import type {Operation, Plan, Precondition} from '../plan.js'
import {sha256Of} from '../sha256.js'

/** The targets of plans that edit a declaration and its lock file. */
export const DECLARATION_TARGET = 'declaration'
export const LOCK_TARGET = 'lock-file'

/** One file with its desired content. */
export interface DesiredFile {
  /** The kind of target, such as `lock-file`. */
  readonly target: string
  /** The name of the file, without the folders on the way. */
  readonly name: string
  readonly content: string
}

/** The observed state of a file: its bytes, or none if it does not exist. */
export interface FileSnapshot {
  readonly bytes?: Uint8Array
}

/** Plans to delete a file that exists. */
export function planFileRemoval({target, name}: Omit<DesiredFile, 'content'>, {bytes}: FileSnapshot): Plan {
  if (bytes === undefined) return {operations: [], unchanged: 0, rejections: []}
  const operation: Operation = {
    action: 'delete',
    target,
    path: name,
    reason: 'the declaration no longer has it',
    precondition: {sha256: sha256Of(bytes)},
  }
  return {operations: [operation], unchanged: 0, rejections: []}
}

/** Plans to create the file, replace it, or leave it unchanged. */
export function planFile({target, name, content}: DesiredFile, {bytes}: FileSnapshot): Plan {
  const precondition: Precondition = bytes === undefined ? {absent: true} : {sha256: sha256Of(bytes)}
  if (bytes !== undefined && Buffer.from(content).equals(bytes)) {
    return {operations: [], unchanged: 1, rejections: []}
  }
  const common = {target, path: name, content, precondition}
  const operation =
    bytes === undefined
      ? ({...common, action: 'create-only', reason: 'the file does not exist'} as const)
      : ({...common, action: 'replace', reason: 'the content changes'} as const)
  return {operations: [operation], unchanged: 0, rejections: []}
}
