import {describe, expect, it} from '@jest/globals'
import fc from 'fast-check'
import {pack} from 'tar-stream'
import {CrossplaneError} from '../../src/errors.js'
import {Allowance} from '../../src/fetch/allowance.js'
import {ByteCursor} from '../../src/fetch/byte-cursor.js'
import {tarEntries} from '../../src/fetch/tar-entries.js'
import type {TarEntry} from '../../src/fetch/tar-entries.js'
import {outcome} from '../outcome.js'
import {bytesOf, chunked} from './fake-sources.js'
import {TAR_END, member, paxRecord, rawTar, resummed, tarHeader, withPax} from './raw-tar.js'

type Shown = Pick<TarEntry, 'name' | 'kind' | 'linkName' | 'size'> & {readonly content: string}

interface Bounds {
  readonly headers: number
  readonly headerBytes: number
}

async function shown(
  tar: Uint8Array,
  chunk = 700,
  bounds: Bounds = {headers: 100, headerBytes: 4096},
): Promise<Shown[]> {
  const entries: Shown[] = []
  const cursor = new ByteCursor(chunked(tar, chunk))
  const headers = new Allowance(bounds.headers, 'headers')
  for await (const entry of tarEntries(cursor, 'the tar', {headers, headerBytes: bounds.headerBytes})) {
    const {name, kind, linkName, size} = entry
    entries.push({name, kind, linkName, size, content: Buffer.from(await entry.read()).toString()})
  }
  return entries
}

const file = (name: string, content = ''): Shown => ({
  name,
  kind: 'file',
  linkName: '',
  size: content.length,
  content,
})

