import {gzipSync} from 'node:zlib'
import {describe, expect, it} from '@jest/globals'
import {archiveFiles} from '../../src/fetch/archive-files.js'
import {SOURCE_LIMITS} from '../../src/fetch/source-limits.js'
import {outcome, present} from '../outcome.js'
import {bytesOf, memoryFile} from './fake-sources.js'
import {member, rawTar, tarOfFiles} from './raw-tar.js'

async function textAt(archive: Uint8Array, path: string): Promise<string | undefined> {
  const files = await archiveFiles(memoryFile('a.tar', archive, 1000))
  const file = await files.file(path)
  return file && String(await bytesOf(file.read()))
}

describe('archiveFiles', () => {
  const link = (name: string, target: string, type = '2') => member({name, type, linkName: target})
  it.each<{name: string; archive: Uint8Array; path: string; want: string | undefined}>([
    {name: 'a file', archive: tarOfFiles({'a/b': 'text', c: 'other'}), path: 'a/b', want: 'text'},
    {name: 'nothing', archive: tarOfFiles({a: 'text'}), path: 'b', want: undefined},
    {name: 'names with ./', archive: tarOfFiles({'./a//b': 'text'}), path: 'a/b', want: 'text'},
    {
      name: 'the last of a name',
      archive: rawTar(member({name: 'a'}, 'old'), member({name: 'a'}, 'new')),
      path: 'a',
      want: 'new',
    },
    ...['index.json', './manifest.json', 'oci-layout'].map(document => ({
      name: `an archive with ${document} twice`,
      archive: rawTar(
        member({name: document}, '{}'),
        member({name: 'a'}, 'text'),
        member({name: document}, '{}'),
      ),
      path: 'a',
      want: 'source-invalid',
    })),
    {
      name: 'behind something large',
      archive: tarOfFiles({large: Buffer.alloc(3 * 2 ** 20), a: 'text'}),
      path: 'a',
      want: 'text',
    },
    {
      name: 'through a link',
      archive: rawTar(member({name: 'x/layer.tar'}, 'text'), link('y/layer.tar', '../x/layer.tar')),
      path: 'y/layer.tar',
      want: 'text',
    },
    {
      name: 'through two links',
      archive: rawTar(member({name: 'a'}, 'text'), link('b', './a'), link('c', 'b')),
      path: 'c',
      want: 'text',
    },
    {
      name: 'through a hard link',
      archive: rawTar(member({name: 'x/a'}, 'text'), link('y/a', 'x/a', '1')),
      path: 'y/a',
      want: 'text',
    },
    {name: 'through a link to nothing', archive: rawTar(link('a', 'b')), path: 'a', want: undefined},
    {
      name: 'through a link out of it',
      archive: rawTar(link('a', '../../etc/passwd')),
      path: 'a',
      want: undefined,
    },
    {name: 'a directory', archive: tarOfFiles({'a/': ''}), path: 'a', want: 'source-invalid'},
    {name: 'a link to itself', archive: rawTar(link('a', 'a')), path: 'a', want: 'source-invalid'},
    {name: 'names that leave it', archive: tarOfFiles({'../a': ''}), path: 'a', want: 'source-unsafe'},
    {name: 'an absolute name', archive: tarOfFiles({'/a': ''}), path: 'a', want: 'source-unsafe'},
    {name: 'a compressed archive', archive: gzipSync(tarOfFiles({a: ''})), path: 'a', want: 'unsupported'},
    {name: 'an empty file', archive: Buffer.alloc(0), path: 'a', want: 'source-invalid'},
    {
      name: 'an archive truncated in a large file',
      archive: tarOfFiles({large: Buffer.alloc(3 * 2 ** 20)}).subarray(0, 2 ** 20),
      path: 'large',
      want: 'source-invalid',
    },
  ])('finds $name', async ({archive, path, want}) => {
    expect(await outcome(() => textAt(archive, path))).toBe(want)
  })

  it('reads part of a file', async () => {
    const files = await archiveFiles(memoryFile('a.tar', tarOfFiles({a: '0123456789', b: 'next'})))
    const file = present(await files.file('a'))
    const texts = await Promise.all([file.read(2, 5), file.read(8), file.read(8, 100)].map(bytesOf))
    expect({texts: texts.map(String), size: file.size}).toEqual({texts: ['234', '89', '89'], size: 10})
  })

  it('limits the size of headers', async () => {
    const archive = memoryFile('a.tar', tarOfFiles({a: '', b: '', c: ''}))
    expect(await outcome(() => archiveFiles(archive, {...SOURCE_LIMITS, tarHeaders: 2}))).toBe(
      'limit-exceeded',
    )
  })
})
