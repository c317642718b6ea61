import {expect, it} from '@jest/globals'
import type {Lock} from '../../../src/declaration/lock.js'
import type {PackageFolder, PackageSources} from '../../../src/locate/package-sources.js'
import {unavailablePackages} from '../../../src/resolve/lock/missing-in-folder.js'

/** A folder with v1.0.0 of some repositories, by their paths. */
function folderOf(...paths: readonly string[]): PackageFolder {
  const version = {tag: 'v1.0.0', at: {kind: 'directory', path: 'x'}} as const
  return {
    versions: name => Promise.resolve(paths.includes(name.path) ? [version] : []),
    all: () => Promise.resolve([]),
  }
}

const LOCK = {
  packages: [
    {identity: 'x/here', tag: 'v1.0.0'},
    {identity: 'x/other-version', tag: 'v2.0.0'},
    {identity: 'Not/a/Repository', tag: 'v1.0.0'},
    {identity: 'x/pinned', tag: 'v1.0.0', digest: 'sha256:1'},
  ],
  xpkgs: [
    {repository: 'xpkg.crossplane.io/y/here', tag: 'v1.0.0'},
    {repository: 'xpkg.crossplane.io/y/gone', tag: 'v1.0.0'},
    {repository: 'xpkg.crossplane.io/y/by-digest', digest: 'sha256:2'},
  ],
} as unknown as Pick<Lock, 'packages' | 'xpkgs'>

it.each([
  {
    folder: folderOf('x/here', 'x/other-version', 'y/here'),
    want: ['x/other-version:v2.0.0', 'Not/a/Repository:v1.0.0', 'xpkg.crossplane.io/y/gone:v1.0.0'],
  },
  {
    folder: undefined,
    want: [
      ...['x/here:v1.0.0', 'x/other-version:v2.0.0', 'Not/a/Repository:v1.0.0'],
      ...['xpkg.crossplane.io/y/here:v1.0.0', 'xpkg.crossplane.io/y/gone:v1.0.0'],
    ],
  },
])('names locked packages without a digest that the folder does not have, of both formats', async given => {
  const sources = {} as PackageSources
  const {folder, want} = given
  const ports = {sources, remote: {}, ...(folder === undefined ? {} : {folder})}
  expect(await unavailablePackages(LOCK, ports)).toEqual(want)
})
