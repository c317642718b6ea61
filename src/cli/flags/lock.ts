import {boolean, string} from '@oclif/core/flags'

/** The lock file of a command that writes or compares it. */
export const lockFileFlag = {
  'lock-file': string({
    helpGroup: 'DEPENDENCY',
    helpValue: 'FILE',
    summary: "Lock file (default: the declaration's name with .lock)",
  }),
}

/** The form in which `package lock` writes. */
export const splitFlag = {
  split: boolean({
    exclusive: ['lock-file'],
    helpGroup: 'OUTPUT',
    summary: 'Move each entry of the declaration, and the lock of each install, to a file in packages.d',
  }),
}

/** Flags of commands that resolve and do not write the lock file. */
export const lockFlags = {
  'lock-file': string({
    helpGroup: 'DEPENDENCY',
    helpValue: 'FILE',
    summary: "Lock file to use (default: the declaration's, if it exists)",
  }),
  locked: boolean({
    helpGroup: 'DEPENDENCY',
    summary: 'Fail if the result differs from the lock file',
  }),
  verify: boolean({
    dependsOn: ['locked'],
    helpGroup: 'DEPENDENCY',
    summary:
      'Verify signatures again that the lock file records (requires --policy, or policy in the declaration)',
  }),
}
