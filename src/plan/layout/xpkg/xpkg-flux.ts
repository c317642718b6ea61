import type {FluxSettings} from '../../../declaration/layout-settings.js'
import type {JsonObject} from '../../../yaml/json-value.js'
import {KEPT_BY_FLUX, MERGED_BY_FLUX} from '../../../kubernetes/controller-annotations.js'
import {FLUX_START, treeGuard} from '../../folder/tree-guard.js'
import {kustomizationOf} from '../flux-kustomizations.js'
import {emptyFolder} from '../empty-folder.js'
import {FLUX_FOLDER, fluxStart} from '../flux-start.js'
import type {TreeOptions} from '../layout.js'
import {shortName, treeName} from '../tree-name.js'
import {isLockGuard, LOCK_HEALTH} from './lock-guard.js'
import type {XpkgControllerFiles, XpkgFolder} from './xpkg-folder.js'

/**
 * Lays a set out for Flux: a Kustomization for each stage, which waits until all packages of the stage before are installed
 * and healthy. Nothing is pruned: without its request, Crossplane deletes the CRDs of a package with all their objects.
 */
export function xpkgFluxFiles(
  folders: readonly XpkgFolder[],
  {path}: Pick<TreeOptions, 'path'>,
  settings: FluxSettings,
  write: (value: JsonObject) => string,
): XpkgControllerFiles {
  const prefix = settings.name ?? treeName(path)
  const names = folders.map(folder => shortName(`${prefix}-${folder.path}`))
  const kustomizations = folders.map((folder, index) => {
    const place = {name: names[index] ?? '', after: names.slice(Math.max(0, index - 1), index)}
    const rest = {prune: true, wait: true, ...healthOf(folder)}
    const content = write(kustomizationOf(folder.path, place, {path}, settings, rest))
    return {path: `${FLUX_FOLDER}/${folder.path}.yaml`, content}
  })
  return {
    // The packages in the Lock are Crossplane's.
    annotationsOf: ({object}) => (isLockGuard(object) ? {...KEPT_BY_FLUX, ...MERGED_BY_FLUX} : KEPT_BY_FLUX),
    added: [
      ...kustomizations,
      // Without a file, the folder would not exist, and Flux would not delete the last stage.
      ...(folders.length === 0 ? [emptyFolder(FLUX_FOLDER, write)] : []),
      {path: FLUX_START, content: fluxStart({path}, settings, write)},
      treeGuard(FLUX_START, write),
    ],
  }
}

/** Packages have no condition `Ready`, which Flux looks for. */
function healthOf({members}: XpkgFolder): {readonly healthCheckExprs?: readonly JsonObject[]} {
  const objects = members.map(({object}) => object)
  // Before the first stage are only requests from which packages move: once stopped, they are not installed.
  const requests = members.flatMap(({stage, object}) => (stage > 0 && isRequest(object.spec) ? [object] : []))
  const kinds = new Map(requests.map(({apiVersion, kind}) => [`${apiVersion} ${kind}`, {apiVersion, kind}]))
  const checks = [...kinds.values()].map(kind => ({...kind, current: CURRENT, inProgress: NEW}))
  const all = objects.some(isLockGuard) ? [LOCK_HEALTH, ...checks] : checks
  return all.length === 0 ? {} : {healthCheckExprs: all}
}

function isRequest(spec: JsonObject[string] | undefined): boolean {
  return typeof spec === 'object' && spec !== null && 'package' in spec
}

const isTrue = (condition: string) =>
  `status.conditions.exists(c, c.type == '${condition}' && c.status == 'True' && (!has(c.observedGeneration) || c.observedGeneration == metadata.generation))`
const CURRENT = `${isTrue('Installed')} && ${isTrue('Healthy')}`
/** A new object has no status, and another expression that reads it would be an error. */
const NEW = '!has(status.conditions)'
