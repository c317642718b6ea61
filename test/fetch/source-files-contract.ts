import {describe, expect, it} from '@jest/globals'
import type {SourceFiles} from '../../src/fetch/source-files.js'
import {outcome, present} from '../outcome.js'
import {bytesOf} from './fake-sources.js'

/** What all SourceFiles keep to: in memory, on disk, in an archive. */
export function sourceFilesContract(
  name: string,
  make: (files: Readonly<Record<string, string>>) => Promise<SourceFiles> | SourceFiles,
): void {
  describe(`${name}, as source files`, () => {
    const large = 'large '.repeat(100_000)
    const files = {'index.json': '{}', 'blobs/sha256/abc': '0123456789', 'blobs/large': large, empty: ''}

    it.each(Object.entries(files))('contains %s', async (path, content) => {
      const file = present(await (await make(files)).file(path))
      const text = String(await bytesOf(file.read()))
      expect({size: file.size, same: text === content}).toEqual({size: content.length, same: true})
    })

    it('reads parts repeatedly', async () => {
      const file = present(await (await make(files)).file('blobs/sha256/abc'))
      const parts = [
        file.read(),
        file.read(3),
        file.read(3, 5),
        file.read(5, 5),
        file.read(8, 100),
        file.read(),
      ]
      const texts: string[] = []
      for (const part of parts) texts.push(String(await bytesOf(part)))
      expect(texts).toEqual(['0123456789', '3456789', '34', '', '89', '0123456789'])
    })

    it('can be closed before the end', async () => {
      const file = present(await (await make(files)).file('blobs/large'))
      for await (const chunk of file.read()) {
        expect(large.startsWith(String(Buffer.from(chunk)))).toBe(true)
        break
      }
      expect((await bytesOf(file.read(0, 5))).length).toBe(5)
    })

    it.each(['no', 'blobs/sha256/no', 'index.json/no'])('does not contain %s', async path => {
      expect(await (await make(files)).file(path)).toBeUndefined()
    })

    it('does not read a directory as a file', async () => {
      const found = await outcome(async () => (await make(files)).file('blobs'))
      expect(['source-invalid', undefined]).toContain(found)
    })
  })
}
