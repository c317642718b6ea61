import {locateImage} from '../../locate/locate-image.js'
import type {PackagePorts} from '../../locate/located-package.js'
import {isDigest} from '../../reference/image-name.js'
import {parsePackageImage} from '../../reference/package-reference.js'
import type {SelectedXpkg} from '../../resolve/xpkg/resolve-xpkgs.js'
import type {PackageFile} from '../../unpack/package-file.js'
import type {RequestedXpkg} from './requested-xpkg.js'

/** Reads the files of a selected package again: resolution keeps no schemas. */
export async function packageFiles(
  {repository, version, digest}: Pick<SelectedXpkg, 'repository' | 'version' | 'digest'>,
  roots: readonly RequestedXpkg[],
  ports: PackagePorts,
): Promise<readonly PackageFile[]> {
  const local = roots.find(root => root.repository === repository)?.files
  if (local !== undefined) return local
  const name = parsePackageImage(repository)
  const pinned = digest !== undefined && isDigest(digest) ? {digest} : {}
  const image = isDigest(version) ? {...name, digest: version} : {...name, tag: version, ...pinned}
  return (await locateImage(image, ports)).files
}
