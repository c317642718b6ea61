import {compareText} from '../../../reference/compare-text.js'
import {requestName} from '../../../reference/named.js'
import type {Diagnostic} from '../../../diagnostic.js'
import type {KubernetesObject} from '../../../kubernetes/kubernetes-object.js'
import {groupOf, nameOf, objectKey, objectText} from '../../../kubernetes/object-key.js'
import type {ObjectName} from '../../../kubernetes/object-name.js'
import {commandLine, count, escaped, listSome, plural, shellWord} from '../../../text.js'
import {asObject, asText, type JsonObject} from '../../../yaml/json-value.js'
import type {Operation, Plan} from '../../plan.js'
import type {LostInstances, UninstallImpact} from '../../uninstall-impact.js'
import {servedKind} from '../crds/lost-instances.js'
import {confirmationRejections, instanceRemovals} from '../objects/instance-removal.js'
import {inClone, kubectlGet, type Reason, undoneMessage} from '../objects/object-reasons.js'
import {CLUSTER_TARGET} from '../state/cluster-target-name.js'
import {stateOf} from '../state/object-operation.js'
import type {GitSource} from '../state/git-sources.js'
import type {UninstallOptions} from '../state/uninstall-options.js'
import {uidOf} from '../state/ownership.js'
import {instancesRejections} from '../uninstall/uninstall-impact.js'
import type {CoreRequest, CoreState} from '../state/core-state.js'
import {isMadeByCore} from './judge-package-object.js'
import {movingRejections} from './move-continuation.js'
import {type Requirer, type Requirements, requirementsOf} from './recorded-requires.js'
import {isOurs} from './requested-as.js'
import {removal} from './unused-image-configs.js'

/** What the removal of requests is planned from. */
export interface RemovalInput {
  readonly core: CoreState
  /** The CRDs that go with the requests, and their custom resources by the names of the CRDs. */
  readonly crds: readonly KubernetesObject[]
  readonly instances: ReadonlyMap<string, LostInstances>
  /** All Usages of the cluster. */
  readonly usages: readonly KubernetesObject[]
  /** What was rendered beside the requests, and nothing else uses. */
  readonly beside: readonly KubernetesObject[]
  readonly options: UninstallOptions
  /** What Flux and Argo CD do with the requests that they apply from Git, by `objectKey`. */
  readonly sources?: ReadonlyMap<string, GitSource>
}

/**
 * Plans the removal of requests, dependents first: the core deletes what it installed for them, also the CRDs with all custom
 * resources. What another package requires would come back in its newest version.
 */
export function planPackageRemoval(removed: readonly CoreRequest[], input: RemovalInput): Plan {
  const {core, crds, instances, usages, beside, options, sources} = input
  const listed = [...instances.values()].flatMap(({listed: all = []}) => all)
  const impact = removalImpact(crds, instances)
  const requirements = requirementsOf(core)
  const ordered = dependentsFirst(removed, requirements.requirers)
  return {
    operations: [
      ...instanceRemovals(listed),
      ...ordered.flatMap(request =>
        requestRemoval(request, core, unknownRisks(request, removed, requirements)),
      ),
      ...crds.map(crd => ({
        ...goneOperation(crd, 'Crossplane must delete the CRD'),
        precondition: {absent: true} as const,
      })),
      ...beside.map(object => removal(object, 'no package uses it any more')),
    ],
    unchanged: 0,
    rejections: [
      ...movingRejections(removed, core),
      ...removed.flatMap(request => dependentRejections(request, removed, requirements, core.requests)),
      ...(options.adopt ? [] : removed.flatMap(request => foreignRejections(request, sources))),
      ...usageRejections(removed, crds, usages),
      ...lostRejections(removed, impact, options),
      ...confirmationRejections(listed, undefined, options),
    ],
    ...(impact.crds.length === 0 ? {} : {impact}),
  }
}

