import type {CustomResource} from '../custom-resource.js'
import type {Engine} from '../engines/engine.js'
import type {Templates} from '../render-resource.js'
import {type ExplainedResource, explainResource} from './explain-resource.js'

/** Explains several custom resources, in their order. */
export async function explainAll(
  templates: Templates,
  resources: readonly CustomResource[],
  engine: Engine,
): Promise<readonly ExplainedResource[]> {
  const explained: ExplainedResource[] = []
  for (const resource of resources) explained.push(await explainResource(templates, resource, engine))
  return explained
}
