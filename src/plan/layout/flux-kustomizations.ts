import type {FluxSettings} from '../../declaration/layout-settings.js'
import {nameOf} from '../../kubernetes/object-key.js'
import type {InstallSet, SetObject} from '../../render/install-set.js'
import type {JsonObject} from '../../yaml/json-value.js'
import {awaitedInstalls, installKey} from './awaited-installs.js'
import type {TreeOptions} from './layout.js'
import {shortName} from './tree-name.js'
import type {TreeUnit} from './tree-units.js'

/** A file of Kustomizations of Flux. */
export interface FluxFile {
  readonly fileName: string
  readonly values: readonly JsonObject[]
}

/** Long enough for a controller whose image has to be pulled. */
const TIMEOUT = '5m'
/** Soon after a failure, which often is something that another Kustomization creates. */
export const RETRY_INTERVAL = '1m'

/** The folder without objects to which the waiting for external CRDs refers. */
export const EXTERNAL_CRDS = 'crds'

/**
 * Returns the Kustomizations of each unit. Those of installs depend on the shared folders that they use and on the
 * installs that they wait for.
 */
export function fluxKustomizations(
  set: InstallSet,
  units: readonly TreeUnit[],
  options: TreeOptions,
  settings: FluxSettings,
): readonly FluxFile[] {
  const awaited = awaitedInstalls(set)
  const names = new Map(units.flatMap(({install, name}) => (install ? [[installKey(install), name]] : [])))
  const shared = units.filter(({install}) => install === undefined)
  return units.map(unit => {
    const {fileName, install} = unit
    if (install === undefined) return {fileName, values: [ofShared(unit, options, settings)]}
    const key = installKey(install)
    const before = (awaited.get(key) ?? []).flatMap(setInstall => names.get(installKey(setInstall)) ?? [])
    const after = [...shared.filter(treeUnit => isUsed(treeUnit, key)).map(({name}) => name), ...before]
    return {fileName, values: ofInstall(unit, after, options, settings)}
  })
}

/** Every install needs the namespaces and the base, but only those that share a CRD need the folder of shared CRDs. */
function isUsed({path, members}: TreeUnit, key: string): boolean {
  return path !== 'crds' || members.some(({ownedBy = []}) => ownedBy.some(id => installKey(id) === key))
}

function ofShared({path, name}: TreeUnit, options: TreeOptions, settings: FluxSettings): JsonObject {
  return kustomizationOf(path, {name, after: []}, options, settings, {prune: path === 'base', wait: true})
}

/**
 * An install is ready when its controllers are: its other objects have no state that Flux knows. Without a controller
 * there is nothing to wait for but that all objects exist. CRDs of another declaration are not in the tree: a
 * Kustomization without objects waits for them.
 */
function ofInstall(
  {path, name, members, externalCrds}: TreeUnit,
  after: readonly string[],
  options: TreeOptions,
  settings: FluxSettings,
): readonly JsonObject[] {
  const controllers = members.filter(({object}) => object.kind === 'Deployment')
  const health: JsonObject = controllers.length === 0 ? {wait: true} : healthOf(controllers)
  if (externalCrds.length === 0) {
    return [kustomizationOf(path, {name, after}, options, settings, {prune: true, ...health})]
  }
  const waiting = shortName(`${name}-crds`)
  const rest = {prune: false, ...healthOf(externalCrds)}
  return [
    kustomizationOf(EXTERNAL_CRDS, {name: waiting, after: []}, options, settings, rest),
    kustomizationOf(path, {name, after: [...after, waiting]}, options, settings, {prune: true, ...health}),
  ]
}

function healthOf(objects: readonly SetObject[]): JsonObject {
  return {healthChecks: objects.map(({object}) => ({...nameOf(object)}))}
}

/** The name of a Kustomization, and the names of those that it depends on. */
interface Place {
  readonly name: string
  readonly after: readonly string[]
}

/** Returns the Kustomization of a folder. https://fluxcd.io/flux/components/kustomize/kustomizations */
export function kustomizationOf(
  folder: string,
  {name, after}: Place,
  {path}: Pick<TreeOptions, 'path'>,
  {source, namespace, interval}: FluxSettings,
  rest: JsonObject,
): JsonObject {
  return {
    apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
    kind: 'Kustomization',
    metadata: {name, namespace},
    spec: {
      ...(after.length === 0 ? {} : {dependsOn: after.map(text => ({name: text}))}),
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
