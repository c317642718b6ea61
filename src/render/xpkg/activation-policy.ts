import type {Diagnostic} from '../../diagnostic.js'
import {CrossplaneError} from '../../errors.js'
import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import {compareText} from '../../reference/compare-text.js'
import {listSome} from '../../text.js'
import type {DefinedKind} from '../../xpkg/content/xpkg.js'
import type {ClosurePackage} from './closure.js'
import {isSince, SINCE} from '../../xpkg/core-release.js'
import {hasSafeStart} from './managed-kinds.js'

/** The kinds of managed resources that a set activates: all, those that Compositions use, none, or what policies say. */
export type Activation = 'all' | 'used' | 'none' | readonly KubernetesObject[]

/** The policies of a set, with warnings. */
export interface ActivationPolicies {
  readonly policies: readonly KubernetesObject[]
  readonly warnings: readonly Diagnostic[]
}

/**
 * Returns the policies by which Crossplane activates managed resources of packages with the capability safe-start; those of
 * others are always active. Throws `usage` if the version of Crossplane has no such policies and they would matter.
 */
export function activationPolicies(
  packages: readonly ClosurePackage[],
  activation: Activation,
  {name, coreVersion}: {readonly name: string; readonly coreVersion?: string | undefined},
): ActivationPolicies {
  if (activation === 'none') return {policies: [], warnings: []}
  if (!isSince(coreVersion, SINCE.activationPolicy)) return withoutPolicies(activation, coreVersion ?? '')
  if (typeof activation !== 'string') return {policies: activation, warnings: []}
  const providers = packages.filter(({kind}) => kind === 'Provider')
  const managed = providers.filter(hasSafeStart).flatMap(selected => managedKinds(selected, coreVersion))
  const activate =
    activation === 'all' ? managed.map(({group}) => `*.${group}`) : usedNames(packages, managed)
  const policies = activate.length === 0 ? [] : [policyOf(name, activate)]
  const isAll = activation === 'all'
  return {policies, warnings: isAll ? voidWarnings(packages, policies) : usedWarnings(packages, providers)}
}

/** A policy for all kinds leaves nothing to the narrower ones that packages bring. */
function voidWarnings(
  packages: readonly ClosurePackage[],
  policies: readonly KubernetesObject[],
): readonly Diagnostic[] {
  if (policies.length === 0) return []
  return packages.flatMap(({repository, objects = []}) =>
    objects
      .filter(({role}) => role === 'activation-policy')
      .map(({name}): Diagnostic => ({
        severity: 'warning',
        rule: 'xpkg-activation-void',
        message: `ManagedResourceActivationPolicy ${name} of ${repository} has no effect: all kinds are activated`,
        suggestions: ['Pass --activate with policies of your own, or with used.'],
      })),
  )
}

function withoutPolicies(activation: Activation, coreVersion: string): ActivationPolicies {
  if (activation === 'all') return {policies: [], warnings: []}
  const message = `--activate requires Crossplane v2.0 or later, not ${coreVersion}`
  throw new CrossplaneError('usage', message, {suggestions: ['Leave out --activate.']})
}

function policyOf(name: string, activate: readonly string[]): KubernetesObject {
  return {
    apiVersion: 'apiextensions.crossplane.io/v1alpha1',
    kind: 'ManagedResourceActivationPolicy',
    metadata: {name},
    spec: {activate: [...new Set(activate)].sort(compareText)},
  }
}

/** Kinds for which Crossplane creates no ManagedResourceDefinition. */
const CONFIGS = ['ProviderConfig', 'ClusterProviderConfig', 'ProviderConfigUsage']
/** Kinds that managed resources of any kind need; for Crossplane 2.3 and later, the first one is a CRD. */
const NEEDED = ['ClusterProviderConfigUsage', 'StoreConfig']

function managedKinds({objects = []}: ClosurePackage, coreVersion: string | undefined) {
  const crds = isSince(coreVersion, SINCE.newRules) ? [...CONFIGS, 'ClusterProviderConfigUsage'] : CONFIGS
  return objects.flatMap(({role, defines}) =>
    defines === undefined || (role !== 'mrd' && (role !== 'crd' || crds.includes(defines.kind)))
      ? []
      : [defines],
  )
}

function compositionsOf({objects = []}: ClosurePackage) {
  return objects.flatMap(({name, composes}) => (composes === undefined ? [] : [{name, ...composes}]))
}

function usedNames(packages: readonly ClosurePackage[], managed: readonly DefinedKind[]): readonly string[] {
  const used = new Set(
    packages
      .flatMap(compositionsOf)
      .flatMap(({kinds}) => kinds)
      .map(({group, kind}) => `${group}/${kind}`),
  )
  return managed
    .filter(({group, kind}) => used.has(`${group}/${kind}`) || NEEDED.includes(kind))
    .map(({group, plural}) => `${plural}.${group}`)
}

function usedWarnings(
  packages: readonly ClosurePackage[],
  providers: readonly ClosurePackage[],
): readonly Diagnostic[] {
  const always = providers.filter(selected => !hasSafeStart(selected)).map(({repository}) => repository)
  const unread = packages
    .flatMap(compositionsOf)
    .flatMap(({name, unread: functions}) => functions.map(step => `${name} (${step})`))
  const warning = (message: string): Diagnostic => ({severity: 'warning', rule: 'xpkg-activation', message})
  return [
    warning(
      'a policy with * activates all kinds: the Helm chart of Crossplane creates one unless provider.defaultActivations is empty',
    ),
    ...(always.length === 0
      ? []
      : [warning(`all kinds of packages without the capability safe-start are active: ${listSome(always)}`)]),
    ...(unread.length === 0
      ? []
      : [
          warning(
            `the functions of these Compositions can use other kinds, which are not activated: ${listSome(unread)}`,
          ),
        ]),
  ]
}
