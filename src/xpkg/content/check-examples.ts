import type {Diagnostic} from '../../diagnostic.js'
import {type DiagnosticCollector, errorAt, type SourceDocument} from '../../unpack/diagnostics.js'
import type {PackageFile} from '../../unpack/package-file.js'
import {asObject, asText} from '../../yaml/json-value.js'
import {streamDocuments} from './stream.js'

/** Reports documents of examples that are not valid YAML or not objects: no package can be built with them. */
export function exampleErrors(files: readonly PackageFile[]): readonly Diagnostic[] {
  const collector: DiagnosticCollector = {errors: [], warnings: []}
  for (const file of files)
    for (const document of streamDocuments(file, collector)) expectObject(document, collector)
  return collector.errors
}

function expectObject(document: SourceDocument, collector: DiagnosticCollector): void {
  const {apiVersion, kind} = asObject(document.yaml.value)
  if (asText(apiVersion) !== '' && asText(kind) !== '') return
  const message = 'the document is not a Kubernetes object: it has no apiVersion and kind'
  errorAt(document, {rule: 'xpkg-example', message}, collector)
}
