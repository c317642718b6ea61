import {isSince, SINCE} from '../../../xpkg/core-release.js'
import {asObject, type JsonObject} from '../../../yaml/json-value.js'
import type {CompositionFinding} from './composition-finding.js'

/** The generation of a known version of Crossplane. */
export type CoreGeneration = 'v1' | 'v2'

/** Returns the generation of a version of Crossplane; undefined without one. */
export function coreGeneration(coreVersion: string | undefined): CoreGeneration | undefined {
  if (coreVersion === undefined) return undefined
  return isSince(coreVersion, SINCE.v2) ? 'v2' : 'v1'
}

/** Reports whether a Composition has resources of its own instead of a pipeline, as only Crossplane v1 reads it. */
export function isOfResources({spec}: JsonObject): boolean {
  const {mode, resources, pipeline} = asObject(spec)
  return mode === 'Resources' || (mode === undefined && resources !== undefined && pipeline === undefined)
}

/** What is said of a Composition with resources of its own, which are not validated: Crossplane v2 rejects it. */
export function resourcesMode(
  composition: JsonObject,
  generation: CoreGeneration | undefined,
): {
  readonly findings: readonly CompositionFinding[]
  readonly unread: readonly Omit<CompositionFinding, 'rule'>[]
} {
  const place = ['spec', asObject(composition.spec).mode === undefined ? 'resources' : 'mode']
  if (generation !== 'v2')
    return {
      findings: [],
      unread: [{place, message: 'the mode Resources, which Crossplane v2 does not have'}],
    }
  const message = 'Crossplane v2 does not have the mode Resources: a pipeline is required'
  return {findings: [{rule: 'invalid', place, message}], unread: []}
}
