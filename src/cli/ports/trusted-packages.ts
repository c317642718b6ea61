import type {PackagePorts} from '../../locate/located-package.js'
import {readTeamPolicy} from '../../pipeline/request/team-policy.js'
import {underPolicy} from '../../pipeline/signatures/under-policy.js'
import type {Progress} from './progress.js'
import {packagePorts, requestPorts} from './package-ports.js'

/** Returns the sources of packages, of which the policy of `--policy` decides what is read. */
export async function trustedPackages(
  {policy, ...flags}: Parameters<typeof packagePorts>[0] & {readonly policy?: string},
  shown: Progress,
): Promise<PackagePorts> {
  const packages = await packagePorts(flags, shown)
  if (policy === undefined) return packages
  const {inputs, signatures} = requestPorts(flags, shown)
  const team = await readTeamPolicy({policy}, inputs)
  return underPolicy(packages, team, signatures)
}
