import {execFileSync} from 'node:child_process'
import {readFileSync} from 'node:fs'
import {describe, expect, it} from '@jest/globals'
import {ByteCursor} from '../../../../src/fetch/byte-cursor.js'
import {ZstdDamage} from '../../../../src/unpack/files/zstd/zstd-damage.js'
import {ZstdWindowTooLarge, unzstd} from '../../../../src/unpack/files/zstd/unzstd.js'
import {bytesOf, chunked} from '../../../fetch/fake-sources.js'
import {missingTool} from '../../../missing-tool.js'
import {describeReal} from '../../../real-parts.js'
import {ZSTD_SAMPLES} from './zstd-samples.js'

const MiB = 2 ** 20

function unpacked(frames: Uint8Array, {window = 32 * MiB, chunk = 1000} = {}): Promise<Buffer> {
  return bytesOf(unzstd(new ByteCursor(chunked(frames, chunk)), window))
}

const sample = (name: string) => readFileSync(`test/testdata/zstd/${name}.zst`)

/** Damage is told as such, and a window as too large; a decoder that fails otherwise has overlooked something. */
async function verdict(frames: Uint8Array): Promise<'read' | 'damaged' | 'too large'> {
  try {
    await unpacked(frames)
    return 'read'
  } catch (error) {
    if (error instanceof ZstdDamage) return 'damaged'
    if (error instanceof ZstdWindowTooLarge) return 'too large'
    throw error
  }
}

const MAGIC = [0x28, 0xb5, 0x2f, 0xfd]
const RAW = 0
const REPEATED = 1
const COMPRESSED = 2

function block(
  type: number,
  size: number,
  content: readonly number[] = [],
  isLast = true,
): readonly number[] {
  const header = (size << 3) | (type << 1) | (isLast ? 1 : 0)
  return [header & 0xff, (header >> 8) & 0xff, header >> 16, ...content]
}

/** A frame with a window of 8 MiB that does not say how long it is. */
const frame = (...blocks: readonly (readonly number[])[]) =>
  Buffer.from([...MAGIC, 0, 13 << 3, ...blocks.flat()])

/** Sixteen bytes of literals with a Huffman code of which every weight is said by one state, for ever. */
const endless = [0x02, 0x81, 0x02, 4, 0xf0, 0x03, 0xff, 0xff, 1, 1, 1, 1, 1, 0]

