import {execFile} from 'node:child_process'
import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {promisify} from 'node:util'
import {describe, expect, it} from '@jest/globals'
import fc from 'fast-check'
import {tarEnd, tarHeader, type TarMember, tarPadding} from '../../../src/author/build/tar-writer.js'
import {Allowance} from '../../../src/fetch/allowance.js'
import {ByteCursor} from '../../../src/fetch/byte-cursor.js'
import {tarEntries} from '../../../src/fetch/tar-entries.js'
import {chunked} from '../../fetch/fake-sources.js'
import {missingTool} from '../../missing-tool.js'
import {describeReal} from '../../real-parts.js'
import {temporaryFolder} from '../../temporary-folder.js'

const run = promisify(execFile)

interface Content extends TarMember {
  readonly bytes: Buffer
}

const segment = fc
  .oneof(
    {weight: 4, arbitrary: fc.stringMatching(/^[a-zA-Z0-9._ ~%:@-]{1,30}$/)},
    {weight: 1, arbitrary: fc.stringMatching(/^[a-z\u00e9\u4e2d\u{1f600}]{1,12}$/u)},
    {weight: 1, arbitrary: fc.stringMatching(/^[a-z]{80,130}$/)},
  )
  .filter(text => !/^\.\.?$/.test(text))
const path = fc.array(segment, {minLength: 1, maxLength: 6}).map(segments => segments.join('/'))

const member: fc.Arbitrary<Content> = fc.oneof(
  fc.record({path, bytes: fc.uint8Array({maxLength: 1200}).map(bytes => Buffer.from(bytes))}).map(each => ({
    ...each,
    kind: 'file' as const,
    size: each.bytes.length,
  })),
  path.map(each => ({path: each, kind: 'directory' as const, size: 0, bytes: Buffer.alloc(0)})),
)
const tree = fc.uniqueArray(member, {maxLength: 12, selector: each => each.path})

function tarOf(members: readonly Content[], mtime = 0): Buffer {
  const parts = members.flatMap(each => [tarHeader(each, mtime), each.bytes, tarPadding(each.size)])
  return Buffer.concat([...parts, tarEnd()])
}

const shown = ({path, kind, bytes}: Content) => ({
  name: kind === 'directory' ? `${path}/` : path,
  kind,
  content: bytes.toString('base64'),
})

async function readBack(tar: Buffer): Promise<unknown[]> {
  const bounds = {headers: new Allowance(1000, 'headers'), headerBytes: 4096}
  const read = []
  for await (const entry of tarEntries(new ByteCursor(chunked(tar)), 'the tar', bounds)) {
    const content = Buffer.from(await entry.read()).toString('base64')
    read.push({name: entry.name, kind: entry.kind, content})
  }
  return read
}

describe('a tar', () => {
  it('is read back as it was written, for any names', async () => {
    await fc.assert(
      fc.asyncProperty(tree, async members => {
        expect(await readBack(tarOf(members))).toEqual(members.map(shown))
      }),
    )
  })

  it('has whole blocks, and headers that depend only on the given member', () => {
    const header = Buffer.from(tarHeader({path: 'a/b.yaml', kind: 'file', size: 5}, 1_700_000_000))
    const field = (start: number, length: number) => header.toString('latin1', start, start + length)
    expect({
      length: header.length,
      mode: field(100, 8),
      owner: field(108, 16),
      size: field(124, 12),
      time: field(136, 12),
      type: field(156, 1),
      magic: field(257, 8),
      names: field(265, 64),
    }).toEqual({
      length: 512,
      mode: '0000644\0',
      owner: '0000000\x000000000\0',
      size: '00000000005\0',
      time: '14524770400\0',
      type: '0',
      magic: 'ustar\x0000',
      names: '\0'.repeat(64),
    })
  })

  it.each([
    {name: '100 bytes of ASCII', path: 'a'.repeat(100), want: 512},
    {name: 'one more', path: 'a'.repeat(101), want: 3 * 512},
    {name: 'another alphabet', path: 'ä', want: 3 * 512},
  ])('writes $name in the required number of bytes', ({path, want}) => {
    expect(tarHeader({path, kind: 'file', size: 0}, 0).length).toBe(want)
  })

  it.each([
    {name: 'a size of more than 8 GiB', size: 8 ** 11, mtime: 0},
    {name: 'a time before 1970', size: 0, mtime: -1},
    {name: 'a time after 2242', size: 0, mtime: 8 ** 11},
    {name: 'half a second', size: 0, mtime: 0.5},
  ])('cannot represent $name', ({size, mtime}) => {
    expect(() => tarHeader({path: 'a', kind: 'file', size}, mtime)).toThrow(
      expect.objectContaining({code: 'limit-exceeded'}),
    )
  })
})

describeReal('a tar read by GNU tar', missingTool('tar'), () => {
  const folder = temporaryFolder()

  it('has the same members, of the same size, owner and mode', async () => {
    const listed = fc.asyncProperty(tree, async members => {
      const file = join(folder, 'random.tar')
      writeFileSync(file, tarOf(members, 86_400))
      const args = ['--quoting-style=literal', '--full-time', '--utc', '-tvf', file]
      const {stdout} = await run('tar', args, {env: {...process.env, LC_ALL: 'C.UTF-8'}})
      const lines = stdout.split('\n').slice(0, -1)
      expect(lines.map(line => line.replace(/ +/, ' ').replace(/^(\S+ 0\/0) +/, '$1 '))).toEqual(
        members.map(each => {
          const mode = each.kind === 'directory' ? 'drwxr-xr-x' : '-rw-r--r--'
          return `${mode} 0/0 ${each.size} 1970-01-02 00:00:00 ${shown(each).name}`
        }),
      )
    })
    await fc.assert(listed, {numRuns: 40})
  })
})
