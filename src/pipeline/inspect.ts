import {inspectPackage} from '../inspect/inspect-package.js'
import {type Assumption, ASSUMPTIONS} from '../inspect/assumed-install.js'
import type {InspectReport} from '../inspect/inspect-report.js'
import {inspectXpkg, type XpkgReport} from '../inspect/inspect-xpkg.js'
import {CrossplaneError} from '../errors.js'
import {present} from '../present.js'
import {
  formatPackageReference,
  parsePackageImage,
  parsePackageReference,
} from '../reference/package-reference.js'
import {type CrdChoice, withCrdVersion} from '../render/crd-version.js'
import type {EraName} from '../reference/era-name.js'
import {ERAS} from '../render/era.js'
import {templateStack} from '../locate/template-stack.js'
import {renderInstall} from '../render/render-install.js'
import type {Package} from '../unpack/package.js'
import {invalidPackage, readPackage} from '../unpack/read-package.js'
import {examineXpkg} from '../xpkg/content/examine-xpkg.js'
import {baseLayerDiagnostics} from '../xpkg/image/base-layers.js'
import {withCrdPlaces} from '../locate/crd-places.js'
import {locatePackage} from '../locate/locate-package.js'
import {expectSpelled} from '../locate/near-names.js'
import type {LocatedPackage, LocateOptions, PackagePorts} from '../locate/located-package.js'
import {type ClaimPorts, inspectedSignatures} from './signatures/inspected-signatures.js'
import {type RequestParameters, resolveRequest, runsOwnImage} from '../render/resolve-install.js'

/** A query about one package, and about the install that a request for it would create. */
export interface InspectQuery {
  readonly api: EraName
  readonly reference: string
  readonly asPackage?: string
  readonly parameters: RequestParameters
}

/** A report on a package with `.registry/`, or on one for a current Crossplane. */
export type Inspection =
  | {readonly kind: 'InspectReport'; readonly report: InspectReport}
  | {readonly kind: 'XpkgReport'; readonly report: XpkgReport}

/** Inspects a package of either format, and who has signed it. */
export async function inspectSigned(query: InspectQuery, ports: ClaimPorts): Promise<Inspection> {
  const {located, inspection} = await inspected(query, ports)
  const signatures = present({signatures: await inspectedSignatures(located, ports)})
  return inspection.kind === 'XpkgReport'
    ? {...inspection, report: {...inspection.report, ...signatures}}
    : {...inspection, report: {...inspection.report, ...signatures}}
}

/** Inspects a package of either format. */
export async function inspectAny(query: InspectQuery, ports: PackagePorts): Promise<Inspection> {
  return (await inspected(query, ports)).inspection
}

async function inspected(
  query: InspectQuery,
  ports: PackagePorts,
): Promise<{readonly located: LocatedPackage; readonly inspection: Inspection}> {
  const options = {...optionsOf(query, ports)}
  const target = parsePackageReference(query.reference)
  if (target.kind === 'image') await expectSpelled(target.name, options)
  else if (ports.remote.trust !== undefined && options.asPackage === undefined)
    throw withoutName(formatPackageReference(target))
  const located = await locatePackage(target, options)
  const inspection: Inspection =
    located.xpkg === undefined
      ? {kind: 'InspectReport', report: await reportOf(located, query, options)}
      : {kind: 'XpkgReport', report: xpkgReport(located)}
  return {located, inspection}
}

/** A policy is about repositories: it must not seem to allow what it cannot judge. */
function withoutName(name: string): CrossplaneError {
  const message = `cannot inspect ${name} by a policy: it has no name that the policy could be about`
  return new CrossplaneError('usage', message, {
    suggestions: ['Add --as-package REF, the reference that it was or will be pulled by.'],
  })
}

/** Throws `package-invalid` for a package that Crossplane cannot read. */
function xpkgReport(read: LocatedPackage): XpkgReport {
  const {xpkg, errors, problems} = examineXpkg(read.files)
  if (xpkg === undefined || errors.length > 0) throw invalidPackage(read.name, errors, read.folder)
  return inspectXpkg(read, xpkg, [...baseLayerDiagnostics(read.xpkg?.baseLayers), ...problems])
}

/**
 * Parses, fetches, unpacks, resolves, renders and inspects. Omitted parameters are assumed and reported; permissions
 * that `render` rejects by default are only reported.
 */
export async function inspect(query: InspectQuery, ports: PackagePorts): Promise<InspectReport> {
  const options = optionsOf(query, ports)
  const target = parsePackageReference(query.reference)
  if (target.kind === 'image') await expectSpelled(target.name, options)
  return await reportOf(await locatePackage(target, options), query, options)
}

function optionsOf({asPackage}: InspectQuery, ports: PackagePorts): LocateOptions {
  return {...ports, ...(asPackage === undefined ? {} : {asPackage: parsePackageImage(asPackage)})}
}

async function reportOf(
  located: LocatedPackage,
  query: InspectQuery,
  options: LocateOptions,
): Promise<InspectReport> {
  const {era, read, install, assumed, set} = assumedRender(located, query)
  const templates = await templateStack(located, read, options)
  return inspectPackage({
    era,
    origin: located,
    install,
    assumed,
    objects: set.objects,
    warnings: set.warnings,
    ...present({templates}),
  })
}

/** Renders a package by itself, with placeholders where a namespace, a reference or a version is missing. */
export function assumedRender(
  located: LocatedPackage,
  {api, parameters}: Pick<InspectQuery, 'api' | 'parameters'>,
) {
  const era = ERAS[api]
  const read = readPackage(located.name, located.files)
  const assumed = assumptions(located, read, parameters)
  const {install, warnings} = resolveRequest(era, named(located, assumed), read, placed(parameters, assumed))
  const rendered = renderInstall(era, install, {
    includeRequest: false,
    allowCorePermissions: true,
    allowFullDeployment: false,
  })
  const set = withCrdPlaces([located], () =>
    withCrdVersion({installs: [], objects: rendered, warnings}, AS_INSTALLED),
  )
  return {era, read, install, assumed, set}
}

/** Includes CRDs without a form in v1, which `render` rejects by default, with a warning. */
const AS_INSTALLED: CrdChoice = {apiVersion: 'v1', nonStructural: 'preserve'}

function assumptions(located: LocatedPackage, read: Package, {namespace}: RequestParameters): Assumption[] {
  const missing: Readonly<Record<Assumption, boolean>> = {
    image: located.reference === undefined && runsOwnImage(read),
    namespace: namespace === undefined && read.permissionScope === 'Namespaced',
    version: !hasVersion(located, read),
  }
  return ASSUMPTIONS.filter(text => missing[text])
}

function hasVersion({reference, tag, digest}: LocatedPackage, {version}: Package): boolean {
  return [version, reference?.tag, tag, reference?.digest, digest].some(text => text !== undefined)
}

/** The placeholder for a namespace; a valid one, so that names that contain it are realistic. */
const PLACEHOLDER_NAMESPACE = 'your-namespace'

function placed(parameters: RequestParameters, assumed: readonly Assumption[]): RequestParameters {
  return assumed.includes('namespace') ? {...parameters, namespace: PLACEHOLDER_NAMESPACE} : parameters
}

/** A package without a reference or version of its own, with placeholders that the report omits. */
function named(located: LocatedPackage, assumed: readonly Assumption[]): LocatedPackage {
  return {
    ...(assumed.includes('version') ? {tag: 'unknown'} : {}),
    ...(assumed.includes('image') ? {reference: {path: 'local/unknown'}} : {}),
    ...located,
  }
}
