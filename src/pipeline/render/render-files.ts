import {CrossplaneError} from '../../errors.js'
import {type PackageReference, parsePackageImage} from '../../reference/package-reference.js'
import {isDnsLabel} from '../../reference/kubernetes-names.js'
import {recordId, scopeOf} from '../../render/expand-record.js'
import type {InstallSet, Warning} from '../../render/install-set.js'
import type {Era} from '../../render/era.js'
import {recordOfDefinition} from '../../render/package-record.js'
import {renderRecord} from '../../render/render-install.js'
import type {InstallRequest} from '../../render/request.js'
import {type InputFile, readWrittenInput, type WrittenInput} from '../../render/written-input.js'
import type {KubernetesObject} from '../../unpack/kubernetes-object.js'
import {writeJson} from '../../yaml/write-yaml.js'
import {crdsOfRecord} from './find-crds.js'
import {locatePackage} from '../locate/locate-package.js'
import {packagesAtHand} from '../locate/packages-at-hand.js'
import type {PackagePorts} from '../locate/located-package.js'
import {installPart, type Part, type RenderChoices, setOf} from './render-part.js'
import {type RequestParameters, resolveInstall} from './resolve-install.js'

/** A question for the install set of what a person wrote. */
export interface RenderFiles {
  readonly files: readonly InputFile[]
  /** That of objects which name none. */
  readonly namespace?: string
  /** That of requests for Cluster packages, where neither they nor `namespace` name one. */
  readonly systemNamespace: string
  readonly pin: boolean
}

/** The set of what requests and records in files ask for. Throws `input-invalid` where they ask for nothing. */
export async function renderFiles(
  query: RenderFiles,
  choices: RenderChoices,
  ports: PackagePorts,
): Promise<InstallSet> {
  const input = readWrittenInput(query.files)
  if (query.namespace !== undefined && !isDnsLabel(query.namespace)) throw badNamespace(query.namespace)
  if (input.requests.length + input.records.length === 0) throw nothingAsked(query.files)
  const requested = await renderRequests(input, query, choices, ports)
  const written = await renderRecords(input, query, choices, ports)
  const warnings = [...input.warnings, ...requested.warnings]
  return setOf(choices, [...requested.parts, ...written], warnings)
}

/** An empty set would empty an output folder: a template that failed upstream must not do that. */
function nothingAsked(files: readonly InputFile[]): CrossplaneError {
  const message = 'there is neither an install request nor a package record'
  return new CrossplaneError('input-invalid', 'the files given with -f ask for nothing', {
    faults: files.map(({name}) => ({rule: 'input-empty', message, file: name})),
  })
}

function badNamespace(namespace: string): CrossplaneError {
  return new CrossplaneError('usage', `--namespace ${JSON.stringify(namespace)} cannot name a namespace`)
}

async function renderRequests(
  input: WrittenInput,
  query: RenderFiles,
  choices: RenderChoices,
  ports: PackagePorts,
): Promise<{parts: Part[]; warnings: Warning[]}> {
  const parts: Part[] = []
  const warnings: Warning[] = []
  for (const {era, request} of input.requests) {
    const located = await locatePackage(requestedImage(request), ports)
    const resolved = resolveInstall(era, located, parametersOf(request, query))
    parts.push(installPart(era, resolved.install, choices))
    warnings.push(...resolved.warnings)
  }
  return {parts, warnings}
}

function parametersOf(
  {package: reference, namespace, labels, annotations, ...request}: InstallRequest,
  query: RenderFiles,
): RequestParameters {
  const placed = namespace === '' ? query.namespace : namespace
  return {
    ...request,
    pin: query.pin,
    systemNamespace: query.systemNamespace,
    ...(placed === undefined ? {} : {namespace: placed}),
    written: {
      ...(reference === undefined ? {} : {package: reference}),
      ...(labels === undefined ? {} : {labels}),
      ...(annotations === undefined ? {} : {annotations}),
    },
  }
}

function requestedImage({package: reference, name}: InstallRequest): PackageReference {
  if (reference !== undefined) return {kind: 'image', name: parsePackageImage(reference)}
  throw new CrossplaneError(
    'unsupported',
    `the request ${name} asks for a CRD, and only requests for a package are rendered`,
    {suggestions: ['Name the package that owns the CRD in spec.package.']},
  )
}

async function renderRecords(
  input: WrittenInput,
  query: RenderFiles,
  choices: RenderChoices,
  ports: PackagePorts,
): Promise<Part[]> {
  const atHand = packagesAtHand(ports)
  const parts: Part[] = []
  const placedRecords = input.records.map(({era, record}) => ({
    era,
    record: placeRecord(record, query.namespace),
  }))
  for (const {era, record: placed} of placedRecords) {
    if (isOfDefinition(era, placed, placedRecords)) continue
    const crds = await crdsOfRecord(era, placed, input.crds, atHand)
    const objects = renderRecord({era, record: placed, crds}, choices)
    parts.push({era, scope: scopeOf(placed), ...recordId(placed), objects})
  }
  return parts
}

function placeRecord(record: KubernetesObject, namespace: string | undefined): KubernetesObject {
  const placed = record.metadata.namespace ?? namespace
  if (placed !== undefined) return {...record, metadata: {...record.metadata, namespace: placed}}
  throw new CrossplaneError('usage', `${record.kind} ${record.metadata.name} names no namespace`, {
    suggestions: ['Add metadata.namespace, or pass --namespace NAME.'],
  })
}

/** A definition makes its record; a person may have written down both. */
function isOfDefinition(
  era: Era,
  record: KubernetesObject,
  all: readonly {readonly era: Era; readonly record: KubernetesObject}[],
): boolean {
  const definitions = all.filter(each => each.era === era && each.record.kind === era.kinds.definition)
  return definitions.some(each => writeJson(recordOfDefinition(era, each.record)) === writeJson(record))
}
