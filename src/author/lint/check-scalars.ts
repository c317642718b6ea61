import {valueAt} from '../../yaml/value-at.js'
import type {Diagnostic} from '../../diagnostic.js'
import {diagnosticAt, type SourceDocument} from '../../unpack/diagnostics.js'
import {readAs} from '../../unpack/go/go-types.js'
import {PACKAGE_TYPES} from '../../unpack/go/package-types.js'
import {displayPath, type PackageFile} from '../../unpack/package-file.js'
import type {Examination} from '../../unpack/read-package.js'
import {areDisputed, disputedScalars} from '../../yaml/disputed-scalars.js'
import {type FieldPath, formatPath, type JsonValue} from '../../yaml/json-value.js'
import type {Candidate} from './candidate.js'

/** Reports values that Kubernetes and other YAML readers read differently. */
export function checkScalars(candidate: Candidate): Diagnostic[] {
  const {files, errors} = candidate.examination
  const converted = convertedTexts(candidate)
  // An invalid value is not reported again for its spelling.
  const reported = new Set([...errors, ...converted].map(placeOf))
  const read = [files.apps, files.installs, files.behaviors, files.crds, files.groups, files.resources].flat()
  const disputed = read
    .filter(file => mayBeDisputed(candidate.documentsOf(file)))
    .flatMap(disputes)
    .filter(diagnostic => !reported.has(placeOf(diagnostic)))
  return [...converted, ...disputed]
}

/** Most files are read without finding any, and need not be read again. */
function mayBeDisputed([document]: readonly SourceDocument[]): boolean {
  if (document === undefined) return false
  const {ambiguous} = document.yaml
  return ambiguous === undefined || areDisputed(ambiguous)
}

function placeOf({file = '', line = 0}: Diagnostic): string {
  return `${file}:${line}`
}

function disputes(file: PackageFile): Diagnostic[] {
  const name = displayPath(file)
  return disputedScalars(file.bytes, name).map(({path, line, text, isKey, here, elsewhere}) => {
    const field = formatPath(path)
    const what = isKey ? `the key ${text}` : text
    return {
      severity: 'warning',
      rule: 'yaml-scalar',
      message: `${what} is ${here} for Kubernetes, but ${elsewhere}`,
      file: name,
      line,
      field,
    }
  })
}

/** Reports numbers and booleans that become text. */
function convertedTexts({examination, crds, documentsOf}: Candidate): Diagnostic[] {
  const {files} = examination
  const wholes = (kind: readonly PackageFile[], type: string) =>
    kind
      .flatMap(file => documentsOf(file).slice(0, 1))
      .flatMap(document => converted(examination, document, [{at: [], type}]))
  return [
    ...wholes(files.groups, 'Group'),
    ...wholes(files.resources, 'Resource'),
    ...wholes(files.behaviors, 'Behavior'),
    ...crds.flatMap(({document, object}) =>
      converted(examination, document, [
        {at: ['metadata'], type: 'meta.v1.ObjectMeta'},
        {at: ['spec'], type: crdSpecType(object.apiVersion)},
      ]),
    ),
  ]
}

function crdSpecType(apiVersion: JsonValue | undefined): string {
  const version = apiVersion === 'apiextensions.k8s.io/v1' ? 'v1' : 'v1beta1'
  return `apiextensions.${version}.CustomResourceDefinitionSpec`
}

/** A part of a document, and its Go type. */
interface Part {
  readonly at: FieldPath
  readonly type: string
}

/** A document that the examination rejects as a whole is only read here. */
function converted(examination: Examination, document: SourceDocument, parts: readonly Part[]): Diagnostic[] {
  const {value} = document.yaml
  const places =
    examination.converted.get(document) ??
    parts.flatMap(({at, type}) =>
      readAs(type, PACKAGE_TYPES, valueAt(value, at) ?? null, 'convert').converted.map(path => [
        ...at,
        ...path,
      ]),
    )
  return places.map(place => {
    const scalar = valueAt(value, place) ?? null
    const text = typeof scalar === 'object' ? '' : String(scalar)
    const message = `${formatPath(place)} is not quoted and becomes the text ${JSON.stringify(text)}`
    return diagnosticAt(document, 'text-converted', place, message)
  })
}
