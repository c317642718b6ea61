import type {KubernetesObject} from '../../../kubernetes/kubernetes-object.js'
import {asObject, asText} from '../../../yaml/json-value.js'
import {activatedBy} from '../activated-by.js'
import type {ExpandedPackage} from './expanded-package.js'
import {type IsActivated, packageObjects} from './package-objects.js'
import {compositeRoles, providerRoles} from './rbac-roles.js'
import {revisionObject} from './revision-object.js'
import {runtimeObjects} from './runtime-objects.js'

/**
 * Returns everything that Crossplane 2.3 creates for each package, for a review: it is never applied. `policies` are those that
 * activate managed resources.
 */
export function expandSet(
  packages: readonly ExpandedPackage[],
  policies: readonly KubernetesObject[],
): ReadonlyMap<ExpandedPackage, readonly KubernetesObject[]> {
  const isActivated = activatedBy(policies)
  return new Map(packages.map(one => [one, expandPackage(one, packages, isActivated)]))
}

function expandPackage(
  one: ExpandedPackage,
  all: readonly ExpandedPackage[],
  isActivated: IsActivated,
): readonly KubernetesObject[] {
  const runtime = runtimeObjects(one)
  const objects = packageObjects(one, isActivated)
  const xrds = objects.filter(({kind}) => kind === 'CompositeResourceDefinition')
  return [
    revisionObject(one),
    ...runtime,
    ...objects,
    ...providerRoles(one, all, accountOf(runtime)),
    ...xrds.flatMap(compositeRoles),
  ]
}

function accountOf(runtime: readonly KubernetesObject[]): string {
  const deployment = runtime.find(({kind}) => kind === 'Deployment')
  return asText(asObject(asObject(asObject(deployment?.spec).template).spec).serviceAccountName)
}
