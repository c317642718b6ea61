import type {Diagnostic} from '../../diagnostic.js'
import type {InstallSet} from '../../render/install-set.js'
import {type RequiredPlurals, requiredPlurals} from '../../resolve/required-plurals.js'
import type {PlannedInstall} from '../../resolve/resolution.js'
import type {OpenPackage} from '../resolve/catalog.js'
import {resolvedOrigin} from './install-origin.js'
import {installPart, type Part, type RenderChoices, setOf} from './render-part.js'
import {type RequestParameters, resolveRequest} from './resolve-install.js'
import {refuseUnnamedRequest} from './render-package.js'
import {withCrdPlaces} from '../locate/crd-places.js'
import type {PackagePorts} from '../locate/located-package.js'
import {unresolved} from '../resolve/rejection.js'
import {type ResolutionPolicy, resolvePackages} from '../resolve/resolve-packages.js'
import type {Requested} from '../resolve/wanted-roots.js'

/** A question for the install set of several packages and of everything they need. */
export interface RenderRequest {
  readonly requested: readonly RequestedInstall[]
  readonly policy: ResolutionPolicy
  readonly pin: boolean
}

export interface RequestedInstall extends Requested {
  readonly parameters: Omit<RequestParameters, 'name' | 'namespace' | 'systemNamespace' | 'pin'>
}

/** A set, and what is to be known of how it came about. */
export interface ResolvedSet extends InstallSet {
  readonly notes: readonly Diagnostic[]
}

/** Renders what is requested with its dependencies, which come first. Throws what `resolvePackages` throws. */
export async function renderRequested(
  {requested, policy, pin}: RenderRequest,
  choices: RenderChoices,
  ports: PackagePorts,
): Promise<ResolvedSet> {
  const result = await resolvePackages(requested, policy, ports)
  if (result.kind === 'rejected') throw unresolved(result)
  const {resolution, opened} = result
  const parts: Part[] = []
  const warnings: Diagnostic[] = []
  const plurals = requiredPlurals(resolution)
  for (const install of resolution.installs) {
    const found = opened.get(install.summary.identity)
    if (found === undefined) throw new RangeError(`${install.summary.identity} was not read`)
    const rendered = partOf(install, found, {requested, policy, pin, plurals}, choices)
    parts.push(rendered.part)
    const isOnly = resolution.installs.length === 1
    warnings.push(...(isOnly ? rendered.warnings : rendered.warnings.map(each => of(found, each))))
  }
  const packages = [...opened.values()].map(({located}) => located)
  const set = withCrdPlaces(packages, () => setOf(choices, parts, warnings))
  return {...set, notes: resolution.notes}
}

function partOf(
  planned: PlannedInstall,
  {located, package: read}: OpenPackage,
  {requested, policy, pin, plurals}: RenderRequest & {readonly plurals: ReadonlyMap<string, RequiredPlurals>},
  choices: RenderChoices,
): {readonly part: Part; readonly warnings: readonly Diagnostic[]} {
  const {summary, namespace, name, requestedBy} = planned
  const asked = requestedBy.map(index => requested[index]?.parameters).find(each => each !== undefined)
  const parameters = {
    imagePullSecrets: [],
    serviceAccountAnnotations: {},
    ...asked,
    namespace,
    name,
    systemNamespace: policy.systemNamespace,
    pin,
  }
  const {install, warnings} = resolveRequest(choices.era, located, read, parameters)
  refuseUnnamedRequest(install, choices)
  const known = {...install, requiredPlurals: plurals.get(summary.identity) ?? new Map<string, string>()}
  return {part: installPart(choices.era, known, resolvedOrigin(planned), choices), warnings}
}

/** Several packages have an app.yaml: which one is meant stands before it. */
function of({located}: OpenPackage, warning: Diagnostic): Diagnostic {
  return {...warning, file: warning.file === undefined ? located.name : `${located.name} ${warning.file}`}
}
