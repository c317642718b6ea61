import type {PackagePorts} from '../../locate/located-package.js'
import {withTrust} from '../../locate/with-trust.js'
import {expectSource} from '../../resolve/packages/source-policy.js'
import {type PackageTrust, packageTrust, type TrustPorts} from '../../signatures/package-trust.js'
import type {TeamPolicy} from '../request/team-policy.js'

/** Returns sources that read only what a policy allows, for packages that are read without a resolution. */
export function underPolicy(
  packages: PackagePorts,
  team: TeamPolicy | undefined,
  ports: TrustPorts,
): PackagePorts {
  if (team === undefined) return packages
  const trust = packageTrust(team.signatureRules, ports)
  const expect: PackageTrust['expect'] = async (repository, digest, artifacts) => {
    expectSource(repository, team)
    return await trust.expect(repository, digest, artifacts)
  }
  return withTrust(packages, {...trust, expect})
}
