import type {Diagnostic} from '../../../diagnostic.js'
import {escaped, listNames, plural, shellWord} from '../../../text.js'
import {ERAS, requestEraOf} from '../../../render/era.js'
import type {InstallId, InstallSet, SetInstall, SetObject} from '../../../render/install-set.js'
import {type InstallRequest, requestObject} from '../../../render/request.js'
import {RUNTIME_ANNOTATION} from '../../../render/labels.js'
import {objectText} from '../../../kubernetes/object-key.js'
import type {ObjectName} from '../../../kubernetes/object-name.js'
import {jsonEqual} from '../../../yaml/json-equal.js'
import type {ClusterSnapshot} from '../state/cluster-snapshot.js'
import type {DesiredObject} from '../state/desired-object.js'
import {isSameInstall} from '../state/ownership.js'
import {isInventoryOf} from './unreadable-inventories.js'

type Managers = Pick<ClusterSnapshot, 'managers' | 'ownManager'>
type Managed = Managers & Pick<ClusterSnapshot, 'inventories' | 'unreadable'>

/**
 * Leaves the work of running package managers to them: of their installs, the set keeps only the requests. A Namespace
 * that is created for them stays in it; base and CRDs are theirs. Installs that this program processed itself stay complete
 * where an original manager is running; the manager of this program takes them over, and requests what they depend on.
 */
export function withoutManaged(set: InstallSet, observed: Managed): InstallSet {
  const managed = managedInstalls(set, observed)
  if (managed.length === 0) return set
  const isManaged = (id: InstallId) => managed.some(install => isSameInstall(install, id))
  const installs = set.installs.filter(install => !isManaged(install))
  return {
    ...set,
    installs,
    objects: [
      ...set.objects.flatMap(object => remaining(object, isManaged, installs.length > 0)),
      ...managed.flatMap(install => requestOf(install, observed)),
    ],
  }
}

function managedInstalls(
  {installs}: InstallSet,
  {managers, ownManager, inventories, unreadable}: Managed,
): readonly SetInstall[] {
  const isOurs = (id: InstallId) =>
    inventories.some(({install}) => isSameInstall(install, id)) ||
    unreadable.some(inventory => isInventoryOf(inventory, id))
  const isManaged = (install: SetInstall) =>
    managers.has(install.era) ? !isOurs(install) : ownManager !== undefined
  return installs.filter(install => install.request !== undefined && isManaged(install))
}

function remaining(
  object: SetObject,
  isManaged: (id: InstallId) => boolean,
  hasOthers: boolean,
): readonly SetObject[] {
  const {install, claims, shared} = object
  if (install !== undefined) return isManaged(install) ? [] : [object]
  if (claims !== undefined) {
    const others = claims.filter(id => !isManaged(id))
    return others.length === 0 ? [] : [{...object, claims: others}]
  }
  return shared === 'namespace' || hasOthers ? [object] : []
}

function requestOf(install: SetInstall, {managers}: Managed): readonly SetObject[] {
  const {era, request, mode, namespace, name} = install
  const isOwn = !managers.has(era)
  if (request === undefined || (isOwn && mode === 'auto')) return []
  const object = requestObject(ERAS[era], isOwn ? forOwn(request, install) : request)
  return [{phase: 'records', install: {namespace, name}, object}]
}

/** The package manager of this program reads the runtime, and installs what was planned even if the tag moves. */
function forOwn(request: InstallRequest, install: SetInstall): InstallRequest {
  const {runtime, annotations} = request
  const pinned = atDigest(request, install)
  if (runtime === undefined) return pinned
  return {...pinned, annotations: {...annotations, [RUNTIME_ANNOTATION]: JSON.stringify(runtime)}}
}

function atDigest(request: InstallRequest, {package: selected}: SetInstall): InstallRequest {
  const {package: text} = request
  if (text === undefined || text.includes('@') || selected?.digest === undefined) return request
  return {...request, package: `${text}@${selected.digest}`}
}

