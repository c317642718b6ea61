import {
  asObject,
  asText,
  checkInstance,
  CrossplaneError,
  type Diagnostic,
  type FieldPath,
  formatPath,
  groupOf,
  type InputFile,
  type JsonObject,
  listSome,
  nameOf,
  objectKey,
  parsePath,
  prunedFields,
  quoted,
  readYaml,
  versionOf,
  withDefaults,
  type YamlDocument,
} from 'kubectl-crossplane/plugin'
import type {WatchedKind} from './watched-kind.js'
import {withoutField} from './without-field.js'

/** A custom resource as an API server would store it: in the version that is watched, pruned and defaulted. */
export interface CustomResource {
  readonly object: JsonObject
  /** As it was written, without defaults. */
  readonly given: JsonObject
  readonly name: string
  /** Absent for a cluster-scoped resource. */
  readonly namespace?: string
  readonly uid?: string
  readonly file: string
  readonly line: number
}

/** Custom resources with what a user must know about them. */
export interface ReadResources {
  readonly resources: readonly CustomResource[]
  readonly warnings: readonly Diagnostic[]
  readonly notes: readonly Diagnostic[]
}

interface Collected {
  readonly resources: CustomResource[]
  readonly errors: Diagnostic[]
  readonly warnings: Diagnostic[]
  readonly notes: Diagnostic[]
}

/** Reads custom resources of these kinds from files. Throws `input-invalid` with the errors of all files. */
export function readCustomResources(
  files: readonly InputFile[],
  kinds: readonly WatchedKind[],
  namespace?: string,
): ReadResources {
  const collected: Collected = {resources: [], errors: [], warnings: [], notes: []}
  for (const {name, bytes} of files) {
    const documents = readYaml(bytes, name)
    if (documents.length === 0) collected.errors.push(problem('cr-missing', `${name} has no objects`, name))
    for (const document of documents) readDocument({name, document, namespace}, kinds, collected)
  }
  const {errors, ...read} = collected
  if (errors.length === 0) return read
  throw new CrossplaneError('input-invalid', 'cannot read the custom resources: invalid content', {
    diagnostics: errors,
  })
}

interface Source {
  readonly name: string
  readonly document: YamlDocument
  readonly watched: WatchedKind
  readonly namespace?: string
}

function problem(rule: string, message: string, file: string, line?: number, field?: string): Diagnostic {
  return {severity: 'error', rule, message, file, ...(line && {line}), ...(field && {field})}
}

function readDocument(
  given: Omit<Source, 'watched'>,
  kinds: readonly WatchedKind[],
  {resources, errors, warnings, notes}: Collected,
): void {
  const object = asObject(given.document.value)
  const watched = kinds.find(each => isKind(each, object))
  if (watched === undefined) {
    errors.push(kindError(given, kinds, object))
    return
  }
  const source = {...given, watched}
  const problems = [...versionErrors(source, object), ...placeErrors(source, object)]
  errors.push(...problems)
  if (problems.length > 0) return
  const admitted = admit(source, object)
  errors.push(...admitted.errors)
  warnings.push(...admitted.warnings)
  notes.push(...convertedNote(source, object), ...defaultNamespaceNote(source, object))
  const resource = resourceOf(source, admitted.object)
  errors.push(...duplicateError(resource, resources))
  resources.push(resource)
}

function at(
  {name, document}: Omit<Source, 'watched'>,
  rule: string,
  path: FieldPath,
  message: string,
): Diagnostic {
  return problem(rule, message, name, document.lineOf(path), formatPath(path))
}

function isKind({group, kind}: WatchedKind, object: JsonObject): boolean {
  return asText(object.kind) === kind && groupOf(asText(object.apiVersion)) === group
}

function kindError(
  source: Omit<Source, 'watched'>,
  kinds: readonly WatchedKind[],
  {apiVersion, kind}: JsonObject,
): Diagnostic {
  const given = asText(kind) === '' ? 'not a Kubernetes object' : `a ${asText(kind)} of ${asText(apiVersion)}`
  const rendered = listSome(kinds.map(each => `${each.kind} of ${each.apiVersion}`))
  return at(source, 'cr-kind', ['kind'], `this is ${given}; the package renders ${rendered}`)
}

