import {asObject, asText, type JsonObject} from '../yaml/json-value.js'

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
const ARGOCD_COMPARE = `${ARGOCD_ANNOTATIONS}compare-options`

/** The order in which Argo CD applies objects. */
export const ARGOCD_WAVE = `${ARGOCD_ANNOTATIONS}sync-wave`

/** Flux does not delete an object whose file is removed. */
export const KEPT_BY_FLUX: Readonly<Record<string, string>> = {[FLUX_PRUNE]: 'disabled'}

/**
 * Flux leaves fields to the managers that have them. Otherwise it takes over those that an object had before it was applied first, also by
 * controllers, and removes them with the next commit if they are not in its file.
 */
export const MERGED_BY_FLUX: Readonly<Record<string, string>> = {[`${FLUX_ANNOTATIONS}ssa`]: 'Merge'}

/** The options by which Argo CD deletes an object neither when its file is removed, nor when its Application is deleted. */
export const KEEPING_OPTIONS = ['Prune=false', 'Delete=false'] as const

/** The annotation with these options alone. */
export const KEPT_BY_ARGOCD: Readonly<Record<string, string>> = {[ARGOCD_OPTIONS]: KEEPING_OPTIONS.join(',')}

/** Without this, an Application would stay out of sync when the file of an object is removed that is not pruned. */
export const IGNORED_BY_ARGOCD: Readonly<Record<string, string>> = {[ARGOCD_COMPARE]: 'IgnoreExtraneous'}

const OF_LAYOUTS = new Map(Object.entries({...KEPT_BY_FLUX, ...KEPT_BY_ARGOCD, ...IGNORED_BY_ARGOCD}))

/** Reports whether an annotation says no more than what layouts write on requests of packages: the layout decides about waves. */
export function isOfLayouts(key: string, value: string): boolean {
  if (key === ARGOCD_WAVE) return /^\d+$/.test(value)
  const own = OF_LAYOUTS.get(key)?.split(',') ?? []
  return value.split(',').every(option => own.includes(option.trim()))
}

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
