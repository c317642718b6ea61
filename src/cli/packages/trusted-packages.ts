import type {PackagePorts} from '../../locate/located-package.js'
import {readTeamPolicies, type TeamPolicy} from '../../pipeline/request/team-policy.js'
import {underPolicy} from '../../pipeline/signatures/under-policy.js'
import type {Progress} from '../shell/progress/step-event.js'
import {packagePorts, requestPorts} from './package-ports.js'

type TrustFlags = Parameters<typeof packagePorts>[0] & {readonly policy?: string}

/** The sources of packages, and the policy that decides what is read of them. */
interface PackagesUnderPolicy {
  readonly packages: PackagePorts
  /** None without `--policy`. */
  readonly teams: readonly TeamPolicy[]
}

/** Returns the sources of packages, of which the policy of `--policy` decides what is read. */
export async function trustedPackages(flags: TrustFlags, shown: Progress): Promise<PackagePorts> {
  return (await packagesUnderPolicy(flags, shown)).packages
}

/** Returns these sources with that policy: its limits are those of a whole list of packages. */
export async function packagesUnderPolicy(
  {policy, ...flags}: TrustFlags,
  shown: Progress,
): Promise<PackagesUnderPolicy> {
  const packages = await packagePorts(flags, shown)
  if (policy === undefined) return {packages, teams: []}
  const {inputs, signatures} = requestPorts(flags, shown)
  const teams = await readTeamPolicies({policy}, inputs)
  return {packages: underPolicy(packages, teams, signatures), teams}
}
