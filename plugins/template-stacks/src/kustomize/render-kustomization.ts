import type {Behavior} from 'kubectl-crossplane/plugin'
import type {CustomResource} from '../custom-resource.js'
import type {Engine, Files} from '../engines/engine.js'
import type {MadeObjects} from '../objects/made-objects.js'
import {readRenderedText} from '../objects/read-document.js'
import {kustomizeRequest} from './kustomize-request.js'
import {overlaysOf} from './overlay.js'
import {overlayPatches} from './overlay-patches.js'

/** A kustomization and a custom resource, whose fields are bound to those of its objects. */
export interface KustomizationInput {
  readonly behavior: Behavior
  readonly files: Files
  readonly resource: CustomResource
}

/** Builds a kustomization. Throws the errors of the engine. */
export async function renderKustomization(
  {behavior, files, resource}: KustomizationInput,
  engine: Engine,
): Promise<MadeObjects> {
  const {patches, errors, warnings} = overlayPatches(overlaysOf(behavior), resource.object)
  if (errors.length > 0) return {objects: [], errors, warnings}
  const request = kustomizeRequest({behavior, files, name: resource.name, patches})
  const {text} = await engine.render(request)
  const file = `${behavior.source.path}/kustomization.yaml`
  const read = readRenderedText({file, text, document: 1, placeOf: () => undefined})
  return {...read, warnings}
}
