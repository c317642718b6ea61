import type {JsonObject, JsonValue} from '../yaml/json-value.js'
import {documentsOf, faultAt, fileFault, type Findings, readTyped, type SourceDocument} from './findings.js'
import type {Dependency, PermissionScope} from './package.js'
import {PACKAGE_TYPES} from './package-types.js'
import {displayPath, type RegistryFile} from './registry-file.js'

/** What app.yaml says of the package. */
export interface App {
  readonly fields: JsonObject
  readonly title: string
  readonly version?: string
  readonly permissionScope: PermissionScope
  readonly dependencies: readonly Dependency[]
}

const PACKAGE_TYPE_WORDS = ['Provider', 'Stack', 'Application', 'Addon']

/** Reads the one app.yaml of a package. Undefined, with an error among the findings, if there is none to read. */
export function readApp(files: readonly RegistryFile[], findings: Findings): App | undefined {
  const [file, second] = files
  if (file === undefined) {
    findings.errors.push({rule: 'app-missing', message: 'there is no app.yaml below .registry/'})
    return undefined
  }
  if (second !== undefined) {
    const message = `a package has one app.yaml, and there is another: ${displayPath(file)}`
    findings.errors.push(fileFault(second, 'app-duplicate', message))
  }
  const [document, further] = documentsOf(file, findings)
  if (document === undefined) return noDocument(file, findings)
  if (further !== undefined) {
    const message = 'only the first document of app.yaml counts'
    findings.warnings.push(faultAt(further, 'app-documents', [], message))
  }
  return readFields(document, findings)
}

function noDocument(file: RegistryFile, findings: Findings): undefined {
  if (findings.errors.some(error => error.file === displayPath(file))) return undefined
  findings.errors.push(fileFault(file, 'app-empty', 'app.yaml is empty'))
  return undefined
}

function readFields(document: SourceDocument, findings: Findings): App {
  const as = {type: 'App', types: PACKAGE_TYPES, scalars: 'strict'} as const
  // The format's own version is no part of what the record repeats.
  const {apiVersion: _format, ...fields} = readTyped(document, [], document.yaml.value, as, findings)
  if (typeof fields.packageType === 'string' && !PACKAGE_TYPE_WORDS.includes(fields.packageType)) {
    const message = `packageType is ${fields.packageType}, not one of ${PACKAGE_TYPE_WORDS.join(', ')}`
    findings.warnings.push(faultAt(document, 'package-type', ['packageType'], message))
  }
  const permissionScope = readScope(document, fields.permissionScope, findings)
  return {
    fields: {...fields, permissionScope},
    title: text(fields.title) ?? '',
    version: text(fields.version),
    permissionScope,
    dependencies: readDependencies(document, fields.dependsOn, findings),
  }
}

function text(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function readScope(
  document: SourceDocument,
  value: JsonValue | undefined,
  findings: Findings,
): PermissionScope {
  if (value === 'Cluster' || value === 'Namespaced') return value
  if (value === undefined) {
    const message = 'permissionScope is not given: the package is taken as Namespaced'
    findings.warnings.push(faultAt(document, 'permission-scope-missing', [], message))
  } else {
    const message = `permissionScope must be Cluster or Namespaced, not ${text(value) ?? 'another type'}`
    findings.errors.push(faultAt(document, 'permission-scope', ['permissionScope'], message))
  }
  return 'Namespaced'
}

function readDependencies(
  document: SourceDocument,
  value: JsonValue | undefined,
  findings: Findings,
): Dependency[] {
  const entries = (value ?? []) as readonly JsonObject[]
  return entries.flatMap((entry, index) => {
    const problem = dependencyProblem(entry)
    if (problem !== undefined) {
      const path = ['dependsOn', index]
      findings.errors.push(faultAt(document, 'depends-on', path, `dependsOn[${index}] ${problem}`))
      return []
    }
    return [typeof entry.crd === 'string' ? {crd: entry.crd} : {package: text(entry.package) ?? ''}]
  })
}

function dependencyProblem({crd, package: repository}: JsonObject): string | undefined {
  if (crd !== undefined && repository !== undefined) return 'names both a crd and a package: name one'
  if (crd === undefined && repository === undefined) return 'names neither a crd nor a package'
  if (typeof crd === 'string' && /^(\.|\/|$)/.test(crd)) return `names no resource: ${JSON.stringify(crd)}`
  return undefined
}