describe('tarEntries', () => {
  const long = `${'deep/'.repeat(60)}file`
  it.each<{name: string; reason: string; in: Uint8Array; want: readonly Partial<Shown>[]}>([
    {
      name: 'an empty archive',
      reason: 'a layer that changes nothing is one',
      in: TAR_END,
      want: [],
    },
    {
      name: 'one block of zeros at the end',
      reason: 'some writers forget the second',
      in: Buffer.concat([member({name: 'a'}, 'x'), Buffer.alloc(512)]),
      want: [file('a', 'x')],
    },
    {
      name: 'no end, and no padding before it',
      reason: 'umoci insert',
      in: Buffer.concat([member({name: 'a'}, 'x'), tarHeader({name: 'b', size: 1}), Buffer.from('y')]),
      want: [file('a', 'x'), file('b', 'y')],
    },
    {
      name: 'zeros behind the end',
      reason: 'tar fills up to its blocking factor',
      in: Buffer.concat([rawTar(member({name: 'a'}, 'x')), Buffer.alloc(10_240)]),
      want: [file('a', 'x')],
    },
    {
      name: 'every kind',
      reason: 'images hold all of them',
      in: rawTar(
        member({name: 'f'}, 'x'),
        member({name: 'c', type: '7'}, 'y'),
        member({name: 'd/', type: '5'}),
        member({name: 's', type: '2', linkName: 'f'}),
        member({name: 'h', type: '1', linkName: 'f'}),
        member({name: 'chr', type: '3'}),
        member({name: 'blk', type: '4'}),
        member({name: 'p', type: '6'}),
        member({name: 'V', type: 'V'}),
      ),
      want: [
        file('f', 'x'),
        {...file('c', 'y'), kind: 'other'},
        {...file('d/'), kind: 'directory'},
        {...file('s'), kind: 'symlink', linkName: 'f'},
        {...file('h'), kind: 'hardlink', linkName: 'f'},
        {...file('chr'), kind: 'device'},
        {...file('blk'), kind: 'device'},
        {...file('p'), kind: 'fifo'},
        {...file('V'), kind: 'other'},
      ],
    },
    {
      name: 'v7',
      reason: 'before ustar, a slash made a directory',
      in: rawTar(
        member({name: 'd/', type: '\0', magic: 'v7'}),
        member({name: 'a', type: '\0', magic: 'v7'}, 'x'),
      ),
      want: [{...file('d/'), kind: 'directory'}, file('a', 'x')],
    },
    {
      name: 'the prefix of ustar',
      reason: 'names of up to 255 bytes',
      in: rawTar(member({name: 'name', prefix: 'front'})),
      want: [file('front/name')],
    },
    {
      name: 'no prefix in GNU headers',
      reason: 'there the field holds times',
      in: rawTar(member({name: 'name', prefix: '14000000000', magic: 'gnu'})),
      want: [file('name')],
    },
    {
      name: 'a short prefix in star headers',
      reason: 'times follow it',
      in: rawTar(member({name: 'name', prefix: 'p'.repeat(131) + '14000000000', magic: 'star'})),
      want: [file(`${'p'.repeat(131)}/name`)],
    },
    {
      name: 'pax names, targets and sizes',
      reason: 'they take precedence over the header',
      in: rawTar(
        withPax(
          {path: long, size: '3'},
          Buffer.concat([tarHeader({name: 'short', size: 0}), Buffer.alloc(512, 'abc\0')]),
        ),
        withPax({linkpath: long}, member({name: 's', type: '2', linkName: 'short'})),
      ),
      want: [file(long, 'abc'), {...file('s'), kind: 'symlink', linkName: long}],
    },
    {
      name: 'an empty pax record',
      reason: 'it is ignored',
      in: rawTar(withPax({path: ''}, member({name: 'a'}))),
      want: [file('a')],
    },
    {
      name: 'a global pax header',
      reason: 'git archive writes one; container runtimes ignore what it states about others',
      in: rawTar(member({name: 'g', type: 'g'}, paxRecord('comment', 'c')), member({name: 'a'})),
      want: [{...file('g'), kind: 'other'}, file('a')],
    },
    {
      name: 'GNU names and targets',
      reason: 'they outdo pax',
      in: rawTar(
        member({name: '././@LongLink', type: 'L', magic: 'gnu'}, `${long}\0`),
        member({name: '././@LongLink', type: 'K', magic: 'gnu'}, `${long}2\0`),
        withPax({path: 'pax'}, member({name: 's', type: '2', linkName: 't', magic: 'gnu'})),
      ),
      want: [{...file(long), kind: 'symlink', linkName: `${long}2`}],
    },
    {
      name: 'a size in base 256',
      reason: 'GNU writes large ones so',
      in: rawTar(
        Buffer.concat([tarHeader({name: 'a', size: `\x80${'\0'.repeat(10)}\x02`}), Buffer.alloc(512, 'hi')]),
      ),
      want: [file('a', 'hi')],
    },
    {
      name: 'a link with a size',
      reason: 'POSIX lets links state the size of what they lead to, and nothing follows',
      in: rawTar(tarHeader({name: 'h', type: '1', size: 5000, linkName: 'a'}), member({name: 'a'}, 'x')),
      want: [{...file('h'), kind: 'hardlink', linkName: 'a'}, file('a', 'x')],
    },
    {
      name: 'sparse files of both kinds',
      reason: 'they are not plain files, and the entries after them are read',
      in: rawTar(
        withPax({'GNU.sparse.major': '1', 'GNU.sparse.minor': '0'}, member({name: 'new'}, 'map')),
        oldSparse('old', 'data'),
        member({name: 'a'}, 'x'),
      ),
      want: [{...file('new', 'map'), kind: 'other'}, {...file('old', 'data'), kind: 'other'}, file('a', 'x')],
    },
    {
      name: 'a signed checksum',
      reason: 'old tools summed signed characters',
      in: rawTar(signed(member({name: 'é'}))),
      want: [file('é')],
    },
    {
      name: 'a name that is not UTF-8',
      reason: 'images hold them; whether it matters depends on where',
      in: rawTar(latin1Name()),
      want: [file('caf\ufffd')],
    },
  ])('reads $name: $reason', async ({in: tar, want}) => {
    expect(await shown(tar)).toEqual(want)
  })

  it.each([1, 511, 512, 513, 100_000])('reads the same in chunks of %d', async chunk => {
    const tar = rawTar(withPax({path: long}, member({name: 'a'}, 'x'.repeat(700))), member({name: 'b'}))
    expect(await shown(tar, chunk)).toEqual([file(long, 'x'.repeat(700)), file('b')])
  })

  it('skips content that is not read, and records where it is', async () => {
    const tar = rawTar(member({name: 'a'}, 'x'.repeat(700)), member({name: 'b'}, 'y'))
    const offsets: number[] = []
    const bounds = {headers: new Allowance(10, 'headers'), headerBytes: 10}
    for await (const {offset} of tarEntries(new ByteCursor(chunked(tar)), 'the tar', bounds))
      offsets.push(offset)
    expect(offsets).toEqual([512, 2048])
  })

  it('reads the archives of tar-stream', async () => {
    const name = fc.stringMatching(/^[a-zA-Zéß€/._-]{0,119}[a-zé]$/)
    const members = fc.array(fc.record({name, content: fc.string({unit: 'binary', maxLength: 1500})}), {
      maxLength: 5,
    })
    await fc.assert(
      fc.asyncProperty(members, async files => {
        const packing = pack()
        for (const {name, content} of files) packing.entry({name}, content)
        packing.finalize()
        const read = await shown(await bytesOf(packing as AsyncIterable<Buffer>))
        expect(read.map(({name, content}) => ({name, content}))).toEqual(files)
      }),
      {numRuns: 50},
    )
  })

  const sound = rawTar(withPax({path: long}, member({name: 'a'}, 'x'.repeat(700))), member({name: 'b'}, 'y'))
  it('rejects an archive truncated anywhere except between entries', async () => {
    const accepted: number[] = []
    for (let length = 0; length <= sound.length - TAR_END.length; length++) {
      const found = await outcome(() => shown(sound.subarray(0, length)))
      if (found !== 'source-invalid') accepted.push(length)
    }
    const padded = (from: number, to: number) =>
      Array.from({length: to - from + 1}, (_, index) => from + index)
    expect(accepted).toEqual([0, ...padded(2236, 2560), ...padded(3073, 3584)])
  })

  it.each([
    {name: 'a short text', in: Buffer.from('hello'), want: 'it is not a tar archive'},
    {name: 'a long text', in: Buffer.from('hello\n'.repeat(999)), want: 'it is not a tar archive'},
    {name: 'the beginning of an archive', in: sound.subarray(0, 300), want: 'it is truncated'},
    {
      name: 'an archive without its checksum',
      in: Buffer.from(sound).fill(0, 148, 156),
      want: 'byte 0 is damaged',
    },
  ])('tells what $name is', async ({in: bytes, want}) => {
    await expect(shown(bytes)).rejects.toThrow(want)
  })

  it('rejects a header with any bit flipped', async () => {
    const flipped = Array.from({length: 60}, (_, index) => {
      const tar = Buffer.from(sound)
      const at = index * 8
      tar[at] = (tar[at] ?? 0) ^ 0x10
      return tar
    })
    const outcomes = await Promise.all(flipped.map(tar => outcome(() => shown(tar))))
    expect(new Set(outcomes)).toEqual(new Set(['source-invalid']))
  })

  it('throws only its own errors, for any bytes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(sound.length - 1), fc.nat(255)), {maxLength: 4}),
        async changes => {
          const tar = Buffer.from(sound)
          for (const [at, byte] of changes) tar[at] = byte
          await shown(tar).catch((error: unknown) => {
            if (!(error instanceof CrossplaneError)) throw error
          })
        },
      ),
      {numRuns: 300},
    )
  })

  it.each<{name: string; in: Uint8Array; want: string; bounds?: Bounds}>([
    {name: 'no tar', in: Buffer.alloc(2048, 'no tar'), want: 'source-invalid'},
    {
      name: 'a wrong checksum',
      in: rawTar(member({name: 'a', checksum: '000000\0 '})),
      want: 'source-invalid',
    },
    {
      name: 'a size that is not a number',
      in: rawTar(member({name: 'a', size: 'many'})),
      want: 'source-invalid',
    },
    {
      name: 'a negative size',
      in: rawTar(member({name: 'a', size: '\xff'.repeat(12)})),
      want: 'source-invalid',
    },
    {
      name: 'a size of 2^62',
      in: rawTar(member({name: 'a', size: '\x80\0\0\0\x40' + '\0'.repeat(7)})),
      want: 'source-invalid',
    },
    {
      name: 'a size beyond the archive',
      in: rawTar(member({name: 'a', size: 2 ** 32})),
      want: 'source-invalid',
    },
    {
      name: 'a negative size in pax',
      in: rawTar(withPax({size: '-1'}, member({name: 'a'}))),
      want: 'source-invalid',
    },
    {
      name: 'a pax record without end',
      in: rawTar(member({name: 'x', type: 'x'}, '30 path=a\n')),
      want: 'source-invalid',
    },
    {
      name: 'a pax record of length 0',
      in: rawTar(member({name: 'x', type: 'x'}, '0 path=a\n')),
      want: 'source-invalid',
    },
    {
      name: 'a pax record without key',
      in: rawTar(member({name: 'x', type: 'x'}, '6 =ab\n')),
      want: 'source-invalid',
    },
    {
      name: 'NUL in a pax name',
      in: rawTar(withPax({path: 'a\0b'}, member({name: 'a'}))),
      want: 'source-invalid',
    },
    {
      name: 'an extended header before the end',
      in: rawTar(withPax({path: 'a'}, Buffer.alloc(0))),
      want: 'source-invalid',
    },
    {name: 'garbage behind the end', in: Buffer.concat([rawTar(), Buffer.from('x')]), want: 'source-invalid'},
    {
      name: 'another archive behind the end',
      in: Buffer.concat([rawTar(), rawTar(member({name: 'a'}))]),
      want: 'source-invalid',
    },
    {
      name: 'a long extended header',
      in: rawTar(withPax({path: 'a'.repeat(5000)}, member({name: 'a'}))),
      want: 'limit-exceeded',
    },
    {
      name: 'too many headers',
      in: rawTar(member({name: 'a'}), member({name: 'b'}), member({name: 'c'})),
      want: 'limit-exceeded',
      bounds: {headers: 2, headerBytes: 4096},
    },
    {
      name: 'extended headers without end',
      in: rawTar(...new Array<Buffer>(9).fill(member({name: 'x', type: 'x'}, paxRecord('path', 'a')))),
      want: 'limit-exceeded',
      bounds: {headers: 5, headerBytes: 4096},
    },
  ])('rejects $name', async ({in: tar, want, bounds}) => {
    expect(await outcome(() => shown(tar, 700, bounds))).toBe(want)
  })
})

/** Old GNU: the header says that a block of its map follows, which says that none does. */
function oldSparse(name: string, content: string): Buffer {
  const header = tarHeader({name, type: 'S', size: content.length, magic: 'gnu'})
  header[482] = 1
  return Buffer.concat([
    resummed(header),
    Buffer.alloc(512),
    Buffer.from(content),
    Buffer.alloc(512 - content.length),
  ])
}

function latin1Name(): Buffer {
  const header = tarHeader({name: 'cafe'})
  header[3] = 0xe9
  return resummed(header)
}

function signed(header: Buffer): Buffer {
  header.write('        ', 148)
  const sum = header.reduce((all, byte) => all + ((byte << 24) >> 24), 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return header
}
