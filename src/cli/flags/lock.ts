import {boolean, string} from '@oclif/core/flags'

/** The file that says what was chosen before. */
export const lockFileFlag = {
  'lock-file': string({
    helpGroup: 'DEPENDENCIES',
    helpValue: 'FILE',
    summary: "Lock with what was chosen before; by default the declaration's, with .lock for .yaml.",
  }),
}

/** Flags of commands that choose packages and write no lock. */
export const lockFlags = {
  'lock-file': string({
    helpGroup: 'DEPENDENCIES',
    helpValue: 'FILE',
    summary: "Lock to keep to where it still fits; by default the declaration's, if there is one.",
  }),
  locked: boolean({
    helpGroup: 'DEPENDENCIES',
    summary: 'Refuse whatever differs from the lock, and to do without one.',
  }),
}
