import type {DeclaredXpkgSettings} from '../../declaration/xpkg-settings.js'
import type {Diagnostic} from '../../diagnostic.js'
import {CrossplaneError} from '../../errors.js'
import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import {compareText} from '../../reference/compare-text.js'
import {listSome} from '../../text.js'
import type {DefinedKind} from '../../xpkg/content/xpkg.js'
import type {ClosurePackage} from './closure.js'
import {matcherOf} from './activated-by.js'
import {isSince, SINCE} from '../../xpkg/core-release.js'
import {hasSafeStart, isManagedKind} from './managed-kinds.js'

/**
 * The kinds of managed resources that a set activates: all, those that Compositions use, none, those of names and patterns, or
 * what policies say.
 */
export type Activation = 'all' | 'used' | 'none' | ActivatedNames | readonly KubernetesObject[]

/** Names of managed resources, and patterns of them. */
interface ActivatedNames {
  readonly names: readonly string[]
}

/** Returns what a declaration activates. */
export function declaredActivation(activate: DeclaredXpkgSettings['activate']): Activation | undefined {
  return activate === undefined || typeof activate === 'string' ? activate : {names: activate}
}

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
  const providers = packages.filter(({kind}) => kind === 'Provider')
  const managed = providers.filter(hasSafeStart).flatMap(selected => managedKinds(selected, coreVersion))
  if (activation === 'all') {
    const policies = policiesFor(
      name,
      managed.map(({group}) => `*.${group}`),
    )
    return {policies, warnings: voidWarnings(packages, policies)}
  }
  if (activation === 'used') {
    const policies = policiesFor(name, usedNames(packages, managed))
    return {policies, warnings: [...limitWarnings(providers), ...unreadWarnings(packages)]}
  }
  if (!('names' in activation)) return {policies: activation, warnings: []}
  const policies = policiesFor(name, activation.names)
  return {policies, warnings: [...limitWarnings(providers), ...unknownWarnings(activation, managed)]}
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

function policiesFor(name: string, activate: readonly string[]): readonly KubernetesObject[] {
  if (activate.length === 0) return []
  return [
    {
      apiVersion: 'apiextensions.crossplane.io/v1alpha1',
      kind: 'ManagedResourceActivationPolicy',
      metadata: {name},
      spec: {activate: [...new Set(activate)].sort(compareText)},
    },
  ]
}

/** Kinds that managed resources of any kind need; for Crossplane 2.3 and later, the first one is a CRD. */
const NEEDED = ['ClusterProviderConfigUsage', 'StoreConfig']

/** Reports whether managed resources of any kind need a kind. */
export function isNeeded(kind: string): boolean {
  return NEEDED.includes(kind)
}

/** Returns the names of the ManagedResourceDefinitions that Crossplane makes of a package. */
export function managedNames(selected: ClosurePackage, coreVersion: string | undefined): readonly string[] {
  return managedKinds(selected, coreVersion).map(({group, plural}) => `${plural}.${group}`)
}

function managedKinds({objects = []}: ClosurePackage, coreVersion: string | undefined) {
  return objects.flatMap(({role, defines}) =>
    defines === undefined || (role !== 'mrd' && (role !== 'crd' || !isManagedKind(defines.kind, coreVersion)))
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
    .filter(({group, kind}) => used.has(`${group}/${kind}`) || isNeeded(kind))
    .map(({group, plural}) => `${plural}.${group}`)
}

function warning(message: string): Diagnostic {
  return {severity: 'warning', rule: 'xpkg-activation', message}
}

/** Why more kinds are active than the policies of a set say. */
function limitWarnings(providers: readonly ClosurePackage[]): readonly Diagnostic[] {
  const always = providers.filter(selected => !hasSafeStart(selected)).map(({repository}) => repository)
  return [
    warning(
      'a policy with * activates all kinds: the Helm chart of Crossplane creates one unless provider.defaultActivations is empty',
    ),
    ...(always.length === 0
      ? []
      : [warning(`all kinds of packages without the capability safe-start are active: ${listSome(always)}`)]),
  ]
}

function unreadWarnings(packages: readonly ClosurePackage[]): readonly Diagnostic[] {
  const unread = packages
    .flatMap(compositionsOf)
    .flatMap(({name, unread: functions}) => functions.map(step => `${name} (${step})`))
  if (unread.length === 0) return []
  return [
    warning(
      `the functions of these Compositions can use other kinds, which are not activated: ${listSome(unread)}`,
    ),
  ]
}

/** A kind can leave its package with an upgrade. */
function unknownWarnings({names}: ActivatedNames, managed: readonly DefinedKind[]): readonly Diagnostic[] {
  const kinds = managed.map(({group, plural}) => `${plural}.${group}`)
  const unknown = names.filter(name => !kinds.some(matcherOf([name])))
  if (unknown.length === 0) return []
  return [warning(`no package with the capability safe-start has the kinds ${listSome(unknown)}`)]
}
