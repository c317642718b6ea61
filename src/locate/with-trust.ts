import type {PackageTrust} from '../signatures/package-trust.js'
import type {PackagePorts} from './located-package.js'

/** A package that a cluster has. */
interface Installed {
  readonly identity: string
  readonly digest?: string
}

/** Returns sources that read only packages that are signed as a policy requires, and what is installed already. */
export function withTrust(
  ports: PackagePorts,
  trust: PackageTrust | undefined,
  installed: readonly Installed[] = [],
): PackagePorts {
  if (trust === undefined) return ports
  const present = new Set(installed.map(({identity, digest = ''}) => `${identity}@${digest}`))
  const some: PackageTrust = {
    ...trust,
    expect: async (repository, digest, artifacts) => {
      if (digest !== undefined && present.has(`${repository}@${digest}`)) return undefined
      // Signatures that a bundle carries are those of its images, also where their registry cannot be reached.
      const own = async () => (await ports.folder?.artifacts?.(repository, digest)) ?? (await artifacts())
      return await trust.expect(repository, digest, own)
    },
  }
  return {...ports, remote: {...ports.remote, trust: some}}
}
