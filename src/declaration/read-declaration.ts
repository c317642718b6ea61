import {CrossplaneError, type Fault} from '../errors.js'
import {parseImageName} from '../reference/image-name.js'
import {isImageSource} from '../reference/image-source.js'
import {isCrdName} from '../reference/install-target.js'
import {isDnsLabel, isDnsSubdomain, isQualifiedName} from '../reference/kubernetes-names.js'
import {canonicalSource} from '../reference/mirrors.js'
import {isLocalPath} from '../reference/package-reference.js'
import {PULL_POLICIES} from '../reference/pull-policy.js'
import {
  documentsIn,
  errorAt,
  faultAt,
  type Findings,
  readPart,
  type SourceDocument,
  type TypedPart,
} from '../unpack/findings.js'
import type {GoTypes} from '../unpack/go/go-types.js'
import {
  asObject,
  asObjects,
  asText,
  asTexts,
  type FieldPath,
  formatPath,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../yaml/json-value.js'
import type {Declaration, DeclaredPackage, DeclaredParameters} from './declaration.js'
import {mergeMarks} from './merge-marks.js'
import {asError} from './as-error.js'

const DECLARATION_API_VERSION = 'packages.kubectl-crossplane.dev/v1alpha1'
const DECLARATION_KIND = 'PackageDeclaration'

const TYPES: GoTypes = {
  Declaration: {
    apiVersion: 'string?',
    kind: 'string?',
    defaultSource: 'string?',
    registries: 'map:string?',
    indexes: 'list:string?',
    systemNamespace: 'string?',
    dependencyNamespace: 'string?',
    owners: 'map:string?',
    packages: 'list:DeclaredPackage?',
  },
  DeclaredPackage: {
    package: 'string?',
    crd: 'string?',
    namespace: 'string?',
    name: 'string?',
    parameters: 'Parameters*',
  },
  Parameters: {
    source: 'string?',
    imagePullPolicy: 'string?',
    imagePullSecrets: 'list:string?',
    serviceAccountAnnotations: 'map:string?',
  },
}

/**
 * Reads a declaration. `name` is the file's for messages. Throws `input-invalid` with everything that is wrong with it,
 * by file and line; a field that is none is wrong, too, because it was meant to say something.
 */
export function readDeclaration(name: string, bytes: Uint8Array): Declaration {
  const unmerged = mergeMarks(name, bytes, 'declaration-merge')
  if (unmerged.length > 0) throw invalid(name, unmerged, 'Finish the merge, and lock what is wanted then.')
  const findings: Findings = {errors: [], warnings: []}
  const [document, ...others] = documentsIn(name, bytes, findings)
  if (document === undefined && findings.errors.length === 0) {
    findings.errors.push({rule: 'declaration-empty', message: 'the file is empty', file: name})
  }
  for (const other of others) {
    findings.errors.push(faultAt(other, 'declaration-documents', [], 'a declaration is one document'))
  }
  const declaration = document === undefined ? EMPTY : readDocument(document, findings)
  const wrong = findings.warnings.map(asError)
  const faults = [...findings.errors, ...wrong].sort((a, b) => (a.line ?? 0) - (b.line ?? 0))
  if (faults.length === 0) return declaration
  throw invalid(name, faults, 'docs/declaration.md explains what a declaration says.')
}

function invalid(name: string, faults: readonly Fault[], suggestion: string): CrossplaneError {
  const found = faults.length === 1 ? 'one fault' : `${faults.length} faults`
  return new CrossplaneError('input-invalid', `reading the declaration ${name} found ${found}`, {
    faults,
    suggestions: [suggestion],
  })
}

const EMPTY: Declaration = {owners: [], registries: {}, indexes: [], packages: []}

function readDocument(document: SourceDocument, findings: Findings): Declaration {
  const as = {type: 'Declaration', types: TYPES, scalars: 'strict'} as const
  const part = readPart(document, [], document.yaml.value, as, findings)
  const {fields} = part
  const checker = new Checker(document, part, findings)
  if (!isJsonObject(document.yaml.value)) return EMPTY
  checker.is(
    ['apiVersion'],
    asText(fields.apiVersion) === DECLARATION_API_VERSION,
    `must be ${DECLARATION_API_VERSION}`,
  )
  checker.is(['kind'], asText(fields.kind) === DECLARATION_KIND, `must be ${DECLARATION_KIND}`)
  const packages = asObjects(fields.packages)
  checker.is(['packages'], packages.length > 0, 'must name at least one package or CRD')
  checker.namespace(['systemNamespace'], fields.systemNamespace)
  checker.namespace(['dependencyNamespace'], fields.dependencyNamespace)
  checker.source(['defaultSource'], fields.defaultSource)
  checker.owners(asObject(fields.owners))
  checker.registries(asObject(fields.registries))
  checker.indexes(asTexts(fields.indexes))
  packages.forEach((each, index) => checker.declared(['packages', index], each))
  checker.noneTwice(packages)
  return {
    ...texts(fields, ['defaultSource', 'systemNamespace', 'dependencyNamespace']),
    registries: asObject(fields.registries) as Record<string, string>,
    indexes: asTexts(fields.indexes),
    owners: Object.entries(asObject(fields.owners)).map(([group, owner]) => ({
      group,
      package: asText(owner),
    })),
    packages: packages.map(declaredPackage),
  }
}

function declaredPackage(fields: JsonObject): DeclaredPackage {
  return {
    ...texts(fields, ['package', 'crd', 'namespace', 'name']),
    parameters: declaredParameters(asObject(fields.parameters)),
  }
}

function declaredParameters(fields: JsonObject): DeclaredParameters {
  const imagePullPolicy = PULL_POLICIES.find(policy => policy === fields.imagePullPolicy)
  return {
    ...texts(fields, ['source']),
    ...(imagePullPolicy === undefined ? {} : {imagePullPolicy}),
    imagePullSecrets: asTexts(fields.imagePullSecrets),
    serviceAccountAnnotations: asObject(fields.serviceAccountAnnotations) as Record<string, string>,
  }
}

function texts<Name extends string>(fields: JsonObject, names: readonly Name[]): {[N in Name]?: string} {
  const given = names.filter(name => typeof fields[name] === 'string')
  return Object.fromEntries(given.map(name => [name, asText(fields[name])])) as {[N in Name]?: string}
}

const GROUP = /^(?:\*\.)?[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/

/** Whether a text is an API group that packages may own, or `*.` and what such groups end in. */
export function isGroupPattern(text: string): boolean {
  return GROUP.test(text)
}

function isRepository(text: string): boolean {
  const name = parseImageName(text)
  return name !== undefined && name.tag === undefined && name.digest === undefined
}

/** Notes what is wrong with the values of a document. */
class Checker {
  readonly #document: SourceDocument
  readonly #part: TypedPart
  readonly #findings: Findings

  constructor(document: SourceDocument, part: TypedPart, findings: Findings) {
    this.#document = document
    this.#part = part
    this.#findings = findings
  }

  /** A value that was refused already has its fault. */
  is(path: FieldPath, holds: boolean, message: string): void {
    if (holds || this.#part.isRefused(path)) return
    const problem = {rule: 'declaration-value', path, message: `${formatPath(path)} ${message}`}
    errorAt(this.#document, problem, this.#findings)
  }

  #given(
    path: FieldPath,
    value: JsonValue | undefined,
    holds: (text: string) => boolean,
    message: string,
  ): void {
    const text = asText(value)
    if (text !== '') this.is(path, holds(text), `${JSON.stringify(text)} ${message}`)
  }

  namespace(path: FieldPath, value: JsonValue | undefined): void {
    this.#given(path, value, isDnsLabel, 'cannot name a namespace')
  }

  source(path: FieldPath, value: JsonValue | undefined): void {
    this.#given(path, value, isImageSource, 'is no registry: HOST[:PORT][/PATH], without a tag')
  }

  owners(owners: JsonObject): void {
    for (const [group, owner] of Object.entries(owners)) {
      const path = ['owners', group]
      this.is(path, isGroupPattern(group), 'is no API group, and no *. before what groups end in')
      const repository = asText(owner)
      this.is(
        path,
        isRepository(repository),
        `${JSON.stringify(repository)} is no repository: [HOST/]PATH in lower case, without a tag`,
      )
    }
  }

  indexes(indexes: readonly string[]): void {
    indexes.forEach((index, place) => {
      const path = ['indexes', place]
      this.is(
        path,
        isLocalPath(index) || isRepository(index),
        `${JSON.stringify(index)} is no index: a repository [HOST/]PATH without a tag, or a file as ./FILE`,
      )
      const first = indexes.indexOf(index)
      this.is(path, first === place, `is the same as indexes[${first}]`)
    })
  }

  registries(registries: JsonObject): void {
    const seen = new Map<string, string>()
    for (const [registry, target] of Object.entries(registries)) {
      const path = ['registries', registry]
      const mirror = asText(target)
      const isMirror = isImageSource(mirror)
      this.is(path, isMirror, `${JSON.stringify(mirror)} is no registry: HOST[:PORT][/PATH], without a tag`)
      this.is(path, isImageSource(registry), 'is no registry')
      const first = seen.get(canonicalSource(registry))
      seen.set(canonicalSource(registry), first ?? registry)
      this.is(path, first === undefined, `is the same registry as ${first ?? ''}`)
    }
  }

  declared(at: FieldPath, fields: JsonObject): void {
    const isOne = (fields.package === undefined) !== (fields.crd === undefined)
    this.is(at, isOne, 'must name either a package or a crd')
    this.#given(
      [...at, 'package'],
      fields.package,
      text => parseImageName(text) !== undefined,
      'is no package: [HOST/]PATH[:TAG][@sha256:DIGEST] in lower case',
    )
    this.#given([...at, 'crd'], fields.crd, isCrdName, 'names no CRD: RESOURCE.GROUP[/VERSION]')
    this.namespace([...at, 'namespace'], fields.namespace)
    this.#given([...at, 'name'], fields.name, isDnsSubdomain, 'cannot name an install')
    this.#parameters([...at, 'parameters'], asObject(fields.parameters))
  }

  #parameters(at: FieldPath, fields: JsonObject): void {
    this.source([...at, 'source'], fields.source)
    this.#given(
      [...at, 'imagePullPolicy'],
      fields.imagePullPolicy,
      text => PULL_POLICIES.some(policy => policy === text),
      `is none of ${PULL_POLICIES.join(', ')}`,
    )
    asTexts(fields.imagePullSecrets).forEach((secret, index) => {
      this.is(
        [...at, 'imagePullSecrets', index],
        isDnsSubdomain(secret),
        `${JSON.stringify(secret)} cannot name a secret`,
      )
    })
    for (const key of Object.keys(asObject(fields.serviceAccountAnnotations))) {
      const path = [...at, 'serviceAccountAnnotations', key]
      this.is(path, isQualifiedName(key), 'is no key of an annotation')
    }
  }

  /** The same wish twice is a mistake: one of the two was meant to differ. */
  noneTwice(packages: readonly JsonObject[]): void {
    const seen = new Map<string, number>()
    packages.forEach(({package: reference, crd, namespace, name}, index) => {
      const key = [reference, crd, namespace, name].map(asText).join('\0')
      const first = seen.get(key)
      seen.set(key, first ?? index)
      this.is(['packages', index], first === undefined, `is the same as packages[${first ?? ''}]`)
    })
  }
}
