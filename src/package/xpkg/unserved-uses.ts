import type {Diagnostic} from '../../diagnostic.js'
import {
  callerTexts,
  callsOf,
  canBeCalled,
  FUNCTION_CAPABILITIES,
  servedIn,
  type XpkgVersion,
} from '../../plan/git/xpkg-losses.js'
import {lastSegment} from '../../reference/named.js'
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

type Member = XpkgVersion & {readonly repository: string}

function unservedCalls(
  members: readonly Member[],
  besides: readonly InstalledFunction[],
): readonly Diagnostic[] {
  const functions = members
    .filter(({kind}) => kind === 'Function')
    .flatMap(member => callableNames(member, besides).map(name => ({...member, name})))
  return [...callsOf(members)].flatMap(([name, callers]) => {
    const called = functions.find(one => one.name === name)
    if (called === undefined) {
      if (besides.some(one => one.name === name)) return []
      const message = `${listSome(callerTexts(callers))} calls Function ${name}, which the set does not have`
      return [warning('xpkg-function-missing', `${message}${similarName(name, [...functions, ...besides])}`)]
    }
    return FUNCTION_CAPABILITIES.flatMap(capability => {
      const by = callerTexts(callers.filter(({needs}) => needs === capability))
      if (by.length === 0 || canBeCalled(called, capability)) return []
      const message = `${listSome(by)} calls Function ${name}, but ${called.repository} does not have the capability ${capability}`
      return [warning('xpkg-capability-missing', message)]
    })
  })
}

/**
 * Returns the names under which a Function is called: Crossplane takes the active revision of the request with exactly that name,
 * whatever its repository is. A request that a cluster has keeps its name; another one gets that of the set.
 */
function callableNames({repository, name}: Member, besides: readonly InstalledFunction[]): readonly string[] {
  const installed = besides.filter(one => one.repository === repository)
  return installed.length > 0 ? installed.map(one => one.name) : [name ?? derivedName(repository)]
}

/** Users often call a Function by the last part of its repository, which then has to be the name of its request. */
function similarName(name: string, functions: readonly InstalledFunction[]): string {
  const similar = functions.find(({repository}) => nameParts(repository).includes(name))
  return similar === undefined ? '' : `: ${similar.repository} is requested as ${similar.name}`
}

function nameParts(repository: string): readonly string[] {
  return [derivedName(repository), lastSegment(repository)]
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
