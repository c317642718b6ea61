import type {Diagnostic} from '../../diagnostic.js'
import {
  callerTexts,
  callsOf,
  canBeCalled,
  FUNCTION_CAPABILITIES,
  servedIn,
  type XpkgVersion,
} from '../../plan/git/xpkg-losses.js'
import {listSome} from '../../text.js'
import {derivedName} from '../../xpkg/package-name.js'

/** A package of a set, or one that a cluster has besides. */
export interface SetMember extends Omit<XpkgVersion, 'capabilities'> {
  readonly repository: string
  /** Unknown for what a cluster has. */
  readonly capabilities?: readonly string[]
}

/** A Function that a cluster has; its name is the one that Compositions call. */
export interface InstalledFunction {
  readonly repository: string
  readonly name: string
}

/**
 * Warns of what Compositions of a set use and no package serves, so that they install and never work: functions, their
 * capability, and versions of kinds in a group that a package of the set has.
 * @param besides - the Functions that a cluster has, also those that it has not installed yet.
 */
export function unservedUses(
  members: readonly SetMember[],
  besides: readonly InstalledFunction[],
): readonly Diagnostic[] {
  const all = members.map(member => ({...member, capabilities: member.capabilities ?? []}))
  return [...unservedCalls(all, besides), ...unservedKinds(all)]
}

type NamedMember = Pick<SetMember, 'repository' | 'name'>
type Member = XpkgVersion & {readonly repository: string}

function unservedCalls(
  members: readonly Member[],
  besides: readonly InstalledFunction[],
): readonly Diagnostic[] {
  const isFor = (name: string) => (one: NamedMember) => namesOf(one).includes(name)
  const functions = members.filter(({kind}) => kind === 'Function')
  return [...callsOf(members)].flatMap(([name, callers]) => {
    const called = functions.find(isFor(name))
    if (called === undefined) {
      if (besides.some(isFor(name))) return []
      return [
        warning(
          'xpkg-function-missing',
          `${listSome(callerTexts(callers))} calls Function ${name}, which the set does not have`,
        ),
      ]
    }
    return FUNCTION_CAPABILITIES.flatMap(capability => {
      const by = callerTexts(callers.filter(({needs}) => needs === capability))
      if (by.length === 0 || canBeCalled(called, capability)) return []
      const message = `${listSome(by)} calls Function ${name}, but ${called.repository} does not have the capability ${capability}`
      return [warning('xpkg-capability-missing', message)]
    })
  })
}

/** The name of its request, the one that Crossplane derives, and the one that users often give it. */
function namesOf({repository, name}: NamedMember): readonly string[] {
  return [
    ...(name === undefined ? [] : [name]),
    derivedName(repository),
    repository.slice(repository.lastIndexOf('/') + 1),
  ]
}

function unservedKinds(members: readonly Member[]): readonly Diagnostic[] {
  const served = servedIn(members)
  const owners = new Map(
    members.flatMap(({repository, objects}) =>
      objects.flatMap(({crds = []}) => crds.map(({group}) => [group, repository] as const)),
    ),
  )
  return members.flatMap(({objects}) =>
    objects.flatMap(({kind, name, composes}) =>
      (composes?.kinds ?? []).flatMap(composed => {
        const owner = owners.get(composed.group)
        const key = `${composed.kind}.${composed.group}/${composed.version}`
        if (owner === undefined || served.has(key)) return []
        return [
          warning('xpkg-kind-unserved', `${kind} ${name} composes ${key}, which ${owner} does not serve`),
        ]
      }),
    ),
  )
}

function warning(rule: string, message: string): Diagnostic {
  return {severity: 'warning', rule, message}
}
