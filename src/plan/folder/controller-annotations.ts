import {asObject, asText, type JsonObject} from '../../yaml/json-value.js'

/** The annotations by which Flux decides how to reconcile one object. */
export const FLUX_ANNOTATIONS = 'kustomize.toolkit.fluxcd.io/'

/** The annotations by which Argo CD decides how to sync one object. */
export const ARGOCD_ANNOTATIONS = 'argocd.argoproj.io/'

/** Flux deletes and creates an object whose immutable fields change. */
export const FLUX_FORCE = `${FLUX_ANNOTATIONS}force`

/** Flux does not delete an object that is no longer in the tree. */
export const FLUX_PRUNE = `${FLUX_ANNOTATIONS}prune`

/** How Argo CD applies and prunes an object. */
export const ARGOCD_OPTIONS = `${ARGOCD_ANNOTATIONS}sync-options`

/** How Argo CD compares an object with its file. */
export const ARGOCD_COMPARE = `${ARGOCD_ANNOTATIONS}compare-options`

/** The order in which Argo CD applies objects. */
export const ARGOCD_WAVE = `${ARGOCD_ANNOTATIONS}sync-wave`

/** Reports whether the controller that applies a file does not delete its object when the file is deleted. */
export function isKeptByController({metadata}: JsonObject): boolean {
  const {[FLUX_PRUNE]: prune, [ARGOCD_OPTIONS]: options} = asObject(asObject(metadata).annotations)
  return prune === 'disabled' || asText(options).split(',').includes('Prune=false')
}

/** Reports whether the controller that applies a file replaces its object if an immutable field changes. */
export function isReplacedByController({metadata}: JsonObject): boolean {
  const {[FLUX_FORCE]: force, [ARGOCD_OPTIONS]: options} = asObject(asObject(metadata).annotations)
  return force === 'enabled' || asText(options).split(',').includes('Force=true')
}
