import type {ArtifactStore} from '../fetch/artifact-store.js'
import type {Digest} from '../fetch/image.js'
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
      return await trust.expect(
        repository,
        digest,
        async () => await carriedArtifacts(ports, {repository, digest}, artifacts),
      )
    },
  }
  return {...ports, remote: {...ports.remote, trust: some}}
}

/** Signatures that a bundle carries are those of its images, also where their registry cannot be reached. */
export async function carriedArtifacts(
  {folder}: Pick<PackagePorts, 'folder'>,
  {repository, digest}: {readonly repository: string; readonly digest: Digest | undefined},
  otherwise: () => Promise<ArtifactStore>,
): Promise<ArtifactStore> {
  return (await folder?.artifacts?.(repository, digest)) ?? (await otherwise())
}
