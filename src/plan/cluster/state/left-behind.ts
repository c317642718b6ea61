import {CRD_KIND} from '../../../kubernetes/crd-kind.js'
import {count, shellWord} from '../../../text.js'
import type {KeptObject} from '../../plan.js'

/** A CRD that an install left behind, as it is now. */
export interface LeftBehind {
  readonly crd: string
  /** The number of its custom resources, which have no controller; absent if they cannot be counted. */
  readonly instances?: number
  /** The reason why they cannot be counted. */
  readonly reason?: string
}

/** States what is left of a CRD. */
export function leftText({crd, instances, reason}: LeftBehind): string {
  if (instances === undefined)
    return `${crd} is left behind; its custom resources cannot be counted: ${reason ?? ''}`
  if (instances === 0) return `${crd} is left behind and has no custom resources`
  const verb = instances === 1 ? 'has' : 'have'
  return `${crd} is left behind: ${count(instances, 'custom resource')} ${verb} no controller`
}

/** The command that shows the custom resources of a CRD or, where there are none, deletes it. */
export function leftCommand({crd, instances}: LeftBehind): string {
  return instances === 0
    ? `kubectl delete customresourcedefinition ${shellWord(crd)}`
    : `kubectl get ${shellWord(crd)} --all-namespaces`
}

/** The CRDs that stay although their install is removed. */
export function keptLeft(left: readonly LeftBehind[]): readonly KeptObject[] {
  return left.map(behind => ({
    object: {...CRD_KIND, name: behind.crd},
    reason: keptReason(behind),
  }))
}

/** CRDs that only have to be deleted have one reason, so that they are one line of a plan. */
function keptReason(behind: LeftBehind): string {
  return behind.instances === 0
    ? 'left behind without custom resources; kubectl delete customresourcedefinition NAME deletes it'
    : `${leftText(behind)}; ${leftCommand(behind)}`
}
