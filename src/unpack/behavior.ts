import {normalize} from 'node:path/posix'
import {quoted} from '../text.js'
import {asObject, asText, type JsonObject} from '../yaml/json-value.js'
import {
  errorAt,
  errorIn,
  type DiagnosticCollector,
  firstDocument,
  onlyFile,
  readPart,
  type SourceDocument,
} from './diagnostics.js'
import type {Behavior} from './package.js'
import {PACKAGE_TYPES} from './go/package-types.js'
import {displayPath, type PackageFile} from './package-file.js'

/** Reads behavior.yaml, which makes the package a template stack; undefined if there is none. */
export function readBehavior(
  files: readonly PackageFile[],
  collector: DiagnosticCollector,
): Behavior | undefined {
  const file = onlyFile(files, 'behavior-duplicate', collector)
  if (file === undefined) return undefined
  const document = firstDocument(file, 'behavior-documents', collector)
  if (document !== undefined) return readFields(document, collector)
  if (!collector.errors.some(error => error.file === displayPath(file))) {
    const message = 'behavior.yaml is empty: it must name source.path'
    errorIn(file, {rule: 'behavior-path', message}, collector)
  }
  return undefined
}

const SOURCE_PATH = ['source', 'path']

function readFields(document: SourceDocument, collector: DiagnosticCollector): Behavior {
  const as = {type: 'Behavior', types: PACKAGE_TYPES, scalars: 'convert'} as const
  const {fields, isRejected} = readPart(document, [], document.yaml.value, as, collector)
  // A field of another type was reported and is left out; what is linted then still has fields of the right type.
  const {controllerImage, ...engine} = asObject(fields.engine)
  const {image, path: writtenPath} = asObject(fields.source)
  const {apiVersion, kind} = asObject(fields.crd)
  const path = cleanPath(asText(writtenPath))
  if ((path === '.' || path === '/') && !isRejected(SOURCE_PATH)) {
    const message = 'source.path must name a folder of the image below its root'
    errorAt(document, {rule: 'behavior-path', path: SOURCE_PATH, message}, collector)
  }
  if (!isRejected(ENGINE_TYPE)) checkEngine(document, asText(engine.type), collector)
  checkKustomization(document, engine, collector)
  return {
    crd: {apiVersion: asText(apiVersion), kind: asText(kind)},
    engine,
    ...(typeof controllerImage === 'string' ? {controllerImage} : {}),
    source: {path, ...(typeof image === 'string' ? {image} : {})},
  }
}

const ENGINE_TYPE = ['engine', 'type']

/** The engines of template stacks. */
const ENGINES = ['helm3', 'kustomize', 'gotemplate'] as const

function checkEngine(document: SourceDocument, type: string, collector: DiagnosticCollector): void {
  if (ENGINES.some(engine => engine === type)) return
  const message = `the engine type ${quoted(type)} is not supported: ${engineAdvice(type)}`
  errorAt(document, {rule: 'behavior-engine', path: ENGINE_TYPE, message}, collector)
}

/** helm2 only ran in January 2020, in Crossplane's first experiment with template stacks. */
function engineAdvice(type: string): string {
  return type === 'helm2'
    ? 'set engine.type to helm3, which renders the same chart'
    : `set engine.type to ${ENGINES.slice(0, -1).join(', ')} or ${ENGINES[2]}`
}

/** As Go's filepath.Clean, which keeps no trailing slash. */
function cleanPath(path: string): string {
  const normal = normalize(path)
  return normal.length > 1 && normal.endsWith('/') ? normal.slice(0, -1) : normal
}

function checkKustomization(
  document: SourceDocument,
  engine: JsonObject,
  collector: DiagnosticCollector,
): void {
  const kustomization = asObject(engine.kustomize).kustomization
  if (kustomization === undefined || asText(asObject(kustomization).kind) !== '') return
  const path = ['engine', 'kustomize', 'kustomization']
  const message = `${path.join('.')} must carry its kind`
  errorAt(document, {rule: 'behavior-kustomization', path, message}, collector)
}
