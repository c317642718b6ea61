import type {Diagnostic} from '../../../diagnostic.js'
import type {KubernetesObject} from '../../../kubernetes/kubernetes-object.js'
import {present} from '../../../present.js'
import {count, escaped, listSome} from '../../../text.js'
import {revisionName} from '../../../xpkg/package-name.js'
import {asObject, asText, type JsonObject} from '../../../yaml/json-value.js'
import type {CoreRequest, CoreState} from '../state/core-state.js'
import {MOVE, type MoveRecord, moveText, type UnfinishedMove} from '../state/move-state.js'
import {requestText} from './lock/problem-texts.js'
import {changedRequirers} from './changed-requirers.js'
import {type HandOver, isHeld, isManual} from './move-operations.js'
import {requiring} from './recorded-requires.js'
import {isOurs, REQUESTED_AS, requestedAs} from './requested-as.js'

/** The request that a package gets. */
interface NewRequest {
  readonly name: string
  /** `REPOSITORY:TAG` */
  readonly reference: string
  readonly digest: string
  /** Its place among the packages that move together. */
  readonly order: number
}

/** Defaults of Crossplane, which a request need not name. */
const DEFAULTS: JsonObject = {
  packagePullPolicy: 'IfNotPresent',
  revisionActivationPolicy: 'Automatic',
  revisionHistoryLimit: 1,
  ignoreCrossplaneConstraints: false,
  skipDependencyResolution: false,
}

/** A package that is to move, and what is said of its steps. */
interface BegunPackage {
  readonly from: CoreRequest
  readonly to: NewRequest
  readonly risks: HandOver['risks']
  readonly requirers?: HandOver['requirers']
}

/** Returns how packages that are installed are handed over, together, to requests that do not exist yet. */
export function newHandOvers(packages: readonly BegunPackage[]): readonly HandOver[] {
  const begun = packages.map(one => ({...one, record: newRecord(one)}))
  const all = begun.map(({record}) => record)
  return begun.map(({from, record, risks, requirers}) => ({
    to: {name: record.to, revision: record.revision, ...contentsOf(from.kind, record, all)},
    from: {name: from.name, live: from, content: formerContent(from.kind, record)},
    ...{risks, ...present({requirers})},
  }))
}

function newRecord({from, to, requirers}: BegunPackage): MoveRecord {
  return {
    ...{to: to.name, reference: to.reference, from: from.name, former: from.revision ?? ''},
    spec: ownSpec(from),
    revision: revisionName(to.name, to.digest),
    order: to.order,
    ...present({
      requestedAs: requestedAs(from),
      requirers: requirers?.map(({kind, name, from: before, to: after}) => ({
        kind,
        name,
        from: before,
        to: after,
      })),
    }),
  }
}

interface DeployedPair {
  readonly from: CoreRequest
  readonly to: CoreRequest
}

/** Returns the packages of a move whose commit is deployed: they are not marked yet, and the requests exist. */
export function deployedMoves(
  pairs: readonly DeployedPair[],
  core: Pick<CoreState, 'requests' | 'lock'>,
): readonly UnfinishedMove[] {
  return inOrder(pairs, core).map(({from, to}, order) => {
    // The policy of the former request is that of the commit.
    const {revisionActivationPolicy: _policy, ...spec} = ownSpec(from)
    const {kind, name, repository, reference, revision = ''} = to
    return {
      ...{to: {kind, name, repository}, live: to, isMarked: false},
      record: {
        ...{to: name, reference, from: from.name, former: from.revision ?? '', spec, revision, order},
        inGit: true,
      },
    }
  })
}

/** What others require comes first. Those that require each other have no order. */
function inOrder(
  pairs: readonly DeployedPair[],
  core: Pick<CoreState, 'requests' | 'lock'>,
): readonly DeployedPair[] {
  const requires = requiring(core)
  const ordered: DeployedPair[] = []
  for (let left = pairs; left.length > 0; left = left.filter(one => !ordered.includes(one))) {
    const isFirst = (one: DeployedPair) =>
      left.every(other => other === one || !(requires(one.from, other.from) || requires(one.to, other.to)))
    const first = left.filter(isFirst)
    ordered.push(...(first.length > 0 ? first : left))
  }
  return ordered
}

/** Returns how an unfinished move goes on, with the packages that were not requested yet. */
export function forward(moves: readonly UnfinishedMove[], core: CoreState): readonly HandOver[] {
  const all = moves.map(({record}) => record)
  return moves.map(({to: {kind}, live, isMarked, record}) => ({
    to: {
      ...{name: record.to, ...present({live}), revision: record.revision},
      ...(record.inGit === true && !isMarked ? {isUnmarked: true} : {}),
      // A user may have corrected the tag.
      ...contentsOf(kind, {...record, reference: live?.reference ?? record.reference}, all),
    },
    from: {
      ...{name: record.from, content: formerContent(kind, record)},
      ...present({live: former(kind, record, core)}),
    },
    ...{risks: NO_RISKS, requirers: changedRequirers(record.requirers, core)},
  }))
}

