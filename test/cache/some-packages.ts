import type {CachedPackage} from '../../src/cache/cached-package.js'
import {digestOf} from '../../src/fetch/verified-bytes.js'

export const AMD64 = {os: 'linux', architecture: 'amd64'}
export const ARM = {os: 'linux', architecture: 'arm', variant: 'v7'}
export const TEAM = {registry: 'registry.example.org:5000', path: 'team/provider'}

/** A package of three files, of which all have one in common. */
export function somePackage(name: string): CachedPackage {
  return {
    digest: digestOf(Buffer.from(name)),
    platform: AMD64,
    repository: TEAM,
    tag: 'v1',
    files: [
      {path: 'app.yaml', bytes: Buffer.from(`title: ${name}\n`)},
      {path: 'resources/a/crd.yaml', bytes: Buffer.from(`kind: ${name}\n`)},
      {path: 'icon.svg', bytes: Buffer.from('<svg/>')},
    ],
  }
}

/** With bytes that compare by their content. */
export function comparable({files, ...found}: CachedPackage) {
  return {
    ...found,
    files: files.map(({path, bytes}) => ({path, text: Buffer.from(bytes).toString('latin1')})),
  }
}
