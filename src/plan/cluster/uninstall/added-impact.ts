import {escaped, listNames, listSome, shellWord} from '../../../text.js'
import type {Plan} from '../../plan.js'
import type {CrdImpact} from '../../uninstall-impact.js'
import {lostInstanceText} from '../crds/lost-instances.js'

/** What an uninstall would take from users that its plan does not have, and what to do. */
export interface AddedImpact {
  readonly why: string
  readonly suggestions: readonly string[]
}

/**
 * Returns the first impact of an uninstall that its plan does not have. All instances that the plan deletes are gone by now:
 * any other one was created since. Undefined if there is none.
 */
export function addedImpact(planned: Plan, current: Plan): AddedImpact | undefined {
  const usersByCrd = new Map((planned.impact?.crds ?? []).map(({crd, users}) => [crd, users]))
  for (const impact of current.impact?.crds ?? []) {
    const {crd, instances, users} = impact
    if (instances > 0) return {why: instancesText(impact), suggestions: [listing(crd), AGAIN]}
    const added = users.filter(user => usersByCrd.get(crd)?.includes(user) !== true)
    if (added.length > 0) return {why: usersText(crd, added), suggestions: [AGAIN]}
  }
  const [rejection] = current.rejections
  return rejection && {why: rejection.message, suggestions: rejection.suggestions ?? []}
}

function instancesText({crd, instances, first}: CrdImpact): string {
  const names = listSome(first.map(lostInstanceText))
  return `custom resources of ${escaped(crd)} were created in the meantime (${instances}): ${names}`
}

function usersText(crd: string, users: readonly string[]): string {
  return `${escaped(crd)} is used by ${listNames(users)} since the plan was made`
}

function listing(crd: string): string {
  return `kubectl get ${shellWord(crd)} --all-namespaces`
}

const AGAIN = 'Run the command again, and review the new plan.'
