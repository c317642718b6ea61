import {expect, it} from '@jest/globals'
import {mkdirSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {pathStamp} from '../../src/adapters/path-stamp.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'

const home = temporaryFolder()
/** Longer than the times of the coarsest file system. */
const settled = async () => await new Promise(resolve => setTimeout(resolve, 2_100))

it('is the same for the same files, and another one after any change', async () => {
  const folder = join(home, 'package')
  writeTree(folder, {'crossplane.yaml': 'a: 1', 'crds/a.yaml': 'a: 1', 'crds/b.yaml': 'b: 1'})
  const file = join(folder, 'crds/a.yaml')
  const stamps: (string | undefined)[] = []
  const changes = [
    () => undefined,
    () => {
      const {atime, mtime} = statSync(file)
      writeFileSync(file, 'a: 2')
      utimesSync(file, atime, mtime)
    },
    () => rmSync(join(folder, 'crds/b.yaml')),
    () => mkdirSync(join(folder, 'examples')),
  ]
  for (const change of changes) {
    change()
    await settled()
    expect(pathStamp(folder)).toBe(pathStamp(folder))
    stamps.push(pathStamp(folder))
  }
  expect(stamps).not.toContain(undefined)
  expect(new Set(stamps).size).toBe(changes.length)
})

it('is unknown for what could be another file, or could have changed without another time', async () => {
  const folder = join(home, 'other')
  writeTree(folder, {'one/a.yaml': 'a: 1', 'a.xpkg': ''})
  symlinkSync('a.yaml', join(folder, 'one/link.yaml'))
  await settled()
  expect(pathStamp(join(folder, 'a.xpkg'))).toMatch(/^[0-9a-f]{64}$/)
  expect(pathStamp(join(folder, 'one'))).toBeUndefined()
  expect(pathStamp(join(folder, 'absent'))).toBeUndefined()
  writeFileSync(join(folder, 'a.xpkg'), '')
  expect(pathStamp(join(folder, 'a.xpkg'))).toBeUndefined()
})
