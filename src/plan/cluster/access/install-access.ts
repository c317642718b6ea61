import type {AccessReview} from '../../../cluster/api/access-reviews.js'
import type {Discovery} from '../../../cluster/api/discovery.js'
import {ERAS, pluralOf} from '../../../render/era.js'
import {RBAC_GROUP} from '../../../render/rbac.js'
import {leaseAccess, type NeededAccess} from './needed-access.js'
import {packageAccess} from './read-access.js'

const APPLY = ['get', 'create', 'patch']

/** Returns the permissions that an install of any package in a namespace requires, without those of its controller. */
export function installAccess(namespace: string, discovery: Discovery): NeededAccess {
  const {group, kinds} = ERAS.packages
  const cluster = [
    ...on(['list', ...APPLY], 'apiextensions.k8s.io', 'customresourcedefinitions'),
    ...on(APPLY, RBAC_GROUP, 'clusterroles'),
    ...on(APPLY, RBAC_GROUP, 'clusterrolebindings'),
  ]
  const namespaced = [
    ...on([...APPLY, 'delete'], '', 'configmaps'),
    ...on(APPLY, '', 'serviceaccounts'),
    ...on(APPLY, 'apps', 'deployments'),
    ...on(APPLY, RBAC_GROUP, 'rolebindings'),
    ...on(APPLY, group, pluralOf(kinds.record)),
  ].map(review => ({...review, namespace}))
  const {reviews} = packageAccess(discovery)
  return {
    reviews: [...reviews, ...cluster, ...namespaced, ...leaseAccess(namespace)],
    grants: [],
    creations: [],
  }
}

function on(verbs: readonly string[], group: string, resource: string): readonly AccessReview[] {
  return verbs.map(verb => ({verb, group, resource}))
}
