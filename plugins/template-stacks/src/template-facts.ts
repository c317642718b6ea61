import type {Engine, TemplateFacts} from './engines/engine.js'
import type {TemplateSets} from './gotemplate/template-sets.js'
import type {Templates} from './render-resource.js'

/** What the texts of templates say without being rendered, and facts of a chart; nothing for a kustomization. */
export async function templateFacts(
  {behavior, files, sets}: Templates,
  engine: Engine,
): Promise<TemplateFacts> {
  switch (behavior.engine.type) {
    case 'helm3':
      return await engine.inspect({engine: 'helm3', files})
    case 'gotemplate':
      return {templates: await goTemplateFacts(sets, engine), defaults: '{}'}
    default:
      return {templates: [], defaults: '{}'}
  }
}

/** The facts of named templates, and of the texts that they include. */
export async function goTemplateFacts(
  {sets, partials}: Pick<TemplateSets, 'sets' | 'partials'>,
  engine: Engine,
): Promise<TemplateFacts['templates']> {
  const templates = sets.flatMap(set => [...set.templates, ...(set.status === undefined ? [] : [set.status])])
  // Templates of several kinds can have one name.
  const named = templates.map(each => ({...each, name: each.path ?? each.name}))
  const facts = await engine.inspect({engine: 'gotemplate', templates: named, partials})
  // A template of a kind is also a text that others can include.
  return [...new Map(facts.templates.map(each => [each.path, each])).values()]
}
