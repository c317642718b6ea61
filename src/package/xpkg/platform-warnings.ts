import type {Diagnostic} from '../../diagnostic.js'
import {DEFAULT_PLATFORM, formatPlatform} from '../../fetch/platform.js'
import type {LocatedPackage, PackagePorts} from '../../locate/located-package.js'
import {RemoteRepository} from '../../locate/remote-repository.js'
import {isDigest} from '../../reference/image-name.js'
import {parsePackageImage} from '../../reference/package-reference.js'
import type {SelectedXpkg} from '../../resolve/xpkg/resolve-xpkgs.js'
import type {XpkgRoot} from '../../resolve/xpkg/xpkg-catalog.js'

/** Warns of packages that were read for another platform and lack the one that Crossplane reads, whatever the nodes are. */
export async function platformWarnings(
  packages: readonly SelectedXpkg[],
  roots: readonly (Pick<XpkgRoot, 'repository'> & Pick<LocatedPackage, 'lacksPlatform'>)[],
  {platform, remote}: PackagePorts,
): Promise<readonly Diagnostic[]> {
  const needed = formatPlatform(DEFAULT_PLATFORM)
  if (platform === undefined || formatPlatform(platform) === needed) return []
  const warnings: Diagnostic[] = []
  for (const {repository, version, digest} of packages) {
    const own = digest ?? version
    const local = roots.find(root => root.repository === repository)?.lacksPlatform
    const inRegistry = async () =>
      isDigest(own) &&
      (await new RemoteRepository(parsePackageImage(repository), remote).lacksPlatform(own, DEFAULT_PLATFORM))
    if (!(await (local === undefined ? inRegistry() : local(DEFAULT_PLATFORM)))) continue
    const name = version === '' ? repository : `${repository}:${version}`
    const message = `${name} has no image for ${needed}: Crossplane cannot install the package, since it reads that image whatever the nodes are`
    warnings.push({severity: 'warning', rule: 'platform-missing', message, subject: {package: repository}})
  }
  return warnings
}
