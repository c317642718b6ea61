import {boolean, string} from '@oclif/core/flags'

/** The lock file of a command that writes or compares it. */
export const lockFileFlag = {
  'lock-file': string({
    helpGroup: 'DEPENDENCIES',
    helpValue: 'FILE',
    summary: "Lock file (default: the declaration's name with .lock)",
  }),
}

/** Flags of commands that resolve and do not write the lock file. */
export const lockFlags = {
  'lock-file': string({
    helpGroup: 'DEPENDENCIES',
    helpValue: 'FILE',
    summary: "Lock file to use (default: the declaration's, if it exists)",
  }),
  locked: boolean({
    helpGroup: 'DEPENDENCIES',
    summary: 'Fail if the result differs from the lock file',
  }),
}
