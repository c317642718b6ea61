import {CRD_KIND} from '../../../kubernetes/crd-kind.js'
import {count, listSome, shellWord} from '../../../text.js'
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

/** A message about CRDs that were left behind, and the command that shows or deletes what is left. */
export interface LeftMessage {
  readonly message: string
  readonly command: string
}

/** The number of CRDs that one command deletes. */
const MAX_DELETED = 20

/** Reports CRDs with custom resources one by one and first, and those that only have to be deleted together. */
export function leftMessages(left: readonly LeftBehind[]): readonly LeftMessage[] {
  const empty = left.filter(({instances}) => instances === 0).map(({crd}) => crd)
  const others = left.filter(({instances}) => instances !== 0)
  return [
    ...others.map(behind => ({message: leftText(behind), command: leftCommand(behind)})),
    ...Array.from({length: Math.ceil(empty.length / MAX_DELETED)}, (_, chunk) =>
      emptyMessage(empty.slice(chunk * MAX_DELETED, (chunk + 1) * MAX_DELETED)),
    ),
  ]
}

function emptyMessage(crds: readonly string[]): LeftMessage {
  const verbs = crds.length === 1 ? ['is', 'has'] : ['are', 'have']
  return {
    message: `${listSome(crds)} ${verbs.join(' left behind and ')} no custom resources`,
    command: `kubectl delete customresourcedefinition ${crds.map(shellWord).join(' ')}`,
  }
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