/** Returns how an unfinished move is undone: the package goes back to the former request, which is made again if it is gone. */
export function backward(moves: readonly UnfinishedMove[], core: CoreState): readonly HandOver[] {
  const all = moves.map(({record}) => record)
  return moves.map(({to: {kind, name}, live: next, record}) => {
    const content = formerContent(kind, record)
    const live = former(kind, record, core)
    const final = {...content, spec: {...asObject(content.spec), revisionActivationPolicy: 'Manual'}}
    return {
      to: {
        ...{name: record.from, revision: record.former, content},
        ...present({live}),
        ...(lacksPolicy(record, live) ? {final} : {}),
      },
      from: {name, ...present({live: next}), content: contentsOf(kind, record, all).content},
      ...{risks: NO_RISKS, requirers: changedRequirers(record.requirers, core, true)},
    }
  })
}

/** A request that was made again gets the policy of its user last. */
function lacksPolicy({spec}: MoveRecord, live: CoreRequest | undefined): boolean {
  if (spec.revisionActivationPolicy !== 'Manual') return false
  return live === undefined || (isOurs(live.object) && (!isManual(live) || isHeld(live)))
}

const NO_RISKS: HandOver['risks'] = {stops: [], creates: []}

function former(kind: string, {from}: MoveRecord, {requests}: CoreState): CoreRequest | undefined {
  return requests.find(one => one.kind === kind && one.name === from)
}

/** The settings of a request that are not the defaults. */
function ownSpec({object}: CoreRequest): JsonObject {
  const {runtimeConfigRef, ...spec} = asObject(object.spec)
  const runtime = asText(asObject(runtimeConfigRef).name)
  return {
    ...Object.fromEntries(Object.entries(spec).filter(([key, value]) => DEFAULTS[key] !== value)),
    ...(runtime === '' || runtime === 'default' ? {} : {runtimeConfigRef: {name: runtime}}),
  }
}

function formerContent(kind: string, {from, spec, requestedAs: as}: MoveRecord): KubernetesObject {
  const {revisionActivationPolicy: _policy, ...others} = spec
  return {apiVersion: API, kind, metadata: {name: from, ...annotated({as})}, spec: others}
}

const API = 'pkg.crossplane.io/v1'

/** The new request while the package moves, and at the end. */
function contentsOf(
  kind: string,
  {to: name, reference, requestedAs: as, spec: formerSpec, inGit}: MoveRecord,
  all: readonly MoveRecord[],
): {readonly content: KubernetesObject; readonly final: KubernetesObject} {
  const {revisionActivationPolicy: policy, ...others} = formerSpec
  const spec = {...others, package: reference}
  const content = (annotations: ReturnType<typeof annotated>, own: JsonObject): KubernetesObject => ({
    ...{apiVersion: API, kind, metadata: {name, ...annotations}},
    spec: own,
  })
  // A commit requests it: of this program is the annotation alone.
  const inCommit = {apiVersion: API, kind, metadata: {name}}
  return {
    content: content(annotated({as, move: moveText(all)}), spec),
    final:
      inGit === true
        ? inCommit
        : content(annotated({as}), {...spec, ...present({revisionActivationPolicy: policy})}),
  }
}

function annotated({
  as,
  move,
}: {
  readonly as?: string | undefined
  readonly move?: string
}): Readonly<Record<string, JsonObject & Record<string, string>>> {
  if (as === undefined && move === undefined) return {}
  return {
    annotations: {
      ...(as === undefined ? {} : {[REQUESTED_AS]: as}),
      ...(move === undefined ? {} : {[MOVE]: move}),
    },
  }
}

/** What a plan says of a package that moves. */
export interface MoveEffects {
  /** The kinds whose custom resources are not reconciled for a time, and their number. */
  readonly kinds: readonly string[]
  readonly instances: number
  /** The name of the ServiceAccount that a runtime configuration sets for all revisions. */
  readonly serviceAccount?: string
  /** Objects that only the former package has. */
  readonly lost: readonly string[]
}

/** Returns the warnings of a plan: what stands still for how long, which rights do not move, and what goes with the former request. */
export function moveRisks(
  from: CoreRequest,
  to: {readonly name: string; readonly repository: string; readonly revision: string},
  {kinds, instances, serviceAccount, lost}: MoveEffects,
): HandOver['risks'] {
  const [former_, next] = [requestText(from), requestText({kind: from.kind, name: to.name})]
  const listed = kinds.length === 0 ? '' : `: ${listSome(kinds.map(escaped))}`
  const stopped = `from here until ${next} is healthy, no controller reconciles ${count(instances, 'custom resource')} of ${former_}${listed}`
  const account =
    serviceAccount === undefined
      ? `the controller gets another ServiceAccount, ${escaped(to.revision)} in place of ${escaped(from.revision ?? '')}: rights that were granted to its name outside of Crossplane have to be granted first, also those of cloud providers`
      : `the controller keeps its ServiceAccount ${escaped(serviceAccount)}`
  const twice = `from here until ${former_} stops, the Lock of Crossplane has ${escaped(to.repository)} twice: no package is installed or upgraded in that time, and all go on running`
  return {
    stops: [
      warning('xpkg-move-stops', stopped),
      warning('xpkg-move-account', account),
      ...(lost.length === 0
        ? []
        : [warning('xpkg-move-lost', `${next} does not have ${listSome(lost)}, which go with ${former_}`)]),
    ],
    creates: from.repository === to.repository ? [warning('xpkg-move-lock', twice)] : [],
  }
}

function warning(rule: string, message: string): Diagnostic {
  return {severity: 'warning', rule, message}
}
