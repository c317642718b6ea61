import {CrossplaneError} from '../../errors.js'
import {objectText} from '../../kubernetes/object-key.js'
import {addedImpact} from '../../plan/cluster/uninstall/added-impact.js'
import type {Operation, Plan} from '../../plan/plan.js'
import {nameIn, uidIn} from '../../apply/operation-parts.js'
import {escaped} from '../../text.js'

/**
 * Throws `cluster-refused` if a package manager that is told to remove an install now would take more from users than the
 * plan has, or if the install is now removed in another way.
 */
export function expectSameImpact(planned: Plan, current: Plan): void {
  const [request, now] = [planned, current].map(requestRemoval)
  if (request === undefined) return
  const added = addedImpact(planned, current)
  if (added === undefined && now !== undefined && uidIn(now) === uidIn(request)) return
  const {why, suggestions} = added ?? CHANGED
  const object = escaped(objectText(nameIn(request)))
  throw new CrossplaneError('cluster-refused', `cannot delete ${object}: ${why}`, {suggestions})
}

const CHANGED = {
  why: 'the install changed in the meantime',
  suggestions: ['Run the command again, and review the new plan.'],
}

/** The last deletion of a plan that leaves the rest to a package manager is that of its request. */
function requestRemoval({operations}: Plan): Operation | undefined {
  return operations.findLast(({action}) => action === 'delete')
}