/** Reports whether an object is a request that a running package manager processes. */
export function isManagedRequest(
  object: Pick<ObjectName, 'apiVersion' | 'kind'>,
  {managers, ownManager}: Managers,
): boolean {
  const era = requestEraOf(object)
  return era !== undefined && (ownManager !== undefined || managers.has(era.name))
}

/**
 * Rejects the change of a request that exists: the original package managers process a request once, and ignore what
 * is changed in it later. A request that is only taken over stays as it is.
 */
export function changedRequest(
  {key, name}: Pick<DesiredObject, 'key' | 'name'>,
  {managers, live, dryRuns}: Pick<ClusterSnapshot, 'managers' | 'live' | 'dryRuns'>,
): Diagnostic | undefined {
  const era = requestEraOf(name)
  const manager = era && managers.get(era.name)
  const before = live.get(key)
  if (manager === undefined || before === undefined) return undefined
  const dryRun = dryRuns.get(key)
  if (dryRun?.kind === 'applied' && jsonEqual(before.spec, dryRun.object.spec)) return undefined
  const object = escaped(objectText(name))
  return {...managerRejection(`ignores changes of ${object}, which exists`, manager), subject: {object}}
}

/**
 * Rejects the objects that `withoutManaged` leaves of a manager's installs: a package manager acts on their records,
 * too.
 */
export function managerRejections({installs}: InstallSet, {managers}: Managers): readonly Diagnostic[] {
  return installs.flatMap(({era, namespace, name, request}) => {
    const manager = managers.get(era)
    if (manager === undefined) return []
    const id = escaped(`${namespace}/${name}`)
    return [
      managerRejection(
        request === undefined
          ? `the install ${id} has no request that it could process`
          : `would change the objects of ${id} at the same time`,
        manager,
      ),
    ]
  })
}

/** The rejection of a change that a running package manager would undo, or make at the same time. */
export function managerRejection(why: string, manager: string): Diagnostic {
  const [namespace = '', name = ''] = manager.split('/')
  return {
    severity: 'error',
    rule: 'manager-running',
    message: `the package manager ${escaped(manager)} is running, and ${why}`,
    suggestions: [
      `kubectl scale deployment ${shellWord(name)} --namespace ${shellWord(namespace)} --replicas 0`,
    ],
  }
}

/** Reports the Deployments that only have the name of a package manager: they are ignored. */
export function impostorNotes({impostors}: {readonly impostors: readonly string[]}): readonly Diagnostic[] {
  if (impostors.length === 0) return []
  const [names, verb] = [listNames(impostors), impostors.length === 1 ? 'has' : 'have']
  const message = `${plural(impostors.length, 'Deployment')} ${names} ${verb} the name of a package manager, but may not create ClusterRoleBindings; ignored`
  return [{severity: 'note', rule: 'manager-ignored', message}]
}

/** Adds notes on the managers that process the requests of a set. */
export function managerNotes(set: InstallSet, observed: Managed): readonly Diagnostic[] {
  const managed = managedInstalls(set, observed)
  const eras = new Set(managed.map(({era}) => era))
  const {managers, ownManager} = observed
  const running = [...eras].flatMap(era => managers.get(era) ?? ownManager ?? [])
  return [
    ...[...new Set(running)].map((manager): Diagnostic => ({
      severity: 'note',
      rule: 'manager-running',
      message: `the package manager ${escaped(manager)} is running: only the request is created, and it does the rest`,
    })),
    ...managed.flatMap(({era, namespace, name, request}): Diagnostic[] => {
      if (request?.runtime === undefined || !managers.has(era)) return []
      const message = `the runtime of ${escaped(`${namespace}/${name}`)} has no effect: a package manager runs its controller`
      return [{severity: 'warning', rule: 'runtime-unused', message}]
    }),
  ]
}
