import type {Declaration} from '../../declaration/declaration.js'
import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import {groupOf, nameOf} from '../../kubernetes/object-key.js'
import {present} from '../../present.js'
import {activatedBy} from '../../render/xpkg/activated-by.js'
import {type Activation, activationPolicies, declaredActivation} from '../../render/xpkg/activation-policy.js'
import type {ClosurePackage} from '../../render/xpkg/closure.js'
import {hasSafeStart, isManagedKind} from '../../render/xpkg/managed-kinds.js'
import {isSince, SINCE} from '../../xpkg/core-release.js'
import {asObject, asTexts} from '../../yaml/json-value.js'
import type {SurfacePackage} from '../compare-sets.js'
import type {UsedObject} from '../objects/used-object.js'
import type {CrdSurface} from '../package-surface.js'

/** What the managed resources of a set are activated by, besides the policies of its packages. */
export interface ActivationChoice {
  /** By default, all. */
  readonly activation?: Activation
  readonly coreVersion?: string
  /** Policies of users: those of a cluster, or in files. */
  readonly others?: readonly KubernetesObject[]
  /** Whether these are all; otherwise, `none` leaves open what is active. */
  readonly areAll?: boolean
}

/** Whether a kind is served: `always` without any policy, `unknown` where the policies of a cluster decide. */
export type ActivationState = 'always' | 'active' | 'inactive' | 'unknown'

/** Returns what a declaration activates. */
export function declaredChoice(
  {xpkg}: Pick<Declaration, 'xpkg'>,
  coreVersion: string | undefined,
): ActivationChoice {
  return present({activation: declaredActivation(xpkg?.activate), coreVersion})
}

/** Returns which kinds of a set are active: by its own policy, by those of its packages, and by those of a cluster. */
export function activationStates(
  packages: readonly SurfacePackage[],
  {activation = 'all', coreVersion, others = [], areAll = false}: ActivationChoice,
): (own: SurfacePackage, crd: CrdSurface) => ActivationState {
  if (!isSince(coreVersion, SINCE.activationPolicy)) return () => 'always'
  const {policies} = activationPolicies(packages.flatMap(closurePackage), activation, {name: '', coreVersion})
  const brought = packages.flatMap(({surface}) => surface.activation?.policies ?? [])
  const isActivated = activatedBy([...policies, ...brought, ...others])
  const otherwise = activation === 'none' && !areAll ? 'unknown' : 'inactive'
  return ({surface}, crd) => {
    if (!isManaged(surface.activation, crd, coreVersion)) return 'always'
    return isActivated(crd.name) ? 'active' : otherwise
  }
}

/** Returns the names and patterns of the policy that a set has of its own. */
export function ownPatterns(
  packages: readonly SurfacePackage[],
  {activation = 'all', coreVersion}: ActivationChoice,
): readonly string[] {
  if (!isSince(coreVersion, SINCE.activationPolicy)) return []
  const {policies} = activationPolicies(packages.flatMap(closurePackage), activation, {name: '', coreVersion})
  return policies.flatMap(({spec}) => asTexts(asObject(spec).activate))
}

function closurePackage({package: repository, version, surface}: SurfacePackage): readonly ClosurePackage[] {
  return surface.activation === undefined
    ? []
    : [{...surface.activation, repository, version, dependencies: []}]
}

/** A ManagedResourceDefinition is as the package has it; those of CRDs are active without the capability safe-start. */
function isManaged(
  facts: SurfacePackage['surface']['activation'],
  {source, kind, isInactive}: CrdSurface,
  coreVersion: string | undefined,
): boolean {
  if (facts?.kind !== 'Provider') return false
  if (source === 'mrd') return isInactive
  return (
    source === 'crd' &&
    hasSafeStart(present({capabilities: facts.capabilities})) &&
    isManagedKind(kind, coreVersion)
  )
}

/** Returns the activation policies among the objects of users. */
export function policiesAmong(objects: readonly UsedObject[]): readonly KubernetesObject[] {
  return objects.flatMap(({apiVersion, kind, value}) =>
    kind === 'ManagedResourceActivationPolicy' && groupOf(apiVersion) === 'apiextensions.crossplane.io'
      ? [{...value, apiVersion, kind, metadata: {...asObject(value.metadata), name: nameOf(value).name}}]
      : [],
  )
}

/** Returns a set in which all kinds are active, for what is not about a cluster. */
export function withAllActive(packages: readonly SurfacePackage[]): readonly SurfacePackage[] {
  return packages.map(own => {
    const crds = own.surface.crds.map(crd => (crd.isInactive ? {...crd, isInactive: false} : crd))
    return {...own, surface: {...own.surface, crds}}
  })
}

/** Returns a set in which the kinds are inactive that no policy activates. */
export function activatedSet(
  packages: readonly SurfacePackage[],
  choice: ActivationChoice,
): readonly SurfacePackage[] {
  const stateOf = activationStates(packages, choice)
  return packages.map(own => {
    const crds = own.surface.crds.map(crd => {
      const isInactive = stateOf(own, crd) === 'inactive'
      return isInactive === crd.isInactive ? crd : {...crd, isInactive}
    })
    const isSame = crds.every((crd, at) => crd === own.surface.crds[at])
    return isSame ? own : {...own, surface: {...own.surface, crds}}
  })
}
