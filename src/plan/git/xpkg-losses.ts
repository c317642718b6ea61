import {grouped} from '../../grouped.js'
import {listNames} from '../../text.js'
import type {XpkgObject} from '../../xpkg/content/xpkg.js'
import {plainCapability} from '../../xpkg/core-release.js'
import {derivedName} from '../../xpkg/package-name.js'

/** What a version of a package brings into a set. */
export interface XpkgVersion {
  readonly kind: string
  /** The name of its request; by default, the one that Crossplane derives. */
  readonly name?: string
  readonly capabilities: readonly string[]
  readonly objects: readonly XpkgObject[]
}

/** A package of which a set gets another version, or none any more. */
export interface ChangedXpkg {
  readonly repository: string
  /** As `OLD -> NEW`; of a package that leaves, OLD. */
  readonly versions: string
  /** The version before, which can be unreadable, with a reason. */
  readonly before: XpkgVersion | {readonly reason: string}
  /** Absent for a package that leaves. */
  readonly after?: XpkgVersion
  /** The versions of its CRDs, besides those of the version before, in which objects can be stored: by CRD. */
  readonly kept: ReadonlyMap<string, readonly string[]>
}

/** A change of the packages of a set. */
export interface XpkgSetChange {
  readonly changes: readonly ChangedXpkg[]
  /** All packages of the set afterwards. */
  readonly after: readonly (XpkgVersion & {readonly repository: string})[]
}

/** Something that packages of a set use, and that the set had before. */
export interface SetLoss {
  readonly rule: 'xpkg-function-lost' | 'xpkg-capability-lost' | 'xpkg-kind-lost' | 'xpkg-policy-lost'
  /** Its name. */
  readonly lost: string
  /** What happens to it, for a message. */
  readonly of: string
  /** The package that had it. */
  readonly repository: string
  /** The objects that use it. */
  readonly by: readonly string[]
  readonly repair: readonly string[]
}

type Member = XpkgVersion & {readonly repository: string}

/** Returns what the packages of a set still use and lose by a change: functions, their capabilities, kinds and policies. */
export function setLosses({changes, after}: XpkgSetChange): readonly SetLoss[] {
  const changed = new Map(changes.map(one => [one.repository, one]))
  const before: readonly Member[] = [
    ...after.flatMap((member): readonly Member[] => {
      const change = changed.get(member.repository)
      return change === undefined ? [member] : []
    }),
    ...changes.flatMap(({repository, before: own}): readonly Member[] =>
      'reason' in own ? [] : [{repository, ...own}],
    ),
  ]
  return [...lostFunctions(before, after), ...lostKinds(before, after), ...lostPolicies(before, after)]
}

function lostFunctions(before: readonly Member[], after: readonly Member[]): readonly SetLoss[] {
  const now = new Map(functionsOf(after))
  const calls = callsOf(after)
  return functionsOf(before).flatMap(([name, former]): readonly SetLoss[] => {
    const callers = calls.get(name) ?? []
    const next = now.get(name)
    if (callers.length === 0) return []
    if (next === undefined) return [functionLoss(name, former, callerTexts(callers))]
    return FUNCTION_CAPABILITIES.flatMap(capability => {
      const by = callerTexts(callers.filter(caller => caller.needs === capability))
      const isLost = by.length > 0 && canBeCalled(former, capability) && !canBeCalled(next, capability)
      return isLost ? [capabilityLoss(name, next, {capability, by})] : []
    })
  })
}

function functionsOf(members: readonly Member[]): readonly (readonly [string, Member])[] {
  return members.flatMap(member =>
    member.kind === 'Function' ? [[member.name ?? derivedName(member.repository), member] as const] : [],
  )
}

/** What a Function has to have for Compositions and for operations to call it. */
export const FUNCTION_CAPABILITIES = ['composition', 'operation'] as const
type FunctionCapability = (typeof FUNCTION_CAPABILITIES)[number]

/** An object whose pipeline calls a function. */
interface FunctionCaller {
  /** As KIND NAME. */
  readonly text: string
  readonly needs: FunctionCapability
}

