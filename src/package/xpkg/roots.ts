import type {LocatedPackage, PackagePorts} from '../../locate/located-package.js'
import {present} from '../../present.js'
import type {ImageName} from '../../reference/image-name.js'
import {repositoryName} from '../../reference/repository-name.js'
import type {RequestedInstall} from '../../render/requested-install.js'
import {xpkgContent} from '../../resolve/xpkg/located-xpkgs.js'
import type {RecognizedInstall, RecognizedRequest} from '../format.js'
import {namedPorts} from '../recognize.js'
import type {RequestedXpkg} from './requested-xpkg.js'

/** A package to resolve, with the settings of its request. */
export interface RequestedRoot extends RequestedXpkg {
  readonly requested: RequestedInstall
}

/** Returns the packages of a request to resolve together. */
export function xpkgRoots(
  request: Pick<RecognizedRequest, 'parts' | 'policy' | 'packages'>,
): readonly RequestedRoot[] {
  const ports = namedPorts(request)
  return request.parts.xpkg.map(install => ({
    ...rootOf(install, ports),
    ...present({name: install.requested.name}),
    requested: install.requested,
  }))
}

function rootOf(
  {requested: {target, range}, located, owner}: RecognizedInstall,
  ports: PackagePorts,
): RequestedXpkg {
  if (located !== undefined) return rootOfRead(located, ports)
  if (target.kind === 'image') return imageRoot(target.name, range, ports)
  return {repository: owner ?? ''}
}

function imageRoot(
  name: ImageName,
  constraint: string | undefined,
  {defaultSource}: PackagePorts,
): RequestedXpkg {
  const {tag, digest} = name
  const repository = repositoryName(name, defaultSource)
  if (tag === undefined) return {repository, ...present({version: digest, constraint})}
  return {repository, version: tag, ...present({digest})}
}

/** Returns the root of a package that was read; its path takes the place of a repository that it does not have. */
export function rootOfRead(read: LocatedPackage, {defaultSource}: PackagePorts): RequestedXpkg {
  const {reference, name, tag, digest, files, lacksPlatform} = read
  const own = {content: xpkgContent(read), files, ...present({lacksPlatform})}
  if (reference === undefined) return {repository: name, version: '', ...own}
  const version = reference.digest ?? reference.tag ?? tag ?? digest ?? ''
  return {repository: repositoryName(reference, defaultSource), version, ...own}
}
