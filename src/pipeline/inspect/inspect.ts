import {CrossplaneError} from '../../errors.js'
import {locateGiven} from '../../locate/locate-package.js'
import type {LocatedPackage, PackagePorts} from '../../locate/located-package.js'
import {expectApplicableTo} from '../../package/expect-applicable.js'
import {formatFor} from '../../package/formats.js'
import type {Inspection, InspectQuery} from '../../package/reports.js'
import {present} from '../../present.js'
import {formatPackageReference, parsePackageReference} from '../../reference/package-reference.js'
import {type ClaimPorts, inspectedSignatures} from '../signatures/inspected-signatures.js'

/** An inspection, and who has signed the package. */
export type SignedInspection = Inspection & {
  readonly signatures?: Awaited<ReturnType<typeof inspectedSignatures>>
}

/** Inspects a package, and who has signed it. */
export async function inspectSigned(query: InspectQuery, ports: ClaimPorts): Promise<SignedInspection> {
  const {located, inspection} = await inspected(query, ports)
  return {...inspection, ...present({signatures: await inspectedSignatures(located, ports)})}
}

/** Inspects a package. */
export async function inspect(query: InspectQuery, ports: PackagePorts): Promise<Inspection> {
  return (await inspected(query, ports)).inspection
}

/** The flags of an install request that change a report: only one on a package with `.registry/` has its objects. */
const OF_INSTALLS = ['image-pull-policy', 'image-pull-secret', 'service-account-annotation']

async function inspected(
  query: InspectQuery,
  ports: PackagePorts,
): Promise<{readonly located: LocatedPackage; readonly inspection: Inspection}> {
  const target = parsePackageReference(query.reference)
  const isNamed = target.kind === 'image' || query.asPackage !== undefined
  if (!isNamed && ports.remote.trust !== undefined) throw withoutName(formatPackageReference(target))
  const located = await locateGiven(query, ports)
  expectApplicableTo(located, query.flagNames, OF_INSTALLS)
  const format = await formatFor(located)
  return {located, inspection: await format.inspect(located, query, ports)}
}

/** A policy is about repositories: it must not seem to allow what it cannot judge. */
function withoutName(name: string): CrossplaneError {
  const message = `cannot inspect ${name} by a policy: it has no name that the policy could be about`
  return new CrossplaneError('usage', message, {
    suggestions: ['Add --as-package REF, the reference that it was or will be pulled by.'],
  })
}
