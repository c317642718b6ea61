import {expect, it} from '@jest/globals'
import {CrossplaneError} from '../../../src/errors.js'
import {lockedVersions} from '../../../src/package/xpkg/changed-set.js'
import type {XpkgCatalog, XpkgContent} from '../../../src/resolve/xpkg/xpkg-catalog.js'

const CONTENT: XpkgContent = {kind: 'Configuration', dependencies: [], objects: []}

it('reads locked packages, and says why others cannot be read', async () => {
  const read: XpkgCatalog['read'] = async repository => {
    if (repository.endsWith('/gone')) throw new CrossplaneError('not-found', 'the registry has no tag v1.0.0')
    return await Promise.resolve(CONTENT)
  }
  const locked = ['r.example.org/a', 'r.example.org/gone'].map(repository => ({
    ...{repository, kind: 'Configuration' as const, mode: 'requested' as const},
    ...{tag: 'v1.0.0', requires: {}, summaryHash: '', more: {}},
  }))
  expect(await lockedVersions(locked, {read}, 'v2.3.4')).toEqual({
    read: [{repository: 'r.example.org/a', name: 'a', kind: 'Configuration', capabilities: [], objects: []}],
    unread: ['r.example.org/gone: the registry has no tag v1.0.0'],
  })
})
