import type {CachedPackage} from '../../src/cache/cached-package.js'
import {digestOf} from '../../src/fetch/verified-bytes.js'

/** Fifty packages of five files each: some of their own, some that several have, from nothing to 40 KiB. */
export function manyPackages(): readonly CachedPackage[] {
  return Array.from({length: 50}, (_, index) => {
    const texts = [`own ${index}`, `of ten ${index % 10}`, 'of all', '', `large ${index} `.repeat(4000)]
    return {
      digest: digestOf(Buffer.from(`package ${index}`)),
      platform: {os: 'linux', architecture: 'amd64'},
      repository: {registry: 'registry.example.org', path: `team/package-${index}`},
      files: texts.map((text, at) => ({path: `resources/${at}.yaml`, bytes: Buffer.from(text)})),
    }
  })
}

/** Whether a package is another, to the byte. */
export function isPackage(found: CachedPackage, requested: CachedPackage): boolean {
  return (
    found.digest === requested.digest &&
    found.files.length === requested.files.length &&
    found.files.every(({path, bytes}, at) => {
      const file = requested.files[at]
      return file !== undefined && path === file.path && Buffer.compare(bytes, file.bytes) === 0
    })
  )
}
