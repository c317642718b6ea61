import type {FluxSettings} from '../../declaration/layout-settings.js'
import type {InstallId, InstallSet, SetObject} from '../../render/install-set.js'
import {nameOf} from '../../kubernetes/object-key.js'
import type {JsonObject} from '../../yaml/json-value.js'
import {distinctNames} from '../folder/file-name.js'
import type {ObjectFolder} from '../folder/file-tree.js'
import {installKey, requiredInstalls} from './install-order.js'
import type {TreeOptions} from './layout.js'
import {shortName, treeName} from './tree-name.js'

/** A Kustomization of Flux, and the name of its file. */
export interface FluxKustomization {
  readonly fileName: string
  readonly value: JsonObject
}

/** Long enough for a controller whose image has to be pulled. */
const TIMEOUT = '5m'
/** Soon after a failure, which often is something that another Kustomization creates. */
const RETRY_INTERVAL = '1m'

/**
 * Returns a Kustomization for each folder with objects, in order. Those of installs depend on all shared folders and on
 * the installs that they require; shared folders depend on those before them.
 */
export function fluxKustomizations(
  set: InstallSet,
  folders: readonly ObjectFolder[],
  options: TreeOptions,
  settings: FluxSettings,
): readonly FluxKustomization[] {
  const used = folders.filter(({members}) => members.length > 0)
  const shared = used.filter(({path}) => !isInstall(path))
  const installs = used.filter(({path}) => isInstall(path))
  const required = requiredInstalls(set)
  const fileNames = distinctNames(
    installs.map(({path}) => ({stem: basename(path), identity: path})),
    '.yaml',
  )
  const nameIn = (name: string) => shortName(`${settings.name ?? treeName(options.path)}-${name}`)
  const nameOfInstall = ({namespace, name}: InstallId) => nameIn(`${namespace}.${name}`)
  const sharedNames = shared.map(({path}) => nameIn(path))
  return [
    ...shared.map((folder, index) => {
      const place = {name: sharedNames[index] ?? '', after: sharedNames.slice(0, index)}
      return {fileName: `${folder.path}.yaml`, value: ofShared(folder, place, options, settings)}
    }),
    ...installs.map((folder, index) => {
      const install = installOf(folder)
      const before = (required.get(installKey(install)) ?? []).map(nameOfInstall)
      const place = {name: nameOfInstall(install), after: [...sharedNames, ...before]}
      return {fileName: fileNames[index] ?? '', value: ofInstall(folder, place, options, settings)}
    }),
  ]
}

function isInstall(path: string): boolean {
  return path.includes('/')
}

function basename(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

function installOf({members}: ObjectFolder): InstallId {
  const install = members[0]?.install
  if (install === undefined) throw new RangeError('a folder of an install has an object without one')
  return install
}

/** The name of a Kustomization, and the names of those that it depends on. */
interface Place {
  readonly name: string
  readonly after: readonly string[]
}

/** CRDs that another declaration owns are not in the folder, and have to be named to be waited for. */
function ofShared(
  {path, members}: ObjectFolder,
  place: Place,
  options: TreeOptions,
  settings: FluxSettings,
): JsonObject {
  const isExternal = path === 'crds' && options.externalCrds
  const prune = path === 'base'
  const health: JsonObject = isExternal ? {healthChecks: members.map(healthCheck)} : {wait: true}
  return kustomizationOf(path, place, options, settings, {prune, ...health})
}

/**
 * An install is ready when its controllers are: its other objects have no state that Flux knows. Without a controller
 * there is nothing to wait for but that all objects exist.
 */
function ofInstall(
  {path, members}: ObjectFolder,
  place: Place,
  options: TreeOptions,
  settings: FluxSettings,
): JsonObject {
  const controllers = members.filter(({object}) => object.kind === 'Deployment')
  const health: JsonObject =
    controllers.length === 0 ? {wait: true} : {healthChecks: controllers.map(healthCheck)}
  return kustomizationOf(path, place, options, settings, {prune: true, ...health})
}

function healthCheck({object}: SetObject): JsonObject {
  return {...nameOf(object)}
}

/** https://fluxcd.io/flux/components/kustomize/kustomizations */
function kustomizationOf(
  folder: string,
  {name, after}: Place,
  {path}: TreeOptions,
  {source, namespace, interval}: FluxSettings,
  rest: JsonObject,
): JsonObject {
  return {
    apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
    kind: 'Kustomization',
    metadata: {name, namespace},
    spec: {
      ...(after.length === 0 ? {} : {dependsOn: after.map(each => ({name: each}))}),
      interval,
      path: fluxPath(path, folder),
      retryInterval: RETRY_INTERVAL,
      sourceRef: {kind: 'GitRepository', name: source},
      timeout: TIMEOUT,
      ...rest,
    },
  }
}

/** A path as Flux reads it, from the root of the repository. */
export function fluxPath(...segments: readonly string[]): string {
  return ['.', ...segments.filter(segment => segment !== '')].join('/')
}
