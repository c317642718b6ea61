import {CrossplaneError} from '../errors.js'
import {formatImageName, parseImageName, type ImageName} from '../reference/image-name.js'
import type {Mirrors} from '../reference/mirrors.js'
import type {Repository} from '../reference/repository.js'
import {compareText} from '../reference/compare-text.js'
import type {BundledImage} from './bundle-document.js'

/** A registry, with or without a path, that a bundle is pushed to. */
export interface MirrorTarget {
  readonly registry: string
  readonly path: string
}

/** Where an image of a bundle is pushed: the tag, or without one the digest. */
export interface MirroredImage {
  readonly repository: Repository
  readonly tag: string
}

/** Returns where an image goes: below the target, each host has a path of its own, so that no two images collide. */
export function mirroredImage({reference, digest}: BundledImage, target: MirrorTarget): MirroredImage {
  const name = nameOf(reference)
  const path = [target.path, segmentOf(name.registry ?? ''), name.path].filter(part => part !== '').join('/')
  return {repository: {registry: target.registry, path}, tag: name.tag ?? digest}
}

/** Returns the `registries` of a declaration that read a pushed bundle. */
export function mirrorsOf(images: readonly BundledImage[], target: MirrorTarget): Mirrors {
  const hosts = [...new Set(images.map(({reference}) => nameOf(reference).registry ?? ''))].sort(compareText)
  const mirrors = hosts.map(host => [host, mirrorOf(host, target)] as const)
  const taken = new Map<string, string>()
  for (const [host, mirror] of mirrors) {
    const other = taken.get(mirror)
    if (other !== undefined)
      throw new CrossplaneError(
        'unsupported',
        `cannot mirror ${host} and ${other}: both would be ${mirror}`,
        {
          suggestions: ['Create two bundles, and push each under a prefix of its own.'],
        },
      )
    taken.set(mirror, host)
  }
  return Object.fromEntries(mirrors)
}

function mirrorOf(host: string, {registry, path}: MirrorTarget): string {
  return [registry, path, segmentOf(host)].filter(part => part !== '').join('/')
}

/** A port or an IPv6 address cannot be a part of a path. */
function segmentOf(host: string): string {
  return host
    .toLowerCase()
    .replace(/[^a-z0-9.]+/g, '-')
    .replace(/^[-.]+|[-.]+$/g, '')
}

function nameOf(reference: string): ImageName {
  const name = parseImageName(reference)
  if (name === undefined) throw new RangeError(`${reference} is not a reference`)
  return name
}

/** Formats where an image is pushed. */
export function formatMirrored({repository, tag}: MirroredImage): string {
  const name = {registry: repository.registry, path: repository.path}
  return tag.includes(':') ? `${formatImageName(name)}@${tag}` : formatImageName({...name, tag})
}
