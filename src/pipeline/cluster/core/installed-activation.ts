import type {ClusterApi} from '../../../cluster/api/cluster-api.js'
import type {Diagnostic} from '../../../diagnostic.js'
import type {KubernetesObject} from '../../../kubernetes/kubernetes-object.js'
import {readPolicies} from '../../../observe/core/read-owned.js'
import {isOurs} from '../../../plan/cluster/core/requested-as.js'
import type {CoreRevision, CoreState} from '../../../plan/cluster/state/core-state.js'
import type {Activation} from '../../../render/xpkg/activation-policy.js'
import {hasSafeStart} from '../../../render/xpkg/managed-kinds.js'
import {escaped, listNames} from '../../../text.js'
import {asObject, asTexts} from '../../../yaml/json-value.js'

/** What a cluster activates of managed resources. */
export interface InstalledActivation {
  readonly activation?: Activation
  readonly notes: readonly Diagnostic[]
}

/**
 * Returns what a cluster activates, for a change of versions without a flag about it: without policies of this program none is made,
 * and those that name kinds stay as they are. Those for all kinds of groups are rendered again, as is everything where no installed
 * package depends on policies. Throws the errors of the API.
 */
export async function installedActivation(
  {revisions}: Pick<CoreState, 'revisions'>,
  api: Pick<ClusterApi, 'list'>,
): Promise<InstalledActivation> {
  if (!revisions.some(isActivatedByPolicy)) return {notes: []}
  const ours = (await readPolicies(api)).filter(isOurs)
  if (ours.length === 0) return {activation: 'none', notes: []}
  if (ours.every(isForGroups)) return {notes: []}
  const names = listNames(ours.map(({metadata}) => escaped(metadata.name)))
  const message = `the activation policy of the cluster stays as it is (${names}): kinds that only new versions need are not activated`
  return {
    activation: ours.map(rendered),
    notes: [
      {
        severity: 'note',
        rule: 'xpkg-activation-kept',
        message,
        suggestions: ['Pass --activate with all, used, none or a file to change it.'],
      },
    ],
  }
}

/** Providers without the capability have all their kinds active. */
function isActivatedByPolicy({kind, isActive, object}: CoreRevision): boolean {
  const {capabilities} = asObject(object.status)
  return kind === 'Provider' && isActive && hasSafeStart({capabilities: asTexts(capabilities)})
}

function isForGroups({spec}: KubernetesObject): boolean {
  return asTexts(asObject(spec).activate).every(pattern => pattern.startsWith('*'))
}

function rendered({apiVersion, kind, metadata: {name}, spec}: KubernetesObject): KubernetesObject {
  return {apiVersion, kind, metadata: {name}, ...(spec === undefined ? {} : {spec})}
}
