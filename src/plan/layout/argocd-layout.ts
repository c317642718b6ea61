import type {ArgoCdSettings} from '../../declaration/layout-settings.js'
import {type InstallSet, PHASES, type SetObject} from '../../render/install-set.js'
import type {JsonObject} from '../../yaml/json-value.js'
import {isBinding, isProtected} from './annotate.js'
import {ARGOCD_FOLDER, argocdPrefix, argocdStart, unitApplication} from './argocd-applications.js'
import {
  ARGOCD_OPTIONS,
  ARGOCD_WAVE,
  IGNORED_BY_ARGOCD,
  KEEPING_OPTIONS,
} from '../../kubernetes/controller-annotations.js'
import {ARGOCD_START, treeGuard} from '../folder/tree-guard.js'
import type {ControllerFiles, TreeOptions} from './layout.js'
import {treeUnits} from './tree-units.js'

/**
 * Lays a set out for Argo CD: an Application for each shared folder and each install, in a folder that the Application of
 * the tree scans. Sync waves order the objects of each.
 */
export function argocdLayout(
  set: InstallSet,
  options: TreeOptions,
  settings: ArgoCdSettings,
  write: (value: JsonObject) => string,
): ControllerFiles {
  const units = treeUnits(set, options, argocdPrefix(options, settings))
  return {
    annotationsOf: argocdAnnotations,
    added: [
      ...units.map(unit => ({
        path: `${ARGOCD_FOLDER}/${unit.fileName}`,
        content: write(unitApplication(unit, options, settings)),
      })),
      {path: ARGOCD_START, content: argocdStart(options, settings, write)},
      treeGuard(ARGOCD_START, write),
    ],
  }
}

function argocdAnnotations(object: SetObject): Readonly<Record<string, string>> {
  return {
    ...(isProtected(object) ? IGNORED_BY_ARGOCD : {}),
    ...optionsOf(object),
    [ARGOCD_WAVE]: `${PHASES.indexOf(object.phase)}`,
  }
}

/** https://argo-cd.readthedocs.io/en/stable/user-guide/sync-options */
function optionsOf(object: SetObject): Readonly<Record<string, string>> {
  const list = [
    // The annotation of a client-side apply would be too large for many CRDs, and claims of others would be removed.
    ...(object.phase === 'crds' ? ['ServerSideApply=true'] : []),
    ...(isProtected(object) ? KEEPING_OPTIONS : []),
    // Not with `Replace=true`: Argo CD reconciles permissions before that, which creates a binding, and then cannot.
    ...(isBinding(object.object) ? ['Force=true'] : []),
    // Their kinds are of another Application or another tree, and can be missing while Argo CD checks objects.
    ...(object.phase === 'records' ? ['SkipDryRunOnMissingResource=true'] : []),
  ]
  return list.length === 0 ? {} : {[ARGOCD_OPTIONS]: list.join(',')}
}
