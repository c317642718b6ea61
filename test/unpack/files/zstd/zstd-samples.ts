/**
 * What the files in test/testdata/zstd decompress to. They were made from these bytes by zstd 1.5.4; each is there for
 * something that the others do not have:
 *   fast       --fast=5          literals stored as they are
 *   usual      -3                Huffman codes in four streams, tables described and used again
 *   best       -19 --no-check    long matches, all kinds of offsets
 *   long       --long=20 -19     a window larger than a block, matches far back
 *   short      -3                one stream, the content's size in one byte
 *   zeros      -3                blocks that are one byte, repeated
 *   noise      -3                blocks that are stored
 *   many       four frames one after the other, and two for other readers among them
 */
export const ZSTD_SAMPLES: Readonly<Record<string, () => Buffer>> = {
  fast: () => words(60_000, 1),
  usual: () => words(150_000, 2),
  best: () => words(150_000, 3),
  long: () => Buffer.concat([words(140_000, 4), noise(10_000, 5), words(140_000, 4)]),
  short: () => Buffer.from('crossplane, crossplane, and again crossplane'),
  zeros: () => Buffer.alloc(400_000),
  noise: () => noise(5000, 6),
  many: () => Buffer.concat([words(1000, 7), noise(100, 8), Buffer.alloc(0), words(500, 9)]),
}

const WORDS =
  'apiVersion kind metadata name spec status versions served storage schema properties type'.split(' ')

/** Text like that of packages: few words, many times. */
function words(length: number, seed: number): Buffer {
  const next = generator(seed)
  let text = ''
  while (text.length < length)
    text += `${'  '.repeat(next() % 5)}${WORDS[next() % WORDS.length] ?? ''}: ${next() % 1000}\n`
  return Buffer.from(text.slice(0, length))
}

function noise(length: number, seed: number): Buffer {
  const next = generator(seed)
  return Buffer.from(Array.from({length}, () => next() & 0xff))
}

/** Numbers that are the same on every machine (a linear congruential generator, its better bits). */
function generator(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state >>> 8
  }
}
