import {asText, type Diagnostic} from 'kubectl-crossplane/plugin'
import type {HelmOutput, RenderedTemplate, TemplatePlace} from '../engines/engine.js'
import {type ReadText, readRenderedText} from '../objects/read-document.js'
import type {TemplateLine, TemplateObject} from '../objects/template-object.js'

/** The objects of a chart in the order in which they are applied, and what Helm would not apply with them. */
export interface ChartObjects extends ReadText {
  readonly warnings: readonly Diagnostic[]
}

/** Reads the objects that a chart made. `folder` is that of the chart, for messages. */
export function chartObjects({templates, installOrder, crds}: HelmOutput, folder: string): ChartObjects {
  const read = templates.map(template => templateObjects(template, folder))
  const hooks = templates.flatMap(template => hookWarnings(template, folder))
  return {
    objects: inInstallOrder(
      read.flatMap(({objects}) => objects),
      installOrder,
    ),
    errors: read.flatMap(({errors}) => errors),
    warnings: [...hooks, ...crds.map(path => crdWarning(`${folder}/${path}`))],
  }
}

function templateObjects({path, documents, sources}: RenderedTemplate, folder: string): ReadText {
  const file = `${folder}/${path}`
  const read = documents.map(({text, line, hook}, index): ReadText => {
    if (hook !== undefined) return {objects: [], errors: []}
    const placeOf = (inText: number) => placeIn(folder, sources?.[line + inText - 2])
    // Helm writes a line break after each document, which is a part of a text in block style at its end.
    return readRenderedText({file, text: `${text}\n`, document: index + 1, placeOf})
  })
  return {objects: read.flatMap(({objects}) => objects), errors: read.flatMap(({errors}) => errors)}
}

function placeIn(folder: string, place: TemplatePlace | undefined): TemplateLine | undefined {
  return place && {file: `${folder}/${place.path}`, line: place.line}
}

function hookWarnings({path, documents}: RenderedTemplate, folder: string): Diagnostic[] {
  return documents.flatMap(({hook}): Diagnostic[] => {
    if (hook === undefined) return []
    const events = hook.events.join(', ')
    const message = `${hook.kind} ${hook.name} is a hook (${events}): it is not applied`
    return [{severity: 'warning', rule: 'helm-hook', message, file: `${folder}/${path}`}]
  })
}

function crdWarning(file: string): Diagnostic {
  const message = 'CRDs in crds/ are not applied; move them to .registry/resources'
  return {severity: 'warning', rule: 'helm-crds', message, file}
}

/**
 * Sorts by the order of kinds in which Helm installs; other kinds follow, by their names. Objects of one kind stay in
 * the order of templates and documents.
 */
function inInstallOrder(
  objects: readonly TemplateObject[],
  installOrder: readonly string[],
): readonly TemplateObject[] {
  const places = new Map(installOrder.map((kind, index) => [kind, index]))
  return objects.toSorted((a, b) => {
    const [one, other] = [asText(a.object.kind), asText(b.object.kind)]
    const [first, second] = [places.get(one), places.get(other)]
    if (first !== undefined && second !== undefined) return first - second
    if (first !== undefined || second !== undefined) return first === undefined ? 1 : -1
    return one === other ? 0 : one < other ? -1 : 1
  })
}