/** Returns the Compositions and operations that call each function, by its name. */
export function callsOf(members: readonly Member[]): ReadonlyMap<string, readonly FunctionCaller[]> {
  const calls = members.flatMap(({objects}) =>
    objects.flatMap(({role, kind, name, functions}) => {
      const needs = FUNCTION_CAPABILITIES.find(capability => capability === role)
      const own = new Set(functions.map(step => step.function))
      return needs === undefined ? [] : [...own].map(called => ({called, text: `${kind} ${name}`, needs}))
    }),
  )
  return grouped(calls, ({called}) => called)
}

/** Names what calls a function, each once. */
export function callerTexts(callers: readonly FunctionCaller[]): readonly string[] {
  return [...new Set(callers.map(({text}) => text))]
}

/** Reports whether a Function can be called. One that lists no capabilities counts as one with all of them (reference: xpkg §16). */
export function canBeCalled({capabilities}: Member, by: FunctionCapability): boolean {
  return capabilities.length === 0 || capabilities.some(own => plainCapability(own) === by)
}

function functionLoss(name: string, {repository}: Member, by: readonly string[]): SetLoss {
  return {
    rule: 'xpkg-function-lost',
    repository,
    lost: `Function ${name}`,
    of: 'is no longer part of the packages',
    by,
    repair: [`Add ${repository} to the declaration, or use versions that do not call it.`],
  }
}

function capabilityLoss(
  name: string,
  {repository}: Member,
  {capability, by}: {readonly capability: FunctionCapability; readonly by: readonly string[]},
): SetLoss {
  return {
    rule: 'xpkg-capability-lost',
    repository,
    lost: `Function ${name}`,
    of: `loses the capability ${capability}`,
    by,
    repair: [`Use a version of ${repository} that has the capability.`],
  }
}

function lostKinds(before: readonly Member[], after: readonly Member[]): readonly SetLoss[] {
  const [formerly, now] = [servedIn(before), servedIn(after)]
  const lost = new Map([...formerly].filter(([kind]) => !now.has(kind)))
  if (lost.size === 0) return []
  const uses = new Map<string, string[]>()
  for (const {objects} of after)
    for (const {kind, name, composes} of objects)
      for (const composed of composes?.kinds ?? []) {
        const key = `${composed.kind}.${composed.group}/${composed.version}`
        if (lost.has(key)) uses.set(key, [...(uses.get(key) ?? []), `${kind} ${name}`])
      }
  return [...uses].map(([key, by]) => ({
    rule: 'xpkg-kind-lost',
    repository: [...(lost.get(key) ?? [])][0] ?? '',
    lost: key,
    of: 'is no longer served by a package of the set',
    by: [...new Set(by)],
    repair: [
      `Use versions of ${listNames([...(lost.get(key) ?? [])])} that serve it, or of the package that composes it.`,
    ],
  }))
}

/** Returns the packages that serve each KIND.GROUP/VERSION. */
export function servedIn(members: readonly Member[]): ReadonlyMap<string, ReadonlySet<string>> {
  const served = new Map<string, Set<string>>()
  for (const {repository, objects} of members)
    for (const {group, kind, served: versions} of objects.flatMap(({crds = []}) => crds))
      for (const version of versions) {
        const key = `${kind}.${group}/${version}`
        served.set(key, (served.get(key) ?? new Set()).add(repository))
      }
  return served
}

function lostPolicies(before: readonly Member[], after: readonly Member[]): readonly SetLoss[] {
  const policies = (members: readonly Member[]) =>
    members.flatMap(({repository, objects}) =>
      objects.flatMap(({role, name}) => (role === 'activation-policy' ? [{repository, name}] : [])),
    )
  const now = new Set(policies(after).map(({name}) => name))
  return policies(before)
    .filter(({name}) => !now.has(name))
    .map(({repository, name}) => ({
      rule: 'xpkg-policy-lost',
      repository,
      lost: `ManagedResourceActivationPolicy ${name}`,
      of: `is no longer part of ${repository}: a new cluster does not activate its kinds`,
      by: [],
      repair: ['Pass --activate with policies of your own, or with used.'],
    }))
}
