import type {AccessReview} from '../cluster/api/access-reviews.js'
import type {ClusterApi} from '../cluster/api/cluster-api.js'
import {failureOf} from '../cluster/api/cluster-failure.js'
import {CrossplaneError} from '../errors.js'
import {nameOf} from '../kubernetes/object-key.js'
import type {Grant} from '../plan/cluster/access/granted-access.js'
import type {Creation, NeededAccess} from '../plan/cluster/access/needed-access.js'
import type {KubernetesObject} from '../kubernetes/kubernetes-object.js'

type AccessApi = Pick<ClusterApi, 'allowed' | 'get'>

/** The permission of cluster administrators: one request answers for all others. */
const EVERYTHING: AccessReview = {verb: '*', group: '*', resource: '*'}

/** The permissions that a user lacks. */
export interface MissingAccess {
  readonly reviews: readonly AccessReview[]
  /** The objects that the user may not create. */
  readonly objects: readonly KubernetesObject[]
}

/**
 * Finds the permissions that a change requires and the user lacks. Checks many at once first, then each, which takes
 * few requests for users who may do most. Returns nothing if the server does not allow such checks; then each request
 * decides.
 */
export async function missingAccess(needed: NeededAccess, api: AccessApi): Promise<MissingAccess> {
  try {
    if (await isAllowed(EVERYTHING, api)) return {reviews: [], objects: []}
    const {reviews, grants, creations} = needed
    const missing = [
      ...(await missingOf(reviews, withoutName, api)),
      ...(await missingOf(await neededGrants(grants, api), withoutResource, api)),
    ]
    return {
      reviews: withoutCovered(unique(missing)),
      objects: await missingObjects(creations, missing, api),
    }
  } catch (error) {
    if (error instanceof CrossplaneError && error.code === 'cluster-denied') return {reviews: [], objects: []}
    throw error
  }
}

/** The objects that the user may not create, and the Namespaces in which permissions are missing. */
async function missingObjects(
  creations: readonly Creation[],
  missing: readonly AccessReview[],
  api: AccessApi,
): Promise<readonly KubernetesObject[]> {
  const places = new Set(missing.flatMap(({namespace}) => namespace ?? []))
  const objects: KubernetesObject[] = []
  for (const {object, review, grant} of creations) {
    const needed = grant === undefined ? [] : await neededGrants([grant], api)
    const denied = await missingOf([review, ...needed], withoutName, api)
    const isPlace = object.kind === 'Namespace' && places.has(object.metadata.name)
    if ((denied.length > 0 || isPlace) && !(await isSeen(object, api))) objects.push(object)
  }
  return objects
}

/** Reports whether an object exists, as far as the user may read it. */
async function isSeen(object: KubernetesObject, api: AccessApi): Promise<boolean> {
  try {
    return (await api.get(nameOf(object))) !== undefined
  } catch (error) {
    if (failureOf(error)?.status === 403) return false
    throw error
  }
}

async function isAllowed(review: AccessReview, api: AccessApi): Promise<boolean> {
  const [answer] = await api.allowed([review])
  return answer?.allowed === true
}

/** Returns the permissions that the user must have to write roles that they may not `escalate` or `bind`. */
async function neededGrants(grants: readonly Grant[], api: AccessApi): Promise<readonly AccessReview[]> {
  const answers = await api.allowed(grants.map(({role}) => role))
  return grants
    .filter((_, index) => answers[index]?.allowed !== true)
    .flatMap(({role, rules}) => rules ?? [role])
}

function withoutCovered(reviews: readonly AccessReview[]): readonly AccessReview[] {
  const keys = new Set(reviews.map(keyOf))
  return reviews.filter(review => !wider(review).some(other => keys.has(keyOf(other))))
}

/** The permissions that include another: for all verbs, for all names, or in all namespaces. */
function wider(review: AccessReview): readonly AccessReview[] {
  const {namespace: _namespace, ...everywhere} = review
  const all = [review, everywhere].flatMap(variant => [variant, {...variant, verb: '*'}])
  return all
    .flatMap(variant => [variant, withoutName(variant)])
    .filter(variant => keyOf(variant) !== keyOf(review))
}

type Widen = (review: AccessReview) => AccessReview

const withoutName: Widen = ({name: _name, ...review}) => review

const withoutResource: Widen = ({
  verb: _verb,
  resource: _resource,
  subresource: _part,
  name: _name,
  ...review
}) => ({
  ...review,
  verb: '*',
  resource: '*',
})

async function missingOf(
  reviews: readonly AccessReview[],
  widen: Widen,
  api: AccessApi,
): Promise<readonly AccessReview[]> {
  const all = unique(reviews)
  const denied = await deniedOf(unique(all.map(widen)), api)
  const wide = new Set(denied.map(keyOf))
  return await deniedOf(
    all.filter(review => wide.has(keyOf(widen(review)))),
    api,
  )
}

async function deniedOf(reviews: readonly AccessReview[], api: AccessApi): Promise<readonly AccessReview[]> {
  const answers = await api.allowed(reviews)
  return reviews.filter((_, index) => answers[index]?.allowed !== true)
}

function unique(reviews: readonly AccessReview[]): readonly AccessReview[] {
  return [...new Map(reviews.map(review => [keyOf(review), review])).values()]
}

function keyOf({verb, group, resource, subresource = '', namespace = '', name = ''}: AccessReview): string {
  return [verb, group, resource, subresource, namespace, name].join(' ')
}
