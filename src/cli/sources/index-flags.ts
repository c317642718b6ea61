import {boolean, string} from '@oclif/core/flags'

/** The indexes in which packages are looked up. */
export const indexFlags = {
  index: string({
    multiple: true,
    multipleNonGreedy: true,
    env: 'CROSSPLANE_INDEX',
    helpGroup: 'PACKAGE',
    helpValue: 'ROOT|FILE',
    summary:
      'Package index in a registry, or in a file (./FILE, *.jsonl); can be repeated, the first takes precedence',
  }),
}

const INDEX_TARGET = {helpGroup: 'INDEX', helpValue: 'ROOT'} as const
const SINGLE_REPOSITORY = {
  helpGroup: 'INDEX',
  summary: 'Create the index in a single repository, where others cannot be created',
} as const

/** The index to write to. It has no environment variable: what a command changes is named on the command line. */
export const indexTargetFlag = {
  index: string({
    ...INDEX_TARGET,
    required: true,
    summary: 'Package index in a registry, by its root repository',
  }),
}

export const indexTargetFlags = {...indexTargetFlag, 'single-repository': boolean(SINGLE_REPOSITORY)}

/** For commands that need no index. */
export const optionalIndexTargetFlags = {
  index: string({
    ...INDEX_TARGET,
    summary: 'Package index in a registry to add the package to, by its root repository',
  }),
  'single-repository': boolean({...SINGLE_REPOSITORY, dependsOn: ['index']}),
}
