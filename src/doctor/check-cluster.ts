import type {Diagnostic} from '../diagnostic.js'
import {CrossplaneError, type ErrorCode} from '../errors.js'
import type {EraName} from '../reference/era-name.js'
import {ERAS} from '../render/era.js'
import {count, escaped, listAll, listNames, listSome, quoted} from '../text.js'
import {type Check, failedCheck, okCheck, skippedCheck} from './check.js'
import {compareReleases, type Release} from './release.js'

/** A connection that could be opened. */
export interface OpenContext {
  /** Empty within a cluster. */
  readonly context: string
  readonly namespace: string
  /** The address of the API server. */
  readonly server: string
}

/** Failures that mean no cluster is selected, which only some commands need. */
const NOT_SELECTED: readonly ErrorCode[] = ['not-found', 'usage']

/** Checks the kubeconfig. No cluster at all is not broken, unless flags select one. */
export function checkContext(opened: OpenContext | CrossplaneError, isSelected: boolean): Check {
  if (opened instanceof CrossplaneError) {
    const isMissing = NOT_SELECTED.includes(opened.code) && !isSelected
    return failedCheck('context', opened, isMissing ? 'skipped' : 'broken')
  }
  const {context, namespace, server} = opened
  const name = context === '' ? 'the cluster of this Pod' : `context ${quoted(context)}`
  return okCheck('context', `${name}, namespace ${quoted(namespace)}, ${escaped(server)}`)
}

/** The first release in which the API server applies objects and serves v1 CRDs without a feature gate. */
const FIRST_SUPPORTED: Release = {major: 1, minor: 16}

/** Checks the version of the API server. */
export function checkServer({gitVersion, ...release}: Release & {readonly gitVersion: string}): Check {
  const {major, minor} = FIRST_SUPPORTED
  if (compareReleases(release, FIRST_SUPPORTED) >= 0)
    return okCheck('server', `Kubernetes ${escaped(gitVersion)}`)
  return {
    id: 'server',
    state: 'broken',
    message: `Kubernetes ${escaped(gitVersion)} has no server-side apply`,
    suggestion: `Upgrade the cluster to Kubernetes ${major}.${minor} or later.`,
  }
}

/** Checks whether the user has the permissions that installs require; `missing` describes those that are not given. */
export function checkPermissions(missing: readonly string[], namespace: string): Check {
  if (missing.length === 0) {
    return okCheck(
      'permissions',
      `all permissions that every install in namespace ${quoted(namespace)} requires`,
    )
  }
  return {
    id: 'permissions',
    state: 'broken',
    message: `missing ${count(missing.length, 'permission')} that an install in namespace ${quoted(namespace)} requires: ${listSome(missing, 3)}`,
    suggestion: 'Run package install with --dry-run=client to print the missing roles.',
  }
}

/** Checks which APIs of packages are served; `core` is the current Crossplane that runs, in words. */
export function checkPackageApi(served: readonly EraName[], core?: string): Check {
  if (core !== undefined) {
    const older = served.map(era => ERAS[era].apiVersion)
    const message = `${escaped(core)} runs: packages are those of pkg.crossplane.io`
    return okCheck(
      'package-api',
      older.length === 0 ? message : `${message}, and ${listAll(older)} is served`,
    )
  }
  if (served.length > 0) return okCheck('package-api', listAll(served.map(era => ERAS[era].apiVersion)))
  return {
    id: 'package-api',
    state: 'warning',
    message: `${ERAS.packages.apiVersion} is not served`,
    suggestion: 'Pass --with-package-api to package install to create the package API.',
  }
}

/** Checks for package managers, given as NAMESPACE/NAME. */
export function checkManagers(managers: readonly string[]): Check {
  if (managers.length === 0) return okCheck('manager', 'no package manager is running')
  const [first = ''] = managers
  const [namespace, name] = first.split('/')
  const names = listAll(managers.map(escaped))
  const [subject, pronoun] =
    managers.length === 1 ? [`package manager ${names} is`, 'it'] : [`package managers ${names} are`, 'them']
  return {
    id: 'manager',
    state: 'warning',
    message: `${subject} running; this program only creates requests for ${pronoun}`,
    suggestion: `kubectl scale deployment ${name ?? ''} --namespace ${namespace ?? ''} --replicas 0`,
  }
}

/** Reports Deployments that only have the name of a package manager, given as NAMESPACE/NAME. */
export function checkImpostors(impostors: readonly string[]): readonly Check[] {
  if (impostors.length === 0) return []
  const message = `not a package manager, because it may not create ClusterRoleBindings: Deployment ${listNames(impostors)}`
  return [{id: 'manager', state: 'warning', message}]
}

/** A Lease of this program. */
export interface SeenLease {
  readonly namespace: string
  /** Untrusted text. */
  readonly holder: string
  /** Whether its holder renewed it within its duration. */
  readonly isHeld: boolean
}

/** Checks for Leases that a run left behind. A Lease that is held is that of a run in progress. */
export function checkLeases(leases: readonly SeenLease[]): readonly Check[] {
  const taken = leases.filter(({holder}) => holder !== '')
  if (taken.length === 0) return [okCheck('lease', 'no Lease is held')]
  return taken.map(({namespace, holder, isHeld}): Check => {
    const lease = `the Lease of namespace ${quoted(namespace)}`
    if (isHeld) return okCheck('lease', `${lease} is held by ${quoted(holder)}`)
    return {
      id: 'lease',
      state: 'warning',
      message: `${lease} has expired; last holder: ${quoted(holder)}`,
      suggestion: 'Run the interrupted command again to take over the Lease.',
    }
  })
}

