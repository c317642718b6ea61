import type {FluxSettings} from '../../declaration/layout-settings.js'
import type {InstallSet, SetObject} from '../../render/install-set.js'
import type {JsonObject} from '../../yaml/json-value.js'
import {foldersOf, kustomization} from '../folder/file-tree.js'
import {annotated, isBinding, isProtected} from './annotate.js'
import {FLUX_FORCE, FLUX_PRUNE} from '../folder/controller-annotations.js'
import {fluxKustomizations} from './flux-kustomizations.js'
import {fluxStart} from './flux-start.js'
import type {AddedFile, LaidOutSet, TreeOptions} from './layout.js'

/** The folder of what tells Flux how to reconcile the others. */
const FOLDER = 'flux'

/**
 * Lays a set out for Flux: a Kustomization for each shared folder and each install, which the top kustomization lists
 * instead of the objects, so that each is reconciled once.
 */
export function fluxLayout(
  set: InstallSet,
  options: TreeOptions,
  settings: FluxSettings,
  write: (value: JsonObject) => string,
): LaidOutSet {
  const kustomizations = fluxKustomizations(set, foldersOf(set.objects), options, settings)
  const names = kustomizations.map(({fileName}) => fileName)
  return {
    set: annotated(set, fluxAnnotations),
    added: [
      ...kustomizations.map(({fileName, value}) => ({path: `${FOLDER}/${fileName}`, content: write(value)})),
      {path: `${FOLDER}/kustomization.yaml`, content: write(kustomization(names))},
      {path: `${FOLDER}/start.yaml`, content: fluxStart(options, settings, write)},
      ...externalFolder(set, options, write),
    ],
    top: [FOLDER],
  }
}

function fluxAnnotations(each: SetObject): Readonly<Record<string, string>> {
  if (isProtected(each)) return {[FLUX_PRUNE]: 'disabled'}
  return isBinding(each.object) ? {[FLUX_FORCE]: 'enabled'} : {}
}

/** CRDs of another declaration are waited for: their Kustomization has no objects and needs a folder. */
function externalFolder(
  {objects}: InstallSet,
  {externalCrds}: TreeOptions,
  write: (value: JsonObject) => string,
): readonly AddedFile[] {
  if (!externalCrds || !objects.some(({phase}) => phase === 'crds')) return []
  return [{path: 'crds/kustomization.yaml', content: write(kustomization([]))}]
}
