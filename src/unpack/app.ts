import {listAll} from '../text.js'
import {asText, isJsonArray, isJsonObject, type JsonObject} from '../yaml/json-value.js'
import {dependencyError} from './dependency-error.js'
import {
  errorAt,
  errorIn,
  type DiagnosticCollector,
  firstDocument,
  onlyFile,
  readPart,
  type SourceDocument,
  type TypedPart,
  warningAt,
} from './diagnostics.js'
import type {Dependency, PermissionScope} from './package.js'
import {PACKAGE_TYPES} from './go/package-types.js'
import {displayPath, type PackageFile} from './package-file.js'

/** The content of app.yaml. */
export interface App {
  readonly fields: JsonObject
  readonly title: string
  readonly version?: string
  readonly permissionScope: PermissionScope
  readonly dependencies: readonly Dependency[]
}

const PACKAGE_TYPE_WORDS = ['Provider', 'Stack', 'Application', 'Addon']

/** Reads the one app.yaml of a package. Undefined, with an error in the collector, if there is none to read. */
export function readApp(files: readonly PackageFile[], collector: DiagnosticCollector): App | undefined {
  const file = onlyFile(files, 'app-duplicate', collector)
  if (file === undefined) {
    collector.errors.push({
      severity: 'error',
      rule: 'app-missing',
      message: 'app.yaml not found below .registry/',
    })
    return undefined
  }
  const document = firstDocument(file, 'app-documents', collector)
  return document === undefined ? noDocument(file, collector) : readFields(document, collector)
}

function noDocument(file: PackageFile, collector: DiagnosticCollector): undefined {
  if (collector.errors.some(error => error.file === displayPath(file))) return undefined
  errorIn(file, {rule: 'app-empty', message: 'app.yaml is empty'}, collector)
  return undefined
}

function readFields(document: SourceDocument, collector: DiagnosticCollector): App {
  const as = {type: 'App', types: PACKAGE_TYPES, scalars: 'strict'} as const
  const part = readPart(document, [], document.yaml.value, as, collector)
  // The record does not repeat the format's own version.
  const {apiVersion: _format, ...fields} = part.fields
  if (typeof fields.packageType === 'string' && !PACKAGE_TYPE_WORDS.includes(fields.packageType)) {
    const message = `packageType is ${fields.packageType}, not one of ${listAll(PACKAGE_TYPE_WORDS, 'or')}`
    warningAt(document, {rule: 'package-type', path: ['packageType'], message}, collector)
  }
  const permissionScope = readScope(document, part, collector)
  return {
    fields: {...fields, permissionScope},
    title: asText(fields.title),
    ...(typeof fields.version === 'string' ? {version: fields.version} : {}),
    permissionScope,
    dependencies: readDependencies(document, part, collector),
  }
}

function readScope(
  document: SourceDocument,
  part: TypedPart,
  collector: DiagnosticCollector,
): PermissionScope {
  const path = ['permissionScope']
  const value = part.fields.permissionScope
  if (value === 'Cluster' || value === 'Namespaced') return value
  if (value === undefined && !part.isRejected(path)) {
    const message = 'permissionScope is missing: the package is read as Namespaced'
    warningAt(document, {rule: 'permission-scope-missing', message}, collector)
    return 'Namespaced'
  }
  if (value !== undefined) {
    const message = `permissionScope must be Cluster or Namespaced, not ${asText(value)}`
    errorAt(document, {rule: 'permission-scope', path, message}, collector)
  }
  // The scope that allows all CRDs: an invalid scope must not cause further errors.
  return 'Cluster'
}

function readDependencies(
  document: SourceDocument,
  part: TypedPart,
  collector: DiagnosticCollector,
): Dependency[] {
  const {dependsOn} = part.fields
  const entries = isJsonArray(dependsOn) ? dependsOn : []
  return entries.flatMap((entry, index) => {
    const path = ['dependsOn', index]
    if (!isJsonObject(entry) || part.isRejected(path)) return []
    const error = dependencyError(entry)
    if (error === undefined)
      return [typeof entry.crd === 'string' ? {crd: entry.crd} : {package: asText(entry.package)}]
    errorAt(document, {rule: 'depends-on', path, message: `dependsOn[${index}] ${error}`}, collector)
    return []
  })
}
