import {boolean, string} from '@oclif/core/flags'

/** For commands that select other versions. It has no environment variable: acceptance is for the effects that a user reads. */
export const acceptImpactFlag = {
  'accept-impact': boolean({
    helpGroup: 'SAFETY',
    summary:
      'Accept the effects on objects; the lock file records those on objects that the declaration names',
  }),
}

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

/** The flag with which the signatures of a lock count. */
export const trustLockOptions = {
  helpGroup: 'DEPENDENCY',
  summary: 'Use the signatures that the lock file records, without reading them',
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
    exclusive: ['trust-lock'],
    helpGroup: 'DEPENDENCY',
    summary: 'Read the signatures that a policy requires, in place of those in the lock file (default)',
  }),
  'trust-lock': boolean({...trustLockOptions, dependsOn: ['locked']}),
}
