import type {Diagnostic} from '../../diagnostic.js'
import {CrossplaneError} from '../../errors.js'
import {present} from '../../present.js'
import type {ImageName} from '../../reference/image-name.js'
import {parsePackageImage} from '../../reference/package-reference.js'
import {isDnsLabel} from '../../reference/kubernetes-names.js'
import {recordId, scopeOf} from '../../render/expand-record.js'
import type {InstallSet} from '../../render/install-set.js'
import type {Era} from '../../render/era.js'
import {recordOfDefinition} from '../../render/package-record.js'
import {renderRecord} from '../../render/render-install.js'
import type {InstallRequest} from '../../render/request.js'
import {type InputFile, readWrittenInput, type WrittenInput} from '../../render/written-input.js'
import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import {shellWord} from '../../text.js'
import {writeJson} from '../../yaml/write-yaml.js'
import {crdsOfRecord} from './find-crds.js'
import {expectFormat} from '../../locate/expect-format.js'
import {locatePackage} from '../../locate/locate-package.js'
import {availablePackages} from '../../locate/available-packages.js'
import type {LocatedPackage, PackagePorts} from '../../locate/located-package.js'
import type {ResolutionPolicy} from '../../resolve/packages/resolution-policy.js'
import {installPart, type Part, type RenderChoices, setOf} from '../../render/render-part.js'
import {engineWarnings, withTemplates} from './with-templates.js'
import type {CrdRequest, RequestedOwners} from './requested-crds.js'
import {type RequestParameters, resolveInstall, resolveRequest} from '../../render/resolve-install.js'

/** A query for the install set of requests and records in files. */
export interface RenderFiles {
  readonly files: readonly InputFile[]
  /** The namespace of objects without one. */
  readonly namespace?: string
  /** The namespace of requests for Cluster packages, if neither they nor `namespace` name one. */
  readonly systemNamespace: string
  /** The policy for selecting the packages of requests that name a CRD; only read if there is such a request. */
  readonly policy: () => Promise<ResolutionPolicy>
  /** Checks a package before it is read. */
  readonly expectAllowed?: (name: ImageName) => void
}

/** A part of a set of files; one of a record has no package that was read. */
export interface FilePart extends Part {
  readonly located?: {readonly located: LocatedPackage; readonly version: string}
}

/** The parts of a set, with what is to be said of them. */
export interface FileParts {
  readonly parts: readonly FilePart[]
  readonly warnings: readonly Diagnostic[]
  readonly notes: readonly Diagnostic[]
}

/**
 * Renders the requests and records in files, with notes where packages were selected. Throws `input-invalid`
 * if there are none.
 */
export async function renderFiles(
  query: RenderFiles,
  choices: RenderChoices,
  ports: PackagePorts,
): Promise<InstallSet & {readonly notes: readonly Diagnostic[]}> {
  const {parts, warnings, notes} = await fileParts(query, choices, ports)
  return {...setOf(choices, parts, warnings), notes}
}

/** Renders the requests and records in files one by one. Throws as `renderFiles` does. */
export async function fileParts(
  query: RenderFiles,
  choices: RenderChoices,
  ports: PackagePorts,
): Promise<FileParts> {
  rejectDeclaration(query.files)
  const input = readWrittenInput(query.files)
  if (query.namespace !== undefined && !isDnsLabel(query.namespace)) throw badNamespace(query.namespace)
  if (input.requests.length + input.records.length === 0) throw emptyInput(query.files)
  const requested = await renderRequests(input, query, choices, ports)
  const parts = await renderRecords(input, query, choices, ports)
  const {warnings, notes} = requested
  return {parts: [...requested.parts, ...parts], warnings: [...input.warnings, ...warnings], notes}
}

/** A declaration lists what to resolve; `-f` reads objects. */
function rejectDeclaration(files: readonly InputFile[]): void {
  const declaration = files.find(({bytes}) =>
    /^["']?kind["']?:\s*["']?PackageDeclaration\b/m.test(Buffer.from(bytes).toString()),
  )
  if (declaration === undefined) return
  throw new CrossplaneError(
    'usage',
    `${declaration.name} is a declaration, but -f reads requests and records`,
    {
      suggestions: [`kubectl crossplane package render --declaration ${shellWord(declaration.name)}`],
    },
  )
}

/** An empty set would empty an output folder: a template that failed before must not do that. */
function emptyInput(files: readonly InputFile[]): CrossplaneError {
  const message = 'no install request and no package record'
  const [only, ...others] = files.map(({name}) => name)
  const name = only !== undefined && others.length === 0 ? `${only}: ${message}` : 'the files given with -f'
  return new CrossplaneError('input-invalid', `cannot render ${name}`, {
    diagnostics: files.map(file => ({severity: 'error', rule: 'input-empty', message, file: file.name})),
  })
}

