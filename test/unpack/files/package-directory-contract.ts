import {describe, expect, it} from '@jest/globals'
import type {PackageDirectory} from '../../../src/unpack/files/package-directory.js'
import type {DirectorySpec} from './memory-directory.js'

/** What every PackageDirectory keeps to, the one in memory and the one on disk. */
export function packageDirectoryContract(
  name: string,
  make: (spec: DirectorySpec) => Promise<PackageDirectory> | PackageDirectory,
): void {
  describe(`${name}, as a package directory`, () => {
    const spec: DirectorySpec = {
      '.registry/app.yaml': 'title: x',
      '.registry/empty': '',
      '.registry/deep/er/file': 'content',
      '.registry/link': {link: 'app.yaml'},
      '.registry/dangling': {link: '/nowhere'},
    }

    it('lists names, those of the root for the empty path', async () => {
      const directory = await make(spec)
      const lists = await Promise.all(
        ['', '.registry', '.registry/deep'].map(path => directory.list(path, 100)),
      )
      const want = [['.registry'], ['app.yaml', 'dangling', 'deep', 'empty', 'link'], ['er']]
      expect(lists.map(names => [...names].sort())).toEqual(want)
    })

    it('lists one name more than the limit, to show that it is exceeded', async () => {
      const directory = await make(spec)
      expect((await directory.list('.registry', 2)).length).toBe(3)
    })

    it('reports the types of entries, without following links', async () => {
      const directory = await make(spec)
      const paths = [
        '.registry',
        '.registry/app.yaml',
        '.registry/link',
        '.registry/dangling',
        'no',
        '.registry/app.yaml/no',
      ]
      expect(await Promise.all(paths.map(path => directory.entry(path)))).toEqual([
        {kind: 'directory'},
        {kind: 'file'},
        {kind: 'symlink', target: 'app.yaml'},
        {kind: 'symlink', target: '/nowhere'},
        {kind: 'absent'},
        {kind: 'absent'},
      ])
    })

    it('reads files, and one byte more than the limit of longer ones', async () => {
      const directory = await make(spec)
      const read = async (path: string, atMost: number) =>
        String(Buffer.from(await directory.read(path, atMost)))
      const texts = [
        await read('.registry/app.yaml', 100),
        await read('.registry/app.yaml', 3),
        await read('.registry/empty', 3),
      ]
      expect(texts).toEqual(['title: x', 'titl', ''])
    })
  })
}
