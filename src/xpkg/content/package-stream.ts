import type {DiagnosticCollector, SourceDocument} from '../../unpack/diagnostics.js'
import {compareWalkOrder, type PackageFile} from '../../unpack/package-file.js'
import {asText, isJsonObject, type JsonObject} from '../../yaml/json-value.js'
import {writeYaml} from '../../yaml/write-yaml.js'
import {objectKind, type ObjectRole} from './object-kinds.js'
import {streamDocuments} from './stream.js'
import {typedDocument} from './typed-document.js'

const SEPARATOR = '---\n'

/**
 * Returns the `package.yaml` that `crossplane xpkg build` makes of files without errors: the objects as Go writes them,
 * the metadata first, the others in the order of the files.
 */
export function packageStream(files: readonly PackageFile[]): Uint8Array {
  const parts: Record<'metadata' | 'objects', Uint8Array[]> = {metadata: [], objects: []}
  for (const file of [...files].sort(compareWalkOrder))
    for (const {role, text} of objectTexts(file))
      parts[role === 'metadata' ? 'metadata' : 'objects'].push(Buffer.from(text + SEPARATOR))
  return Buffer.concat([Buffer.from(SEPARATOR), ...parts.metadata, ...parts.objects])
}

/** An object of a package, as Go decodes it. */
interface TypedObject {
  readonly role: ObjectRole
  readonly document: SourceDocument
  readonly value: JsonObject
}

/** A text at a time: the values of a thousand CRDs take ten times the memory of their text. */
function* objectTexts(
  file: PackageFile,
): Generator<{readonly role: ObjectRole; readonly text: string}, void, undefined> {
  for (const {role, value} of typedObjects(file)) yield {role, text: writeYaml([value])}
}

/** Reads the objects of a file one after the other, as Go decodes them. */
export function* typedObjects(file: PackageFile): Generator<TypedObject, void, undefined> {
  const collector: DiagnosticCollector = {errors: [], warnings: []}
  for (const document of streamDocuments(file, collector)) {
    const {value} = document.yaml
    if (!isJsonObject(value)) continue
    const parsed = objectKind(asText(value.apiVersion), asText(value.kind))
    if (parsed === undefined) continue
    const {role, type} = parsed
    yield {
      role,
      document,
      value: type === undefined ? value : typedDocument(document, value, type, collector).fields,
    }
  }
}