function badNamespace(namespace: string): CrossplaneError {
  return new CrossplaneError('usage', `--namespace ${JSON.stringify(namespace)} is not a valid namespace`)
}

async function renderRequests(
  input: WrittenInput,
  query: RenderFiles,
  choices: RenderChoices,
  ports: PackagePorts,
): Promise<FileParts> {
  const parts: FilePart[] = []
  const warnings: Diagnostic[] = []
  const placed = input.requests.map(({era, request}) => ({era, request: placeRequest(request, query)}))
  const {owners, notes} = await selectedOwners(
    placed.map(({request}) => request),
    query,
    ports,
  )
  for (const {era, request} of placed) {
    const parameters = {...parametersOf(request, query), pin: choices.pin}
    const owner = owners.get(request)
    const located = owner?.located ?? (await requestedPackage(request, query, ports))
    const resolved =
      owner === undefined
        ? resolveInstall(era, located, parameters)
        : resolveRequest(era, located, owner.package, parameters)
    const planned = {...resolved.install, requiredPlurals: owner?.requiredPlurals}
    const install = await withTemplates(planned, located, choices, ports)
    const part = installPart(era, install, {mode: 'requested', for: {}}, choices)
    parts.push({...part, located: {located, version: planned.version}})
    warnings.push(...resolved.warnings, ...engineWarnings(planned, choices))
  }
  return {parts, warnings, notes}
}

/** Loads the selection of packages only if it is needed: a request that names its package needs no selection. */
async function selectedOwners(
  requests: readonly InstallRequest[],
  query: RenderFiles,
  ports: PackagePorts,
): Promise<RequestedOwners> {
  const open = requests.filter(request => namesCrd(request))
  const [first] = open
  if (first === undefined) return {owners: new Map(), notes: []}
  if (ports.folder === undefined && ports.indexes === undefined) throw nowhereToLook(first)
  const {ownersOfRequests} = await import('./requested-crds.js')
  return await ownersOfRequests(open, await query.policy(), ports)
}

function namesCrd(request: InstallRequest): request is CrdRequest {
  return request.crd !== undefined
}

function nowhereToLook({name, crd}: CrdRequest): CrossplaneError {
  return new CrossplaneError(
    'usage',
    `the request ${name} requires a package that provides ${crd}, but neither packages nor an index are given`,
    {suggestions: ['Pass --packages DIR or --index ROOT, or name the package in spec.package.']},
  )
}

function placeRequest(request: InstallRequest, query: RenderFiles): InstallRequest {
  return request.namespace === '' ? {...request, namespace: query.namespace ?? ''} : request
}

function parametersOf(
  {package: reference, crd, namespace, labels, annotations, ...request}: InstallRequest,
  query: RenderFiles,
): Omit<RequestParameters, 'pin'> {
  return {
    ...request,
    systemNamespace: query.systemNamespace,
    ...(namespace === '' ? {} : {namespace}),
    requestFields: {
      ...present({package: reference, crd, labels, annotations}),
    },
  }
}

async function requestedPackage(
  {package: reference = ''}: InstallRequest,
  {expectAllowed}: RenderFiles,
  ports: PackagePorts,
): Promise<LocatedPackage> {
  const name = parsePackageImage(reference)
  expectAllowed?.(name)
  return expectFormat(await locatePackage({kind: 'image', name}, ports), 'stack')
}

async function renderRecords(
  input: WrittenInput,
  query: RenderFiles,
  choices: RenderChoices,
  ports: PackagePorts,
): Promise<Part[]> {
  const available = availablePackages(ports)
  const parts: Part[] = []
  const placedRecords = input.records.map(({era, record}) => ({
    era,
    record: placeRecord(record, query.namespace),
  }))
  for (const {era, record: placed} of placedRecords) {
    if (isOfDefinition(era, placed, placedRecords)) continue
    const crds = await crdsOfRecord(era, placed, input.crds, available)
    const objects = renderRecord({era, record: placed, crds}, choices)
    const install = {
      ...recordId(placed),
      era: era.name,
      scope: scopeOf(placed),
      mode: 'requested',
      for: {},
    } as const
    parts.push({install, objects})
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

/** A definition makes its record; the input may contain both. */
function isOfDefinition(
  era: Era,
  record: KubernetesObject,
  all: readonly {readonly era: Era; readonly record: KubernetesObject}[],
): boolean {
  const definitions = all.filter(part => part.era === era && part.record.kind === era.kinds.definition)
  return definitions.some(
    definition => writeJson(recordOfDefinition(era, definition.record)) === writeJson(record),
  )
}
