import type {KubernetesObject} from '../../../kubernetes/kubernetes-object.js'
import {activatedBy} from '../../../render/xpkg/activated-by.js'
import type {CoreRequest, CoreState} from '../state/core-state.js'
import type {OwnedObject} from './lock/lost-objects.js'
import {isOurs} from './requested-as.js'

/**
 * Returns the activation policies of this program that nothing needs without some requests: those with the name of one, as a set is
 * rendered with a policy of its first package, and those that activate kinds of one, as users name them. A policy stays while it is for a
 * kind of another package and no other policy is: of a later version of that kind, the core would make no CRD.
 * @param definitions - all ManagedResourceDefinitions.
 */
export function unusedPolicies(
  policies: readonly KubernetesObject[],
  definitions: readonly Pick<OwnedObject, 'name' | 'owners'>[],
  removed: readonly CoreRequest[],
  {requests, revisions}: Pick<CoreState, 'requests' | 'revisions'>,
): readonly KubernetesObject[] {
  const isRemoved = (kind: string, name: string) =>
    removed.some(one => one.kind === kind && one.name === name)
  const owners = new Set([
    ...removed.map(({uid}) => uid),
    ...revisions.filter(({kind, request}) => isRemoved(kind, request)).map(({uid}) => uid),
  ])
  const goes = ({owners: uids}: Pick<OwnedObject, 'owners'>) => uids.some(uid => owners.has(uid))
  const leaving = definitions.filter(goes)
  const staying = definitions.filter(definition => !goes(definition))
  const names = new Set(removed.map(({name}) => name))
  const stayingNames = new Set(requests.filter(one => !removed.includes(one)).map(({name}) => name))
  const isFor = (policy: KubernetesObject) => {
    const activates = activatedBy([policy])
    return names.has(policy.metadata.name) || leaving.some(({name}) => activates(name))
  }
  const candidates = policies
    .filter(isOurs)
    .filter(policy => !stayingNames.has(policy.metadata.name))
    .filter(isFor)
  const isLeftActive = activatedBy(policies.filter(policy => !candidates.includes(policy)))
  return candidates.filter(policy => {
    const activates = activatedBy([policy])
    return staying.every(({name}) => !activates(name) || isLeftActive(name))
  })
}
