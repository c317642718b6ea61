import type {PackagePorts} from '../../locate/located-package.js'
import {withTrust} from '../../locate/with-trust.js'
import {expectSource} from '../../resolve/packages/source-policy.js'
import {type PackageTrust, packageTrust, type TrustPorts} from '../../signatures/package-trust.js'
import {signatureRulesOf, type TeamPolicy} from '../request/team-policy.js'

/** Returns sources that read only what policies allow, for packages that are read without a resolution. */
export function underPolicy(
  packages: PackagePorts,
  teams: readonly TeamPolicy[],
  ports: TrustPorts,
): PackagePorts {
  if (teams.length === 0) return packages
  const trust = packageTrust(signatureRulesOf(teams), ports)
  const expect: PackageTrust['expect'] = async (repository, digest, artifacts) => {
    expectSource(repository, teams)
    return await trust.expect(repository, digest, artifacts)
  }
  return withTrust(packages, {...trust, expect})
}