function versionErrors(source: Source, {apiVersion}: JsonObject): readonly Diagnostic[] {
  const {versions} = source.watched
  const given = asText(apiVersion)
  const version = versionOf(given)
  if (versions.includes(version)) return []
  const message = `version ${quoted(version)} is not served; the CRD serves ${versions.join(', ')}`
  return [at(source, 'cr-version', ['apiVersion'], message)]
}

function placeErrors(source: Source, {metadata}: JsonObject): readonly Diagnostic[] {
  const {name, namespace} = asObject(metadata)
  if (asText(name) === '')
    return [at(source, 'cr-name', ['metadata', 'name'], 'metadata.name must be a text')]
  if (namespace !== undefined && typeof namespace !== 'string')
    return [at(source, 'cr-namespace', ['metadata', 'namespace'], 'metadata.namespace must be a text')]
  if (source.watched.scope === 'Cluster' && asText(namespace) !== '') {
    const message = `${source.watched.kind} is cluster-scoped, but metadata.namespace is set`
    return [at(source, 'cr-namespace', ['metadata', 'namespace'], message)]
  }
  return []
}

interface Admitted {
  readonly object: JsonObject
  readonly errors: readonly Diagnostic[]
  readonly warnings: readonly Diagnostic[]
}

/** Does what an API server does with an object: it drops unknown fields, adds defaults and validates the result. */
function admit(source: Source, given: JsonObject): Admitted {
  const {schema} = source.watched
  if (schema === undefined) return {object: given, errors: [], warnings: []}
  const pruned = prunedFields(given, schema)
  const kept = pruned.reduce<JsonObject>(withoutField, given)
  const {rejected} = checkInstance(kept, schema)
  return {
    object: withDefaults(kept, schema),
    errors: rejected.map(({field, message}) =>
      at(source, 'cr-invalid', parsePath(field), `${field}: ${message}`),
    ),
    warnings: pruned.map(path => ({
      ...at(source, 'cr-pruned', path, `${formatPath(path)} is not in the schema: an API server drops it`),
      severity: 'warning' as const,
    })),
  }
}

function resourceOf(
  {name: file, document, watched, namespace: flag}: Source,
  object: JsonObject,
): CustomResource {
  const metadata = asObject(object.metadata)
  const given = asText(metadata.namespace)
  const namespace = given === '' && watched.scope === 'Namespaced' ? (flag ?? DEFAULT_NAMESPACE) : given
  const place: {namespace?: string} = namespace === '' ? {} : {namespace}
  const uid = asText(metadata.uid)
  return {
    object: {
      ...object,
      apiVersion: watched.apiVersion,
      metadata: {...metadata, ...(namespace === '' ? null : {namespace})},
    },
    given: asObject(document.value),
    name: asText(metadata.name),
    ...place,
    ...(uid === '' ? {} : {uid}),
    file,
    line: document.line,
  }
}

/** The namespace into which kubectl applies an object without one. */
const DEFAULT_NAMESPACE = 'default'

function defaultNamespaceNote(
  {name, document, watched, namespace}: Source,
  {metadata}: JsonObject,
): Diagnostic[] {
  if (watched.scope !== 'Namespaced' || namespace !== undefined) return []
  if (asText(asObject(metadata).namespace) !== '') return []
  const message = `${watched.kind} ${asText(asObject(metadata).name)} has no namespace: ${DEFAULT_NAMESPACE} is used`
  return [{severity: 'note', rule: 'cr-default-namespace', message, file: name, line: document.line}]
}

function convertedNote({name, document, watched}: Source, {apiVersion}: JsonObject): Diagnostic[] {
  if (apiVersion === watched.apiVersion) return []
  const message = `${asText(apiVersion)} is read as ${watched.apiVersion}, the version that behavior.yaml names`
  return [{severity: 'note', rule: 'cr-converted', message, file: name, line: document.line}]
}

function duplicateError(resource: CustomResource, before: readonly CustomResource[]): Diagnostic[] {
  const earlier = before.find(each => isSame(each, resource))
  if (earlier === undefined) return []
  const message = `${resource.name} is already given in ${earlier.file}:${earlier.line}`
  return [problem('cr-duplicate', message, resource.file, resource.line)]
}

function isSame(one: CustomResource, other: CustomResource): boolean {
  return objectKey(nameOf(one.object)) === objectKey(nameOf(other.object))
}
