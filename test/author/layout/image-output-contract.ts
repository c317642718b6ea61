import {describe, expect, it} from '@jest/globals'
import type {WritableFile, WritableFolder} from '../../../src/fetch/output-files.js'
import {bytesOf, chunked} from '../../fetch/fake-sources.js'
import {present} from '../../outcome.js'

/** Chunks that break off. */
async function* broken(): AsyncGenerator<Uint8Array, void, undefined> {
  yield await Promise.resolve(Buffer.from('half'))
  throw new Error('the source broke')
}

/** What every place for images does. */
export function describeOutputs(
  name: string,
  newFolder: () => WritableFolder,
  newFile: () => WritableFile,
): void {
  const text = (content: string) => chunked(Buffer.from(content), 3)
  const textOf = async (file: Awaited<ReturnType<WritableFolder['file']>>) =>
    (await bytesOf(present(file).read())).toString()

  describe(`${name}: a folder`, () => {
    it('does not exist before the first write', async () => {
      const folder = newFolder()
      expect([await folder.list(), await folder.file('a')]).toEqual([undefined, undefined])
    })

    it('has the last content', async () => {
      const folder = newFolder()
      await folder.write('a/b/c', text('first'))
      await folder.write('a/b/c', text('second'))
      await folder.write('d', text(''))
      expect([...present(await folder.list())].sort()).toEqual(['a', 'd'])
      expect([await textOf(await folder.file('a/b/c')), await textOf(await folder.file('d'))]).toEqual([
        'second',
        '',
      ])
      expect(await folder.file('a')).toBeUndefined()
    })

    it('keeps the old content when the source of the new one fails', async () => {
      const folder = newFolder()
      await folder.write('a', text('first'))
      await expect(folder.write('a', broken())).rejects.toThrow('the source broke')
      expect({list: await folder.list(), a: await textOf(await folder.file('a'))}).toEqual({
        list: ['a'],
        a: 'first',
      })
    })
  })

  describe(`${name}: a folder with several writers`, () => {
    it('is written by one process at a time', async () => {
      const folder = newFolder()
      await folder.write('sum', text('0'))
      const add = () =>
        folder.exclusively(async () => {
          const sum = Number(await textOf(await folder.file('sum')))
          await folder.write('sum', text(String(sum + 1)))
          return sum
        })
      const sums = await Promise.all(Array.from({length: 5}, add))
      expect(sums.sort()).toEqual([0, 1, 2, 3, 4])
      expect({list: await folder.list(), sum: await textOf(await folder.file('sum'))}).toEqual({
        list: ['sum'],
        sum: '5',
      })
    })

    it('is released after a failure', async () => {
      const folder = newFolder()
      await folder.write('a', text(''))
      await expect(folder.exclusively(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
      expect(await folder.exclusively(() => Promise.resolve('done'))).toBe('done')
    })
  })

  describe(`${name}: a file`, () => {
    it('exists once it is written, whole or not at all', async () => {
      const file = newFile()
      expect(await file.existing()).toBeUndefined()
      await expect(file.write(broken())).rejects.toThrow('the source broke')
      expect(await file.existing()).toBeUndefined()
      await file.write(text('content'))
      expect(await textOf(await file.existing())).toBe('content')
    })
  })
}
