import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import {failureOf} from '../../cluster/api/cluster-failure.js'
import {asObject, asObjects, asText, type JsonObject} from '../../yaml/json-value.js'

/** A label of the Deployment in the Helm chart of Crossplane. */
const LABEL = 'app=crossplane'

/**
 * Returns the version of the Crossplane that runs, from the tag of its image; undefined where that is unknown, or the user
 * may not read it. Anyone may label a Deployment: where several disagree, none is used. Throws other errors of the API.
 */
export async function readCoreVersion(api: Pick<ClusterApi, 'list'>): Promise<string | undefined> {
  const versions = new Set<string>()
  try {
    for await (const {spec} of api.list(
      {apiVersion: 'apps/v1', kind: 'Deployment'},
      {labelSelector: LABEL},
    )) {
      for (const container of asObjects(podSpecOf(spec).containers)) {
        const version = versionOf(container)
        if (version !== undefined) versions.add(version)
      }
    }
  } catch (error) {
    if (failureOf(error)?.status !== 403) throw error
  }
  const [version] = versions
  return versions.size === 1 ? version : undefined
}

function podSpecOf(spec: JsonObject[string] | undefined): JsonObject {
  return asObject(asObject(asObject(spec).template).spec)
}

function versionOf({image}: JsonObject): string | undefined {
  return /\/crossplane:(v\d+\.\d+\.\d+)(?:@|$)/.exec(asText(image))?.[1]
}
