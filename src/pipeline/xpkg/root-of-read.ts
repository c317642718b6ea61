import type {LocatedPackage, PackagePorts} from '../../locate/located-package.js'
import {xpkgContent} from '../../resolve/xpkg/located-xpkgs.js'
import {repositoryName} from '../../reference/repository-name.js'
import type {RequestedXpkg} from './xpkg-closure.js'

/** Returns the root of a package that was read; its path takes the place of a repository that it does not have. */
export function rootOfRead(read: LocatedPackage, {defaultSource}: PackagePorts): RequestedXpkg {
  const {reference, name, tag, digest, files} = read
  const content = xpkgContent(read)
  if (reference === undefined) return {repository: name, version: '', content, files}
  const version = reference.digest ?? reference.tag ?? tag ?? digest ?? ''
  return {repository: repositoryName(reference, defaultSource), version, content, files}
}
