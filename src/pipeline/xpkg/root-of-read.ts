import type {LocatedPackage, PackagePorts} from '../../locate/located-package.js'
import {present} from '../../present.js'
import {formatImageName, type ImageName} from '../../reference/image-name.js'
import {nameFromSource} from '../../reference/image-source.js'
import {xpkgContent} from '../../resolve/xpkg/located-xpkgs.js'
import type {RequestedXpkg} from './xpkg-closure.js'

/** Returns the root of a package that was read; its path takes the place of a repository that it does not have. */
export function rootOfRead(read: LocatedPackage, {defaultSource}: PackagePorts): RequestedXpkg {
  const {reference, name, tag, digest} = read
  const content = xpkgContent(read)
  if (reference === undefined) return {repository: name, version: '', content}
  const version = reference.digest ?? reference.tag ?? tag ?? digest ?? ''
  return {repository: repositoryName(reference, defaultSource), version, content}
}

/** Returns the repository as dependencies name it: with its registry. */
export function repositoryName({registry, path}: ImageName, defaultSource: string | undefined): string {
  const name = {path, ...present({registry})}
  return formatImageName(defaultSource === undefined ? name : nameFromSource(name, defaultSource))
}
