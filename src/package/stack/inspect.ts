import {type Assumption, ASSUMPTIONS} from '../../inspect/assumed-install.js'
import {inspectPackage} from '../../inspect/inspect-package.js'
import type {InspectReport} from '../../inspect/inspect-report.js'
import {withCrdPlaces} from '../../locate/crd-places.js'
import type {LocatedPackage, PackagePorts} from '../../locate/located-package.js'
import {templateStack} from '../../locate/template-stack.js'
import {present} from '../../present.js'
import {type CrdChoice, withCrdVersion} from '../../render/crd-version.js'
import {ERAS} from '../../render/era.js'
import {renderInstall} from '../../render/render-install.js'
import {type RequestParameters, resolveRequest, runsOwnImage} from '../../render/resolve-install.js'
import type {Package} from '../../unpack/package.js'
import {readPackage} from '../../unpack/read-package.js'
import type {Inspection, InspectQuery} from '../reports.js'

/**
 * Unpacks, resolves, renders and inspects a package of Crossplane v0.12. Omitted parameters are assumed and reported; permissions
 * that `render` rejects by default are only reported.
 */
export async function inspectStack(
  located: LocatedPackage,
  query: InspectQuery,
  ports: PackagePorts,
): Promise<Inspection> {
  return await inspectRendered(located, assumedRender(located, query), ports)
}

/** The same of a package that was rendered by itself. */
export async function inspectRendered(
  located: LocatedPackage,
  rendered: AssumedRender,
  ports: PackagePorts,
): Promise<Inspection> {
  const report = await reportOf(located, rendered, ports)
  const images = report.runs.images.flatMap(({image}) => image ?? [])
  return {kind: 'InspectReport', report, images}
}

async function reportOf(
  located: LocatedPackage,
  {era, read, install, assumed, set}: AssumedRender,
  ports: PackagePorts,
): Promise<InspectReport> {
  const templates = await templateStack(located, read, ports)
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

/** A package that was rendered by itself. */
export type AssumedRender = ReturnType<typeof assumedRender>

/** Renders a package by itself, with placeholders where a namespace, a reference or a version is missing. */
export function assumedRender(
  located: LocatedPackage,
  {api, parameters}: Pick<InspectQuery, 'api' | 'parameters'>,
  read = readPackage(located.name, located.files),
) {
  const era = ERAS[api]
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