describe('unzstd', () => {
  it.each(Object.keys(ZSTD_SAMPLES))('decompresses the sample "%s"', async name => {
    expect((await unpacked(sample(name))).equals(ZSTD_SAMPLES[name]?.() ?? Buffer.alloc(0))).toBe(true)
  })

  it.each([1, 3, 17, 100_000])('decompresses the same from chunks of %d', async chunk => {
    expect(
      (await unpacked(sample('best'), {chunk})).equals(ZSTD_SAMPLES['best']?.() ?? Buffer.alloc(0)),
    ).toBe(true)
  })

  it.each<{name: string; frames: Buffer; want: string}>([
    {name: 'nothing', frames: Buffer.alloc(0), want: ''},
    {name: 'an empty frame', frames: frame(block(RAW, 0)), want: ''},
    {name: 'stored blocks', frames: frame(block(RAW, 2, [97, 98], false), block(RAW, 1, [99])), want: 'abc'},
    {name: 'a repeated byte', frames: frame(block(REPEATED, 5, [97])), want: 'aaaaa'},
    {
      name: 'a frame of known size',
      frames: Buffer.from([...MAGIC, 0x20, 2, ...block(RAW, 2, [97, 98])]),
      want: 'ab',
    },
    {name: 'a match', frames: frame(block(COMPRESSED, 8, [8, 97, 1, 0x54, 1, 2, 0, 4])), want: 'aaaa'},
    {name: 'literals alone', frames: frame(block(COMPRESSED, 4, [2 << 3, 97, 98, 0])), want: 'ab'},
    {name: 'repeated literals', frames: frame(block(COMPRESSED, 3, [(5 << 3) | 1, 97, 0])), want: 'aaaaa'},
  ])('reads $name', async ({frames, want}) => {
    expect(String(await unpacked(frames))).toBe(want)
  })

  it('reads a Huffman code with uncompressed weights', async () => {
    const frames = frame(block(COMPRESSED, 7, [0x42, 0xc0, 0, 0x80, 0x10, 0x16, 0]))
    expect([...(await unpacked(frames))]).toEqual([0, 1, 1, 0])
  })

  it('reads more sequences than fit into two bytes, with alternating repeated offsets', async () => {
    const count = 0x7f00
    const sequences = [0, 255, 0, 0, 0x54, 0, 0, 0, 1]
    const frames = frame(block(RAW, 4, [...Buffer.from('abcd')], false), block(COMPRESSED, 9, sequences))
    let want = 'abcd'
    for (let turn = 0; turn < count; turn++) {
      const offset = turn % 2 === 0 ? 4 : 1
      for (let i = 0; i < 3; i++) want += want.charAt(want.length - offset)
    }
    expect(String(await unpacked(frames)) === want).toBe(true)
  })

  it.each<{name: string; frames: Buffer; want?: string}>([
    {name: 'no frame', frames: Buffer.from('no frame')},
    {name: 'half a magic number', frames: Buffer.from(MAGIC.slice(0, 3))},
    {name: 'data after a frame', frames: Buffer.concat([frame(block(RAW, 0)), Buffer.from('x')])},
    {name: 'zeros behind a frame', frames: Buffer.concat([frame(block(RAW, 0)), Buffer.alloc(100)])},
    {name: 'a reserved bit', frames: Buffer.from([...MAGIC, 8, 0, ...block(RAW, 0)])},
    {name: 'a dictionary', frames: Buffer.from([...MAGIC, 1, 0, 7, ...block(RAW, 0)])},
    {name: 'a reserved block', frames: frame(block(3, 0))},
    {name: 'a block above 128 KiB', frames: frame(block(REPEATED, 128 * 1024 + 1, [0]))},
    {name: 'a block above the window', frames: Buffer.from([...MAGIC, 0x20, 2, ...block(REPEATED, 3, [0])])},
    {
      name: 'less data than the frame declares',
      frames: Buffer.from([...MAGIC, 0x20, 2, ...block(RAW, 1, [0])]),
    },
    {name: 'an empty compressed block', frames: frame(block(COMPRESSED, 0))},
    {name: 'literals without sequences', frames: frame(block(COMPRESSED, 3, [2 << 3, 97, 98]))},
    {
      name: 'more literals than a block can have',
      frames: frame(block(COMPRESSED, 5, [0xfd, 0xff, 0xff, 97, 0])),
    },
    {name: 'a Huffman code never given', frames: frame(block(COMPRESSED, 5, [0x13, 0x40, 0, 1, 0]))},
    {name: 'sequences with a table never given', frames: frame(block(COMPRESSED, 5, [0, 1, 0xfc, 1, 1]))},
    {name: 'a match before the beginning', frames: frame(block(COMPRESSED, 8, [8, 97, 1, 0x54, 1, 3, 0, 8]))},
    {name: 'weights without end', frames: frame(block(COMPRESSED, endless.length, endless))},
    {name: 'a skippable frame cut off', frames: Buffer.from([0x50, 0x2a, 0x4d, 0x18, 9, 0, 0, 0, 1])},
    {
      name: 'a window of 2 TiB',
      frames: Buffer.from([...MAGIC, 0, 0xff, ...block(RAW, 0)]),
      want: 'too large',
    },
    {
      name: 'content of 2^40 bytes at once',
      frames: Buffer.from([...MAGIC, 0xe0, 0, 0, 0, 0, 0, 1, 0, 0]),
      want: 'too large',
    },
  ])('rejects $name', async ({frames, want = 'damaged'}) => {
    expect(await verdict(frames)).toBe(want)
  })

  it('rejects a sample truncated at any byte', async () => {
    const frames = sample('usual')
    const lengths = Array.from({length: 25}, (_, index) => 1 + Math.floor((index * (frames.length - 2)) / 25))
    const verdicts = await Promise.all(lengths.map(length => verdict(frames.subarray(0, length))))
    expect(new Set(verdicts)).toEqual(new Set(['damaged']))
  })

  it.each(['usual', 'best', 'short', 'many'])(
    'returns or throws only its own errors, for "%s" with flipped bits',
    async name => {
      const frames = sample(name)
      const verdicts = new Map<string, number>()
      for (let turn = 0; turn < 60; turn++) {
        const broken = Buffer.from(frames)
        const at = (turn * turn * 7919 + turn) % Math.min(broken.length, 2000)
        broken[at] = (broken[at] ?? 0) ^ (1 << (turn % 8))
        const found = await verdict(broken)
        verdicts.set(found, (verdicts.get(found) ?? 0) + 1)
      }
      expect(verdicts.get('damaged')).toBeGreaterThan(5)
    },
  )
})

describeReal('unzstd, compared with zstd', missingTool('zstd'), () => {
  it.each(['--fast=3', '-1', '-3', '-7', '-12', '-16', '-19', '--long=24'])(
    'reads the output of zstd %s',
    async level => {
      const text = Buffer.concat(Object.values(ZSTD_SAMPLES).map(make => make()))
      const frames = execFileSync('zstd', ['-q', '-c', level], {input: text, maxBuffer: 64 * MiB})
      expect((await unpacked(frames)).equals(text)).toBe(true)
    },
  )

  it('rejects all frames that zstd rejects, and never reads different data', async () => {
    const frames = sample('best')
    const surprises: number[] = []
    for (let turn = 0; turn < 60; turn++) {
      const broken = Buffer.from(frames)
      const at = 6 + ((turn * 7919) % (broken.length - 6))
      broken[at] = (broken[at] ?? 0) ^ (1 << (turn % 8))
      const ours = await unpacked(broken).catch(() => undefined)
      if (ours !== undefined && zstdReads(broken)?.equals(ours) !== true) surprises.push(at)
    }
    expect(surprises).toEqual([])
  })
})

function zstdReads(frames: Buffer): Buffer | undefined {
  try {
    return execFileSync('zstd', ['-q', '-d', '-c'], {
      input: frames,
      maxBuffer: 64 * MiB,
      stdio: ['pipe', 'pipe', 'ignore'],
    })
  } catch {
    return undefined
  }
}