/** An install, and whether its last change was completed. */
export interface SeenInstall {
  readonly namespace: string
  readonly name: string
  readonly state: 'Complete' | 'Interrupted' | 'Unreadable' | 'Unwitnessed' | 'Forged' | 'NoInventory'
}

/** An inventory that does not count, and the command that gives it a witness. */
export interface SeenIgnored {
  readonly namespace: string
  readonly name: string
  /** `older`: a version without witnesses wrote it. */
  readonly kind: 'forged' | 'missing' | 'older' | 'unwitnessed'
  readonly command: string
}

/** Checks for installs whose last change was not completed, and those whose inventory cannot be read. */
export function checkInstalls(
  installs: readonly SeenInstall[],
  leases: readonly SeenLease[],
): readonly Check[] {
  const changing = new Set(leases.flatMap(({isHeld, namespace}) => (isHeld ? [namespace] : [])))
  const checks = installs.flatMap((install): Check[] => {
    const {namespace, name, state} = install
    const id = `${escaped(namespace)}/${escaped(name)}`
    const suggestion = `kubectl crossplane package status ${id}`
    if (state === 'Interrupted' && changing.has(namespace))
      return [okCheck('install', `${id} is being changed`)]
    if (state === 'Interrupted') {
      return [
        {id: 'install', state: 'broken', message: `the last change of ${id} was interrupted`, suggestion},
      ]
    }
    if (state !== 'Unreadable') return []
    return [{id: 'install', state: 'broken', message: `the inventory of ${id} cannot be read`, suggestion}]
  })
  // Anyone who may write ConfigMaps can add an inventory without a witness: check `witness` reports these.
  const installed = installs.filter(({state}) => state !== 'Unwitnessed')
  return checks.length > 0
    ? checks
    : [okCheck('install', `${count(installed.length, 'install')}, none interrupted`)]
}

/** Reports namespaces with so many installs without a system role that not all are read or shown. */
export function checkUnshown(warnings: readonly Diagnostic[]): readonly Check[] {
  return warnings.map(({message}) => ({id: 'install', state: 'warning', message}))
}

/** Inventories without a witness that are reported one by one: anyone who may write ConfigMaps can write thousands. */
const MAX_UNWITNESSED = 10

/** Checks for inventories that do not count; `floodedBy` if there are more than were read. */
export function checkWitnesses(
  ignored: readonly SeenIgnored[],
  leases: readonly SeenLease[],
  {floodedBy}: {readonly floodedBy?: string},
): readonly Check[] {
  const isFlooded = floodedBy !== undefined
  const changing = new Set(leases.flatMap(({isHeld, namespace}) => (isHeld ? [namespace] : [])))
  const settled = ignored.filter(({namespace}) => !changing.has(namespace))
  const [others, recognized] = [
    settled.filter(({kind}) => kind === 'unwitnessed'),
    settled.filter(({kind}) => kind !== 'unwitnessed'),
  ]
  if (settled.length === 0 && !isFlooded) return [okCheck('witness', 'every inventory has a witness')]
  const left = others.length - MAX_UNWITNESSED
  return [
    ...[...recognized, ...others.slice(0, MAX_UNWITNESSED)].map(witnessCheck),
    ...(left > 0 || isFlooded ? [moreCheck(Math.max(left, 0), isFlooded)] : []),
  ]
}

function witnessCheck({namespace, name, kind, command}: SeenIgnored): Check {
  const id = `${escaped(namespace)}/${escaped(name)}`
  const inventory = `the inventory of ${id}`
  const [state, message, suggestion] = {
    forged: ['broken', `${inventory} differs from its witness: another program changed it`, command],
    missing: ['broken', `${inventory} is missing: another program deleted it`, command],
    older: [
      'warning',
      `${inventory} was written by a version without witnesses; check the package before running the command`,
      command,
    ],
    unwitnessed: [
      'warning',
      `${inventory} has no witness and is ignored: its first install was interrupted, or another program wrote it`,
      `kubectl crossplane package status ${id}`,
    ],
  }[kind] as [Check['state'], string, string]
  return {id: 'witness', state, message, suggestion}
}

function moreCheck(left: number, isFlooded: boolean): Check {
  const number = isFlooded ? `more than ${left}` : String(left)
  return {
    id: 'witness',
    state: 'warning',
    message: `${number} more inventories have no witness and are ignored`,
    suggestion: 'kubectl get configmaps --all-namespaces --selector kubectl-crossplane/inventory=first',
  }
}

/** A CRD that no install claims, in words, and the command that shows or removes what is left. */
export interface SeenCrd {
  readonly message: string
  readonly command: string
}

/** CRDs that are reported one by one. */
const MAX_CRDS = 20

/** Checks for CRDs that this program created and that no install claims. */
export function checkCrds(left: readonly SeenCrd[]): readonly Check[] {
  if (left.length === 0) return [okCheck('crd', 'every CRD that was installed has a claim')]
  const more = left.length - MAX_CRDS
  const checks = left
    .slice(0, MAX_CRDS)
    .map(({message, command}): Check => ({id: 'crd', state: 'warning', message, suggestion: command}))
  if (more <= 0) return checks
  return [...checks, {id: 'crd', state: 'warning', message: `${more} more CRDs are left behind`}]
}

/** Lists the checks that need a cluster as skipped. */
export function skippedClusterChecks(reason: string): readonly Check[] {
  const ids = [
    'server',
    'permissions',
    'package-api',
    'manager',
    'lease',
    'install',
    'witness',
    'crd',
  ] as const
  return ids.map(id => skippedCheck(id, reason))
}
