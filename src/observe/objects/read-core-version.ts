import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import type {Discovery} from '../../cluster/api/discovery.js'
import {failureOf} from '../../cluster/api/cluster-failure.js'
import {asObject, asObjects, asText, type JsonObject} from '../../yaml/json-value.js'

/** A label of the Deployment in the Helm chart of Crossplane. */
const LABEL = 'app=crossplane'

/**
 * Returns the version of the Crossplane that runs, from the tag of its image; undefined where that is unknown, or the user
 * may not read it. Anyone may label a Deployment: where several disagree, none is used. Throws other errors of the API.
 */
export async function readCoreVersion(api: Pick<ClusterApi, 'list'>): Promise<string | undefined> {
  const versions = new Set((await readImages(api)).flatMap(image => versionOf(image) ?? []))
  const [version] = versions
  return versions.size === 1 ? version : undefined
}

/**
 * Returns the current Crossplane that a cluster has, in words; undefined for one with Crossplane v0.12 or none. Its CRDs show it,
 * and, until it has created them, its Deployment. Throws the errors of the API.
 */
export async function readRunningCore(
  api: Pick<ClusterApi, 'list' | 'discover'>,
): Promise<string | undefined> {
  const [discovery, images] = await Promise.all([api.discover(), readImages(api)])
  const versions = new Set(images.flatMap(image => CURRENT.exec(image)?.[1] ?? []))
  if (versions.size === 0 && !servesPackages(discovery)) return undefined
  const [version] = versions
  return versions.size === 1 && version !== undefined ? `Crossplane v${version}` : 'a current Crossplane'
}

function servesPackages(discovery: Discovery): boolean {
  return ['v1', 'v1beta1'].some(
    version => discovery.find(`pkg.crossplane.io/${version}`, 'Provider') !== undefined,
  )
}

/** Images of the Deployments that have the label; none where the user may not read them. */
async function readImages(api: Pick<ClusterApi, 'list'>): Promise<readonly string[]> {
  const images: string[] = []
  try {
    for await (const {spec} of api.list(
      {apiVersion: 'apps/v1', kind: 'Deployment'},
      {labelSelector: LABEL},
    )) {
      images.push(...asObjects(podSpecOf(spec).containers).map(({image}) => asText(image)))
    }
  } catch (error) {
    if (failureOf(error)?.status !== 403) throw error
  }
  return images
}

function podSpecOf(spec: JsonObject[string] | undefined): JsonObject {
  return asObject(asObject(asObject(spec).template).spec)
}

function versionOf(image: string): string | undefined {
  return /\/crossplane:(v\d+\.\d+\.\d+)(?:@|$)/.exec(image)?.[1]
}

/** A version without the package manager of v0.12; distributions add to it, such as -up.1. */
const CURRENT = /\/crossplane:v?([1-9]\d*\.\d+\.[\w.-]+)(?:@|$)/
