import type {FluxSettings} from '../../declaration/layout-settings.js'
import type {InstallSet, SetObject} from '../../render/install-set.js'
import type {JsonObject} from '../../yaml/json-value.js'
import {isBinding, isProtected} from './annotate.js'
import {emptyFolder} from './empty-folder.js'
import {FLUX_FORCE, KEPT_BY_FLUX} from '../../kubernetes/controller-annotations.js'
import {FLUX_START, treeGuard} from '../folder/tree-guard.js'
import {EXTERNAL_CRDS, fluxKustomizations} from './flux-kustomizations.js'
import {FLUX_FOLDER, fluxStart} from './flux-start.js'
import type {ControllerFiles, TreeOptions} from './layout.js'
import {treeName} from './tree-name.js'
import {treeUnits} from './tree-units.js'

/**
 * Lays a set out for Flux: a Kustomization for each shared folder and each install, in a folder that the Kustomization
 * of the tree scans.
 */
export function fluxLayout(
  set: InstallSet,
  options: TreeOptions,
  settings: FluxSettings,
  write: (value: JsonObject) => string,
): ControllerFiles {
  const units = treeUnits(set, options, settings.name ?? treeName(options.path))
  return {
    annotationsOf: fluxAnnotations,
    added: [
      ...fluxKustomizations(set, units, options, settings).map(({fileName, values}) => ({
        path: `${FLUX_FOLDER}/${fileName}`,
        content: values.map(write).join('---\n'),
      })),
      {path: FLUX_START, content: fluxStart(options, settings, write)},
      ...(units.some(({externalCrds}) => externalCrds.length > 0) ? [emptyFolder(EXTERNAL_CRDS, write)] : []),
      // Without a file, the folder would not exist, and Flux would not delete the last install.
      ...(units.length === 0 ? [emptyFolder(FLUX_FOLDER, write)] : []),
      treeGuard(FLUX_START, write),
    ],
  }
}

function fluxAnnotations(object: SetObject): Readonly<Record<string, string>> {
  if (isProtected(object)) return KEPT_BY_FLUX
  return isBinding(object.object) ? {[FLUX_FORCE]: 'enabled'} : {}
}
