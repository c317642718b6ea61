import type {KubernetesObject} from '../unpack/kubernetes-object.js'
import {CrossplaneError} from '../errors.js'
import type {Platform} from '../fetch/platform.js'
import {parsePackageImage, parsePackageReference} from '../reference/package-reference.js'
import {assembleInstallSet} from '../render/assemble.js'
import {baseObjects} from '../render/base.js'
import {recordId, scopeOf} from '../render/expand-record.js'
import type {Era} from '../render/era.js'
import type {InstallSet, SetObject, Warning} from '../render/install-set.js'
import {namespaceObjects} from '../render/namespaces.js'
import type {Install} from '../render/package-record.js'
import {renderInstall, type RenderOptions, renderRecord} from '../render/render-install.js'
import {type InputFile, readWrittenInput, type WrittenInput} from '../render/written-input.js'
import type {PermissionScope} from '../unpack/package.js'
import {readPackage} from '../unpack/read-package.js'
import {type CrdOwner, crdsOfRecord} from './find-crds.js'
import {locatePackage, type LocateOptions} from './locate-package.js'
import type {PackageFolder, PackageSources} from './package-sources.js'
import {type RequestParameters, resolveInstall} from './resolve-install.js'

/** A question for the install set of one package. */
interface RenderPackage {
  readonly reference: string
  readonly asPackage?: string
  readonly parameters: RequestParameters
}

/** A question for the install set of what a person wrote; `namespace` is that of objects which name none. */
interface RenderFiles {
  readonly files: readonly InputFile[]
  readonly namespace?: string
  readonly pin: boolean
}

export type RenderQuery = RenderPackage | RenderFiles

export interface RenderChoices extends RenderOptions {
  readonly era: Era
  readonly base: boolean
  readonly createNamespace: boolean
}

export interface RenderPorts {
  readonly sources: PackageSources
  readonly folder?: PackageFolder
  /** Which image of several to read. */
  readonly platform?: Platform
}

/** The install set that a question asks for. */
export async function render(
  query: RenderQuery,
  choices: RenderChoices,
  ports: RenderPorts,
): Promise<InstallSet> {
  return 'files' in query
    ? await renderFiles(query, choices, ports)
    : await renderPackage(query, choices, ports)
}

/** Parse, fetch, unpack, resolve, render: one package as the set of objects that installing it means. */
async function renderPackage(
  query: RenderPackage,
  choices: RenderChoices,
  ports: RenderPorts,
): Promise<InstallSet> {
  const {asPackage, parameters} = query
  const options = {...ports, ...(asPackage === undefined ? {} : {asPackage: parsePackageImage(asPackage)})}
  const located = await locatePackage(parsePackageReference(query.reference), options)
  const {install, warnings} = resolveInstall(choices.era, located, parameters)
  refuseUnnamedRequest(install, choices)
  return setOf(choices, [installPart(choices.era, install, choices)], warnings)
}

/** The set of what requests and records in files ask for. */
async function renderFiles(
  query: RenderFiles,
  choices: RenderChoices,
  ports: RenderPorts,
): Promise<InstallSet> {
  const input = readWrittenInput(query.files)
  const requested = await renderRequests(input, query, choices, ports)
  const written: Part[] = []
  for (const {era, record} of input.records) {
    const placed = placeRecord(record, query.namespace)
    const crds = await crdsOfRecord(era, placed, input.crds, () => packagesAtHand(ports))
    const objects = renderRecord({era, record: placed, crds}, choices)
    written.push({era, scope: scopeOf(placed), ...recordId(placed), objects})
  }
  return setOf(choices, [...requested.parts, ...written], [...input.warnings, ...requested.warnings])
}

/** What one install brings to a set. */
interface Part {
  readonly era: Era
  readonly scope: PermissionScope
  readonly namespace: string
  readonly name: string
  readonly objects: readonly SetObject[]
}

function installPart(era: Era, install: Install, choices: RenderChoices): Part {
  const {scope, namespace, name} = install.request
  return {era, scope, namespace, name, objects: renderInstall(era, install, choices)}
}

function setOf(
  {base, createNamespace}: RenderChoices,
  parts: readonly Part[],
  warnings: readonly Warning[],
): InstallSet {
  const eras = [...new Set(parts.map(part => part.era))]
  const namespaces = createNamespace
    ? parts.flatMap(part => namespaceObjects(part.namespace, part.scope))
    : []
  return assembleInstallSet(
    parts.map(({namespace, name}) => ({namespace, name})),
    [...namespaces, ...(base ? eras.flatMap(baseObjects) : []), ...parts.flatMap(part => part.objects)],
    warnings,
  )
}

function refuseUnnamedRequest({request}: Install, {includeRequest}: RenderChoices): void {
  if (!includeRequest || request.package !== undefined) return
  throw new CrossplaneError(
    'reference-incomplete',
    'a request names a package by reference, and a local one has none',
    {
      suggestions: ['Pass --as-package REPOSITORY:TAG to say what it would be pulled as.'],
    },
  )
}

async function renderRequests(
  input: WrittenInput,
  {namespace, pin}: RenderFiles,
  choices: RenderChoices,
  ports: RenderPorts,
): Promise<{parts: Part[]; warnings: Warning[]}> {
  const parts: Part[] = []
  const warnings: Warning[] = []
  for (const {era, request} of input.requests) {
    const located = await locatePackage(
      requestedImage(request.package, request.name),
      ports satisfies LocateOptions,
    )
    const placed = request.namespace === '' ? (namespace ?? '') : request.namespace
    const parameters = {
      ...request,
      pin,
      systemNamespace: placed,
      ...(placed === '' ? {namespace: undefined} : {namespace: placed}),
    }
    const resolved = resolveInstall(era, located, parameters)
    parts.push(
      installPart(
        era,
        {...resolved.install, request: {...resolved.install.request, package: request.package}},
        choices,
      ),
    )
    warnings.push(...resolved.warnings)
  }
  return {parts, warnings}
}

function requestedImage(
  reference: string | undefined,
  name: string,
): ReturnType<typeof parsePackageReference> {
  if (reference !== undefined) return {kind: 'image', name: parsePackageImage(reference)}
  throw new CrossplaneError(
    'unsupported',
    `the request ${name} asks for a CRD, and only requests for a package are rendered`,
    {
      suggestions: ['Name the package that owns the CRD in spec.package.'],
    },
  )
}

function placeRecord(record: KubernetesObject, namespace: string | undefined): KubernetesObject {
  const placed = record.metadata.namespace ?? namespace
  if (placed !== undefined) return {...record, metadata: {...record.metadata, namespace: placed}}
  throw new CrossplaneError('usage', `${record.kind} ${record.metadata.name} names no namespace`, {
    suggestions: ['Add metadata.namespace, or pass --namespace NAME.'],
  })
}

/** Every package of the folder that can be read: a broken one owns nothing that could be used. */
async function packagesAtHand({folder, sources}: RenderPorts): Promise<CrdOwner[]> {
  const owners: CrdOwner[] = []
  for (const {repositoryPath, tag} of (await folder?.all()) ?? []) {
    try {
      const located = await locatePackage(
        {kind: 'image', name: {path: repositoryPath, tag}},
        {sources, folder},
      )
      owners.push({name: located.name, package: readPackage(located.name, located.files)})
    } catch (error) {
      if (!(error instanceof CrossplaneError)) throw error
    }
  }
  return owners
}
