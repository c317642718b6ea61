import {CrossplaneError} from 'kubectl-crossplane/plugin'
import type {CustomResource} from './custom-resource.js'
import type {Engine} from './engines/engine.js'
import {duplicateErrors} from './objects/duplicate-objects.js'
import {type RenderedResource, renderResource, type Templates} from './render-resource.js'

/**
 * Renders several custom resources, in their order. Throws the errors of the first that cannot be rendered, and `conflict`
 * if two of them make the same object.
 */
export async function renderAll(
  templates: Templates,
  resources: readonly CustomResource[],
  engine: Engine,
): Promise<readonly RenderedResource[]> {
  const rendered: RenderedResource[] = []
  for (const resource of resources) rendered.push(await renderResource(templates, resource, engine))
  const errors = duplicateErrors(rendered.flatMap(({objects}) => objects))
  if (errors.length === 0) return rendered
  throw new CrossplaneError('conflict', 'cannot render the custom resources: several make the same object', {
    diagnostics: errors,
  })
}
