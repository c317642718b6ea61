import {asText, CrossplaneError, type Diagnostic, type TemplateKind} from 'kubectl-crossplane/plugin'
import {readCustomResources} from '../custom-resource.js'
import type {Engine} from '../engines/engine.js'
import {readLiveObjects} from '../live-objects.js'
import type {OpenTemplates} from '../open-templates.js'
import {renderAll} from '../render-all.js'
import type {TestCase} from '../testing/test-cases.js'

/** What rendering the custom resources of tests shows. */
export interface RenderedTests {
  readonly diagnostics: readonly Diagnostic[]
  /** The kinds of the objects, each once. */
  readonly kinds: readonly (TemplateKind & {readonly apiVersion: string; readonly kind: string})[]
}

/** Renders the custom resources of tests, but those for which an error is expected. */
export async function checkTests(
  cases: readonly TestCase[],
  opened: OpenTemplates,
  engine: Engine,
): Promise<RenderedTests> {
  const diagnostics: Diagnostic[] = []
  const kinds = new Map<string, RenderedTests['kinds'][number]>()
  for (const test of cases) {
    if (test.expected?.kind === 'error') continue
    try {
      const {resources} = readCustomResources([test.resource], opened.kinds)
      const live = test.state === undefined ? [] : readLiveObjects(test.state)
      for (const {objects, failures} of await renderAll({...opened.templates, live}, resources, engine)) {
        diagnostics.push(...failures.map(failure => ({...failure, rule: 'template-render'})))
        for (const {object, place} of objects) {
          const [apiVersion, kind] = [asText(object.apiVersion), asText(object.kind)]
          const file = withoutFolder(place.file, opened.templates.behavior.source.path)
          kinds.set(`${apiVersion} ${kind}`, {apiVersion, kind, file, line: place.line ?? 1})
        }
      }
    } catch (error) {
      if (!(error instanceof CrossplaneError)) throw error
      diagnostics.push(...testErrors(test, error))
    }
  }
  return {diagnostics, kinds: [...kinds.values()]}
}

function withoutFolder(file: string, folder: string): string {
  return file.startsWith(`${folder}/`) ? file.slice(folder.length + 1) : file
}

function testErrors({resource}: TestCase, {message, diagnostics}: CrossplaneError): readonly Diagnostic[] {
  if (diagnostics.length === 0)
    return [{severity: 'error', rule: 'template-render', message, file: resource.name}]
  return diagnostics.map(each => ({...each, severity: 'error', rule: 'template-render'}))
}