/** Returns what the removal of CRDs takes from users. */
export function removalImpact(
  crds: readonly KubernetesObject[],
  instances: ReadonlyMap<string, LostInstances>,
): UninstallImpact {
  const impacts = crds.map(({metadata: {name}}) => {
    const {total = 0, first = []} = instances.get(name) ?? {}
    return {crd: name, instances: total, first, users: []}
  })
  return {crds: impacts.filter(({instances: total}) => total > 0), dependents: []}
}

/** A package that another one still requires is requested again by the core. */
function dependentsFirst(
  removed: readonly CoreRequest[],
  entries: readonly Requirer[],
): readonly CoreRequest[] {
  const requires = (a: CoreRequest, b: CoreRequest) =>
    entries.some(
      entry =>
        entry.repository === a.repository &&
        entry.dependencies.some(({repository}) => repository === b.repository),
    )
  const ordered: CoreRequest[] = []
  const add = (request: CoreRequest, path: readonly CoreRequest[]) => {
    if (ordered.includes(request) || path.includes(request)) return
    for (const other of removed) if (requires(other, request)) add(other, [...path, request])
    ordered.push(request)
  }
  for (const request of removed) add(request, [])
  return ordered
}

function requestRemoval(
  {object, kind, name}: CoreRequest,
  {revisions}: CoreState,
  risks: readonly Diagnostic[],
): readonly Operation[] {
  const own = revisions.filter(revision => revision.kind === kind && revision.request === name)
  return [
    {
      action: 'delete',
      target: CLUSTER_TARGET,
      object: nameOf(object),
      reason: 'Crossplane deletes what it installed for it',
      precondition: stateOf(object),
      ...(risks.length === 0 ? {} : {risks}),
    },
    goneOperation(object, 'Crossplane must delete it'),
    ...own.map(revision => goneOperation(revision.object, 'Crossplane must delete the revision')),
  ]
}

function goneOperation(object: KubernetesObject, reason: string): Operation {
  return {
    action: 'wait',
    target: CLUSTER_TARGET,
    object: nameOf(object),
    phase: 'records',
    reason,
    precondition: {absent: true, uid: uidOf(object)},
  }
}

function dependentRejections(
  request: CoreRequest,
  removed: readonly CoreRequest[],
  {requirers}: Requirements,
  requests: readonly CoreRequest[],
): readonly Diagnostic[] {
  if (isSecond(request, removed, requests)) return []
  const {repository} = request
  const stays = (name: string) => !removed.some(other => other.repository === name)
  return requirers
    .filter(entry => entry.repository !== repository && stays(entry.repository))
    .flatMap(entry =>
      entry.dependencies
        .filter(dependency => dependency.repository === repository)
        .map(({constraint}) => requiredBy(entry, repository, constraint, requests)),
    )
}

/** Reports whether Crossplane made a request beside one of a user, which stays and has what others require. */
function isSecond(
  {repository, isByCore}: CoreRequest,
  removed: readonly CoreRequest[],
  requests: readonly CoreRequest[],
): boolean {
  const isFirst = (other: CoreRequest) =>
    other.repository === repository && !other.isByCore && !other.isTerminating && other.revision !== undefined
  return isByCore && requests.some(other => isFirst(other) && !removed.includes(other))
}

/** Where neither the Lock nor a request says what a package requires, it could require what is removed. */
function unknownRisks(
  {repository}: CoreRequest,
  removed: readonly CoreRequest[],
  {unknown}: Requirements,
): readonly Diagnostic[] {
  const staying = unknown.filter(request => !removed.includes(request) && request.repository !== repository)
  if (staying.length === 0) return []
  const names = listSome(staying.map(request => escaped(requestName(request))))
  return [
    {
      severity: 'warning',
      rule: 'requirements-unknown',
      message: `${escaped(repository)} could be required by ${names}: nothing in the cluster says what ${plural(staying.length, 'it requires', 'they require')}`,
      suggestions: staying
        .slice(0, 3)
        .map(({reference}) => `kubectl crossplane package tree ${shellWord(reference)}`),
    },
  ]
}

