import {installedPackage} from '../../../test/fakes/core-answers.js'

interface Conditions {
  /** When its conditions and its revision came to be. */
  readonly since?: string
  readonly isHealthy?: boolean
}

/** The objects of a provider that is installed, with the times of its conditions. */
export function provider(
  repository: string,
  tag: string,
  conditions: Conditions = {},
): ReturnType<typeof installedPackage> {
  return livePackage('Provider', repository, tag, conditions)
}

/** The same of any package. */
export function livePackage(
  kind: string,
  repository: string,
  tag: string,
  {since = '2020-01-01T00:00:00Z', isHealthy = true}: Conditions = {},
): ReturnType<typeof installedPackage> {
  return installedPackage(kind, repository, tag).map(object => {
    const {conditions} = object.status as {readonly conditions: readonly Readonly<Record<string, unknown>>[]}
    return {
      ...object,
      metadata: {
        ...object.metadata,
        creationTimestamp: since,
        managedFields: [{manager: 'crossplane', operation: 'Update', time: since, fieldsV1: {'f:spec': {}}}],
      },
      status: {
        ...(object.status as object),
        conditions: conditions.map(condition => ({
          ...condition,
          lastTransitionTime: since,
          ...(isHealthy || condition.type !== 'Healthy' ? {} : {status: 'False', message: 'no Pod runs'}),
        })),
      },
    }
  })
}
