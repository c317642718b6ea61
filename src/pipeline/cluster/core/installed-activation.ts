import type {ClusterApi} from '../../../cluster/api/cluster-api.js'
import type {Diagnostic} from '../../../diagnostic.js'
import type {KubernetesObject} from '../../../kubernetes/kubernetes-object.js'
import {readDefinitions, readPolicies} from '../../../observe/core/read-owned.js'
import {isOurs} from '../../../plan/cluster/core/requested-as.js'
import type {CoreRevision, CoreState} from '../../../plan/cluster/state/core-state.js'
import {present} from '../../../present.js'
import {activatedBy} from '../../../render/xpkg/activated-by.js'
import {managedNames} from '../../../render/xpkg/activation-policy.js'
import type {ClosurePackage} from '../../../render/xpkg/closure.js'
import {hasSafeStart} from '../../../render/xpkg/managed-kinds.js'
import {escaped, listNames} from '../../../text.js'
import {isSince, SINCE} from '../../../xpkg/core-release.js'
import {asObject, asTexts} from '../../../yaml/json-value.js'
import type {ResolvedPackages} from './resolved-packages.js'

/** Packages that get other versions in a cluster. */
interface ActivatedPackages {
  readonly packages: readonly ClosurePackage[]
  readonly coreVersion: string | undefined
  /** Whether no policy is rendered, whatever the cluster has. */
  readonly keepsPolicies?: boolean | undefined
}

/** What a cluster activates of managed resources. */
interface InstalledActivation {
  readonly activation?: 'none'
  readonly notes: readonly Diagnostic[]
}

/**
 * Returns what a cluster activates, for a change of versions without a flag about it: without policies of this program none is made, and
 * those that users made stay as they are. Those for all kinds are rendered again, as is everything where no installed package depends on
 * policies. A note names new packages whose kinds would all be inactive. Throws the errors of the API.
 */
export async function installedActivation(
  {packages, coreVersion, keepsPolicies = false}: ActivatedPackages,
  {revisions}: Pick<CoreState, 'revisions'>,
  api: Pick<ClusterApi, 'list'>,
): Promise<InstalledActivation> {
  const providers = packages.filter(one => one.kind === 'Provider' && hasSafeStart(one))
  if (providers.length === 0 || !isSince(coreVersion, SINCE.activationPolicy)) return {notes: []}
  const policies = await readPolicies(api)
  const ours = policies.filter(isOurs)
  const gated = revisions.filter(isActivatedByPolicy)
  const before = gated.filter(({repository}) => providers.some(one => one.repository === repository))
  if (!keepsPolicies && (ours.length === 0 ? gated.length === 0 : await areForAll(ours, before, api)))
    return {notes: []}
  const activates = activatedBy(policies)
  const isIdle = (provider: ClosurePackage) => {
    const names = managedNames(provider, coreVersion)
    return names.length > 0 && !names.some(activates)
  }
  const added = providers.filter(({repository}) => !before.some(one => one.repository === repository))
  const idle = added.filter(isIdle).map(({repository}) => repository)
  return {activation: 'none', notes: keptNotes(keepsPolicies ? [] : ours, idle)}
}

/** Adds what a cluster activates to packages for it. */
export function withActivation(
  resolved: ResolvedPackages,
  {activation, notes}: InstalledActivation,
): ResolvedPackages {
  return {...resolved, ...present({activation}), notes: [...(resolved.notes ?? []), ...notes]}
}

/** Says that policies stay, and which new packages none of them activates; nothing without either. */
function keptNotes(kept: readonly KubernetesObject[], idle: readonly string[]): readonly Diagnostic[] {
  if (kept.length === 0 && idle.length === 0) return []
  const names = listNames(kept.map(({metadata}) => escaped(metadata.name)))
  const fact =
    kept.length === 0
      ? 'the cluster gets no activation policy'
      : `the activation policy of the cluster stays as it is (${names})`
  const effect =
    idle.length === 0
      ? 'kinds that only new versions need are not activated'
      : `no policy activates a kind of ${listNames(idle.map(one => escaped(one)))}`
  return [
    {
      severity: 'note',
      rule: 'xpkg-activation-kept',
      message: `${fact}: ${effect}`,
      suggestions: ['Change it with --activate of package upgrade or package install: all, used or a file.'],
    },
  ]
}

/** Providers without the capability have all their kinds active. */
function isActivatedByPolicy({kind, isActive, object}: CoreRevision): boolean {
  const {capabilities} = asObject(object.status)
  return kind === 'Provider' && isActive && hasSafeStart({capabilities: asTexts(capabilities)})
}

/** A user can activate whole groups as well: all kinds are only those of all groups that the packages have. */
async function areForAll(
  policies: readonly KubernetesObject[],
  revisions: readonly CoreRevision[],
  api: Pick<ClusterApi, 'list'>,
): Promise<boolean> {
  if (!policies.every(isForGroups)) return false
  const activates = activatedBy(policies)
  const definitions = await readDefinitions(api)
  return definitions
    .filter(({owners}) => revisions.some(({uid}) => owners.includes(uid)))
    .every(({name}) => activates(name))
}

/** As this program writes policies for all kinds. */
function isForGroups({spec}: KubernetesObject): boolean {
  return asTexts(asObject(spec).activate).every(pattern => /^\*\.[^*?]+$/.test(pattern))
}
