import {below, pick} from '../soak/campaign.js'
import {TAR_END, member, paxRecord, resummed} from './raw-tar.js'
import type {RawHeader} from './raw-tar.js'

type Next = () => number

/**
 * A tar of a few members of every type and format, with extended headers and everything that readers disagree about;
 * then, most times, some bytes changed. Checksums hold wherever a header was changed, so that readers look at the rest.
 */
export function randomTar(next: Next): Buffer {
  const members = Array.from({length: 1 + below(next, 4)}, () => randomMember(next))
  const end = pick(next, [TAR_END, TAR_END, TAR_END, Buffer.alloc(512), Buffer.alloc(0), Buffer.alloc(700)])
  const tar = Buffer.concat([...members, end])
  const edits = pick(next, [0, 0, 0, 1, 2])
  for (let edit = 0; edit < edits; edit++) changeByte(next, tar)
  return below(next, 12) === 0 ? tar.subarray(0, below(next, tar.length)) : tar
}

const NAMES = [
  '.registry/app.yaml',
  '.registry/',
  'x',
  'x/',
  'usr/doc',
  'a/',
  './a',
  '',
  '/',
  'é',
  '\ud83d\ude00',
]
const LINKS = ['', '.registry', 'x', '/', '../x']
const TYPES = '00000000000123456757\0\0\0\0SVXN'.split('')
const CONTENTS = ['', '', 'x', 'title: a\n', 'y'.repeat(511), 'z'.repeat(600)]

function randomMember(next: Next): Buffer {
  const extensions = Array.from({length: pick(next, [0, 0, 0, 1, 1, 2, 3])}, () => randomExtension(next))
  const content = pick(next, CONTENTS)
  const header = {...randomHeader(next), type: pick(next, TYPES)}
  const size = below(next, 8) > 0 ? undefined : pick(next, [5, 512, '', '12\0 4', '7 7', '9'])
  const plain = member(size === undefined ? header : {...header, size}, content)
  return Buffer.concat([...extensions, ...(below(next, 12) === 0 ? [withOddFields(next, plain)] : [plain])])
}

function randomHeader(next: Next): RawHeader {
  return {
    name: pick(next, NAMES),
    linkName: pick(next, LINKS),
    magic: pick(next, ['ustar', 'ustar', 'gnu', 'gnu', 'v7', 'star']),
    prefix: pick(next, ['', '', '', '.registry', 'a/b', '14000000000', 'é', 'p'.repeat(131)]),
  }
}

function randomExtension(next: Next): Buffer {
  const type = pick(next, 'xxxxxgKLL'.split(''))
  const magic = pick(next, ['ustar', 'gnu'] as const)
  const content = type === 'K' || type === 'L' ? randomLongName(next) : randomRecords(next)
  return member({name: pick(next, ['ext', '.registry/.wh.app.yaml']), type, magic}, content)
}

function randomLongName(next: Next): string {
  return pick(next, [
    '',
    '\0',
    '.registry/app.yaml',
    '.registry/app.yaml\0',
    'd/\0',
    'a\0b',
    `${'l/'.repeat(90)}l`,
  ])
}

const RECORDS: Readonly<Record<string, readonly string[]>> = {
  path: ['', '.registry/app.yaml', 'd/', 'x', 'a\0b', 'é'],
  linkpath: ['', '.registry', 'x'],
  size: ['', '0', '1', '9', '512', '-1', '+1', 'x', '99999999999999999999'],
  uid: ['', '-1', '+5', 'x'],
  gid: ['1', '1.5'],
  mtime: ['1.5', '', '-1', '1.x', '.5', '1.'],
  uname: ['', 'root', 'a\0'],
  comment: ['', 'a=b', 'a\0b'],
  'SCHILY.xattr.user.a': ['', 'b'],
  'GNU.sparse.major': ['', '0', '1', '2'],
  'GNU.sparse.minor': ['', '0', '1'],
  'GNU.sparse.name': ['', '.registry/app.yaml', 'x'],
  'GNU.sparse.map': ['', '0,1', '0'],
  'GNU.sparse.numblocks': ['0', '1'],
  'GNU.sparse.realsize': ['1', '9', 'x'],
  'GNU.sparse.size': ['1'],
  'GNU.sparse.offset': ['', '0', '1,2'],
  'GNU.sparse.numbytes': ['', '1'],
}

function randomRecords(next: Next): string {
  const records = Array.from({length: below(next, 5)}, () => {
    const key = pick(next, below(next, 4) > 0 ? ['path', 'linkpath', 'comment'] : Object.keys(RECORDS))
    const values = RECORDS[key] ?? ['']
    // The first two are valid; an invalid one in each header would leave nothing to compare.
    return paxRecord(key, pick(next, below(next, 5) > 0 ? values.slice(0, 2) : values))
  })
  return `${records.join('')}${pick(next, [...Array<string>(20).fill(''), '9 a=\n', '0'])}`
}

/** Numbers in base 256, negative ones, and text where numbers belong. */
function withOddFields(next: Next, tar: Buffer): Buffer {
  const fields = [
    [100, 8],
    [108, 8],
    [124, 12],
    [136, 12],
    [329, 8],
    [345, 12],
    [357, 12],
    [476, 12],
    [482, 1],
    [483, 12],
  ] as const
  const [start, length] = pick(next, fields)
  const value = pick(next, [
    '\x80',
    '\xff'.repeat(12),
    'text',
    ' 1 \0',
    '\x0001',
    '\x80\x80\x80',
    '\x81',
    '1',
  ])
  tar.fill(0, start, start + length)
  tar.write(value, start, length, 'latin1')
  return resummed(tar)
}

/** Most times in a header, whose checksum is then made to hold again. */
function changeByte(next: Next, tar: Buffer): void {
  const block = 512 * below(next, Math.ceil(tar.length / 512))
  const at = Math.min(tar.length - 1, block + below(next, pick(next, [512, 160, 350])))
  tar.writeUInt8(
    pick(next, [0, 0x20, 0x2f, 0x30, 0x31, 0x35, 0x78, 0x67, 0x4c, 0x80, 0xff, below(next, 256)]),
    at,
  )
  if (below(next, 5) > 0 && block + 512 <= tar.length) resummed(tar.subarray(block, block + 512))
}
