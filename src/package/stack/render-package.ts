import type {Diagnostic} from '../../diagnostic.js'
import {CrossplaneError} from '../../errors.js'
import {type PackageReference, parsePackageReference} from '../../reference/package-reference.js'
import type {InstallSet} from '../../render/install-set.js'
import type {Install} from '../../render/package-record.js'
import {withCrdPlaces} from '../../locate/crd-places.js'
import {expectFormat} from '../../locate/expect-format.js'
import {type GivenPackage, locateGiven} from '../../locate/locate-package.js'
import type {LocatedPackage, PackagePorts} from '../../locate/located-package.js'
import type {OpenPackage} from '../../resolve/catalog/catalog.js'
import type {InstalledState} from '../../resolve/requested/installed-package.js'
import type {InstallOrigin} from '../../render/install-origin.js'
import {present} from '../../present.js'
import {engineWarnings, withTemplates} from './with-templates.js'
import {installPart, type RenderChoices, setOf} from '../../render/render-part.js'
import {type RequestParameters, resolveInstall} from '../../render/resolve-install.js'

/** A query for the install set of one package, without its dependencies. */
export interface RenderPackage extends GivenPackage {
  /** The package, if it was read before. */
  readonly located?: LocatedPackage
  readonly parameters: Omit<RequestParameters, 'pin'>
}

/**
 * Parses the reference, fetches, unpacks and renders one package as its install set.
 * @param installed - the installed packages of the target cluster.
 */
export async function renderPackage(
  query: RenderPackage,
  choices: RenderChoices,
  ports: PackagePorts,
  installed?: InstalledState,
): Promise<InstallSet & {readonly notes?: readonly Diagnostic[]}> {
  const {parameters} = query
  const target = parsePackageReference(query.reference)
  const located = query.located ?? expectFormat(await locateGiven(query, ports), 'stack')
  const {pin, templatesFrom} = choices
  const resolved = resolveInstall(choices.era, located, {...parameters, pin, ...present({templatesFrom})})
  const warnings = [...resolved.warnings, ...engineWarnings(resolved.install, choices)]
  const install = await withTemplates(resolved.install, located, choices, ports)
  rejectUnnamedRequest(install, choices)
  const origin = await originOf({located, package: install.package}, target, choices, ports)
  const set = withCrdPlaces([located], () =>
    setOf(choices, [installPart(choices.era, install, origin, choices)], warnings),
  )
  if (installed === undefined) return set
  const {contextNamespaceNote, unresolvedNote} = await import('./cluster-notes.js')
  const notes = [
    ...contextNamespaceNote(install.request, parameters),
    ...unresolvedNote(located.name, install.package, installed),
  ]
  return {...set, notes}
}

/** Loaded on demand: printing a set needs no summary of the package. */
async function originOf(
  opened: OpenPackage,
  target: PackageReference,
  {withPackages = false}: RenderChoices,
  {defaultSource}: PackagePorts,
): Promise<InstallOrigin> {
  if (!withPackages) return {mode: 'requested', for: {}}
  return (await import('../../render/install-origin.js')).requestedOrigin(opened, target, defaultSource)
}

/** Throws `reference-incomplete` if a request is included and the package has no reference. */
export function rejectUnnamedRequest({request}: Install, {includeRequest}: RenderChoices): void {
  if (!includeRequest || request.package !== undefined) return
  throw new CrossplaneError(
    'reference-incomplete',
    'a request names a package by its reference, but a local package has none',
    {suggestions: ['Pass --as-package REPOSITORY:TAG with the reference of the published package.']},
  )
}
