import {boolean, string} from '@oclif/core/flags'

/** Indexes to look packages up in. */
export const indexFlags = {
  index: string({
    multiple: true,
    multipleNonGreedy: true,
    env: 'CROSSPLANE_INDEX',
    helpGroup: 'PACKAGE',
    helpValue: 'ROOT|FILE',
    summary:
      'Index of packages in a registry, or in a file (./FILE, *.jsonl); of several the first counts most.',
  }),
}

const INDEX_TARGET = {helpGroup: 'INDEX', helpValue: 'ROOT'} as const
const SINGLE_REPOSITORY = {
  helpGroup: 'INDEX',
  summary: 'Begin the index in one repository, where others cannot be made.',
} as const

/** The index that is written to. What is changed is said on the command line: there is no variable for it. */
export const indexTargetFlag = {
  index: string({
    ...INDEX_TARGET,
    required: true,
    summary: 'Index in a registry: the repository that it begins at.',
  }),
}

export const indexTargetFlags = {...indexTargetFlag, 'single-repository': boolean(SINGLE_REPOSITORY)}

/** For a command that does something else in the first place. */
export const optionalIndexTargetFlags = {
  index: string({
    ...INDEX_TARGET,
    summary: 'Index in a registry to add the package to: the repository that it begins at.',
  }),
  'single-repository': boolean({...SINGLE_REPOSITORY, dependsOn: ['index']}),
}
