import type {Diagnostic} from '../../diagnostic.js'
import {CrossplaneError} from '../../errors.js'
import {formatSummary} from '../../index/package-summary.js'
import {parseCrdName} from '../../reference/install-target.js'
import type {InstallRequest} from '../../render/request.js'
import {type RequiredPlurals, requiredPlurals} from '../../resolve/required-plurals.js'
import type {PlannedInstall, Resolution} from '../../resolve/resolution.js'
import type {PackagePorts} from '../../locate/located-package.js'
import type {OpenPackage} from '../../resolve/catalog/catalog.js'
import {unresolved} from '../../resolve/packages/rejection.js'
import type {ResolutionPolicy} from '../../resolve/packages/resolution-policy.js'
import {resolvePackages} from '../../resolve/packages/resolve-packages.js'

/** A request that names a CRD and no package. */
export type CrdRequest = InstallRequest & {readonly crd: string}

/** The package that owns the CRD of a request. */
interface RequestedOwner extends OpenPackage {
  readonly requiredPlurals: RequiredPlurals
}

export interface RequestedOwners {
  readonly owners: ReadonlyMap<InstallRequest, RequestedOwner>
  readonly notes: readonly Diagnostic[]
}

/**
 * Selects a package for each request, together with compatible dependencies. Throws the errors of `resolvePackages`,
 * and `usage` for a CRD that exists without a package.
 */
export async function ownersOfRequests(
  requests: readonly CrdRequest[],
  policy: ResolutionPolicy,
  ports: PackagePorts,
): Promise<RequestedOwners> {
  const requested = requests.map(({crd, namespace, name}) => ({
    target: {kind: 'crd', crd: parseCrdName(crd)} as const,
    name,
    ...(namespace === '' ? {} : {namespace}),
  }))
  const result = await resolvePackages(requested, policy, ports)
  if (result.kind === 'rejected') throw unresolved(result)
  const {resolution, opened} = result
  const plurals = requiredPlurals(resolution)
  const owners = requests.map((request, index) => {
    const identity = ownerOf(request, resolution.roots[index])
    const openPackage = opened.get(identity)
    if (openPackage === undefined) throw new RangeError(`${identity} was not read`)
    return [
      request,
      {...openPackage, requiredPlurals: plurals.get(identity) ?? new Map<string, string>()},
    ] as const
  })
  return {owners: new Map(owners), notes: [...resolution.notes, ...unrequested(resolution.installs)]}
}

function ownerOf({name, crd}: CrdRequest, satisfied: Resolution['roots'][number] | undefined): string {
  if (satisfied?.by.kind === 'package') return satisfied.by.identity
  throw new CrossplaneError(
    'usage',
    `the request ${name} requires ${crd}, which exists without a package: nothing would be installed`,
    {suggestions: ['Remove the request, or name a package in spec.package.']},
  )
}

/** Lists required packages without a request: a set of requests renders only what they name. */
function unrequested(installs: readonly PlannedInstall[]): Diagnostic[] {
  return installs
    .filter(({requestedBy}) => requestedBy.length === 0)
    .map(({summary, namespace, name, for: requirements}) => {
      const requirers = [...new Set(requirements.map(({by}) => by))].join(' and ')
      const message = `${formatSummary(summary)} as ${namespace}/${name}, required by ${requirers}, is not rendered: no request in the files names it`
      return {severity: 'note' as const, rule: 'not-requested', message}
    })
}