function requiredBy(
  entry: Requirer,
  repository: string,
  constraint: string,
  requests: readonly CoreRequest[],
): Diagnostic {
  const request = requests.find(other => other.repository === entry.repository)
  const again = request?.isResolved === false ? 'would not install it again' : 'would install it again'
  const command =
    request === undefined ? [] : [`kubectl crossplane package uninstall ${shellWord(requestName(request))}`]
  return {
    severity: 'error',
    rule: 'install-required',
    message: `${escaped(entry.repository)} requires ${escaped(`${repository} ${constraint}`)}: Crossplane ${again}`,
    suggestions: command,
  }
}

function foreignRejections({object}: CoreRequest, sources: RemovalInput['sources']): readonly Diagnostic[] {
  const name = nameOf(object)
  const source = sources?.get(objectKey(name))
  if ((isOurs(object) || isMadeByCore(object)) && source?.state !== 'syncing') return []
  const text = objectText(name)
  const others: Reason = {
    rule: 'object-unmanaged',
    message: `${text} was not created by this program`,
    suggestions: [kubectlGet(name), 'Pass --adopt to remove it.'],
  }
  const reason = source === undefined ? others : removedInGit(name, source)
  return [{severity: 'error', subject: {object: text}, ...reason}]
}

/** Flux and Argo CD would apply a request again, whose custom resources are gone then. */
function removedInGit(name: ObjectName, source: GitSource): Reason {
  const command = commandLine(['package', 'uninstall', requestName(name), '--git', '.'])
  return {
    rule: 'object-unmanaged',
    message: undoneMessage(name, source),
    suggestions: [
      inClone(source.program, command),
      'Once Git no longer has it, pass --adopt to remove it from the cluster.',
    ],
  }
}

/** Nothing keeps custom resources: their CRDs go with the request. */
function lostRejections(
  removed: readonly CoreRequest[],
  {crds}: UninstallImpact,
  {customResources}: UninstallOptions,
): readonly Diagnostic[] {
  if (customResources === 'keep') return removed.map(keepRejection)
  if (customResources === 'delete') return []
  const advice = 'Delete the custom resources, or pass --custom-resources=delete.'
  return instancesRejections(crds, [advice], '; Crossplane would delete the CRD with its custom resources')
}

function keepRejection({kind, name}: CoreRequest): Diagnostic {
  return {
    severity: 'error',
    rule: 'instances-exist',
    message: `Crossplane deletes the CRDs of ${kind} ${escaped(name)} with all custom resources: they cannot be kept`,
    suggestions: ['Leave out --custom-resources=keep.'],
  }
}

function usageRejections(
  removed: readonly CoreRequest[],
  crds: readonly KubernetesObject[],
  usages: readonly KubernetesObject[],
): readonly Diagnostic[] {
  const kinds = new Set(crds.flatMap(crd => kindsOf(crd)))
  const using = usages.filter(usage => {
    const of = asObject(asObject(usage.spec).of)
    return kinds.has(kindText(of)) || removed.some(request => isOf(of, request))
  })
  if (using.length === 0) return []
  const names = listSome(using.map(usage => escaped(objectText(nameOf(usage)))))
  return [
    {
      severity: 'error',
      rule: 'usage-exists',
      message: `${count(using.length, 'object')} ${using.length === 1 ? 'protects' : 'protect'} what would be deleted: ${names}`,
      suggestions: [...new Set(using.map(usage => kubectlGet(nameOf(usage))))].sort(compareText).slice(0, 3),
    },
  ]
}

function kindsOf({spec}: KubernetesObject): readonly string[] {
  const kind = servedKind(spec)
  return kind === undefined ? [] : [kindText({...kind})]
}

function kindText({apiVersion, kind}: JsonObject): string {
  return `${groupOf(asText(apiVersion))} ${asText(kind)}`
}

/** A selector by labels can select any object of its kind. */
function isOf(of: JsonObject, {kind, name}: CoreRequest): boolean {
  if (kindText(of) !== `pkg.crossplane.io ${kind}`) return false
  const {resourceRef} = of
  return resourceRef === undefined || asText(asObject(resourceRef).name) === name
}
