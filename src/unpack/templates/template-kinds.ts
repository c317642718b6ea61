import {asObject, asText} from '../../yaml/json-value.js'
import type {Behavior} from '../package.js'
import type {PackageFile} from '../package-file.js'
import {generated, kustomizeObjects} from './kustomize-kinds.js'
import {computedTexts} from './computed-texts.js'
import {type NamedTemplate, namedTemplate, STATUS_TEMPLATE} from './named-template.js'
import {resolvedKinds} from './resolved-kinds.js'
import type {TemplateKind} from './template-kind.js'
import {chartKinds, textKinds} from './text-kinds.js'

/** The templates of a package, by paths in their folder. */
export type TemplateFiles = readonly PackageFile[]

/**
 * Lists the kinds that templates create, without rendering them: of a kustomization exactly, of charts and named templates
 * where their text names them, or the expressions of a chart. Archives in a chart are not read: `unpackedChart` does that.
 */
export function templateKinds(behavior: Behavior, files: TemplateFiles): readonly TemplateKind[] {
  const engine = asText(behavior.engine.type)
  if (engine !== 'kustomize') {
    const kindsIn = engine === 'helm3' ? chartKinds : textKinds
    const kinds = objectTemplates(behavior, files).flatMap(({path, bytes}) => kindsIn(textOf(bytes), path))
    return engine === 'helm3' ? resolvedKinds(kinds, computedTexts(files)) : kinds
  }
  const {kustomization} = asObject(behavior.engine.kustomize)
  return [...kustomizeObjects(files).kinds, ...generated(asObject(kustomization), 'kustomization')]
}

/** Lists the templates of a chart, or the named ones, that create objects. */
export function objectTemplates(behavior: Behavior, files: TemplateFiles): TemplateFiles {
  switch (asText(behavior.engine.type)) {
    case 'helm3':
      return files.filter(
        ({path}) => CHART_TEMPLATE.test(path) && !/(?:^|\/)(?:_[^/]*|NOTES\.txt)$/.test(path),
      )
    case 'gotemplate':
      return files.filter(({path}) => /\.ya?ml$/.test(path) && makesObject(namedTemplate(path)))
    default:
      return []
  }
}

/** A template of the chart or of a chart in it, at any depth. */
const CHART_TEMPLATE = /^(?:charts\/[^/]+\/)*templates\//

function makesObject({name, renders}: NamedTemplate): boolean {
  return renders !== undefined && name !== STATUS_TEMPLATE
}

/** Decodes the text of a template. */
export function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes)
}
