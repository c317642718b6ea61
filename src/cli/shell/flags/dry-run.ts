/** The values of `--dry-run` in a command that changes files. */
export const FILE_DRY_RUNS = ['none', 'client'] as const

/** The values of `--dry-run` in a command that changes a cluster. */
export const CLUSTER_DRY_RUNS = ['none', 'client', 'server'] as const

/** Makes a flag mean client without a value, as `--dry-run` of older versions of kubectl does. */
export function bareClient<Flag>(flag: Flag): Flag {
  return {...flag, bareValue: 'client'}
}
