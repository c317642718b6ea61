import {gzipSync} from 'node:zlib'
import {readFileSync} from 'node:fs'
import {describe, expect, it} from '@jest/globals'
import {registryFiles} from '../../../src/unpack/files/layer-files.js'
import {memoryLayer} from '../../fetch/fake-sources.js'
import {member, rawTar, tarOfFiles, withPax} from '../../fetch/raw-tar.js'
import {outcome} from '../../outcome.js'

/** The files of an image of layers, as text by path; undefined for an image without a package. */
async function read(...layers: readonly Uint8Array[]): Promise<Record<string, string> | undefined> {
  const files = await registryFiles(layers.map(bytes => memoryLayer(bytes, 700)))
  return files && Object.fromEntries(files.map(({path, bytes}) => [path, String(Buffer.from(bytes))]))
}

const link = (name: string, target: string) => member({name, type: '2', linkName: target})
const hardLink = (name: string, target: string) => member({name, type: '1', linkName: target})
const file = (name: string, content = name) => member({name}, content)
const directory = (name: string) => member({name, type: '5'})

describe('registryFiles', () => {
  it.each<{name: string; reason: string; layers: readonly Uint8Array[]; want: unknown}>([
    {
      name: 'files at any depth',
      reason: 'other files of the image are ignored',
      layers: [
        tarOfFiles({
          'etc/passwd': 'x',
          '.registry/': '',
          '.registry/app.yaml': 'app',
          '.registry/a/b/c.yaml': 'c',
        }),
      ],
      want: {'app.yaml': 'app', 'a/b/c.yaml': 'c'},
    },
    {
      name: './ in front',
      reason: 'tar of a directory writes it so',
      layers: [tarOfFiles({'./': '', './.registry/': '', './/.registry/./app.yaml': 'app'})],
      want: {'app.yaml': 'app'},
    },
    {
      name: 'an entry for the root itself',
      reason: 'umoci insert writes it so',
      layers: [rawTar(directory('/'), directory('.registry/'), file('.registry/app.yaml', 'app'))],
      want: {'app.yaml': 'app'},
    },
    {
      name: 'only the .registry at the root',
      reason: 'others are not part of the package',
      layers: [
        tarOfFiles({
          '.registry/app.yaml': 'app',
          'home/.registry/app.yaml': 'x',
          '.registry.old/app.yaml': 'x',
        }),
      ],
      want: {'app.yaml': 'app'},
    },
    {
      name: 'an empty directory',
      reason: 'it exists',
      layers: [tarOfFiles({'.registry/': ''})],
      want: {},
    },
    {
      name: 'an empty file',
      reason: 'it is a file',
      layers: [tarOfFiles({'.registry/group.yaml': ''})],
      want: {'group.yaml': ''},
    },
    {
      name: 'long names of pax',
      reason: 'beyond the header',
      layers: [rawTar(withPax({path: `.registry/${'d'.repeat(150)}/é.yaml`}, member({name: 'short'}, 'x')))],
      want: {[`${'d'.repeat(150)}/é.yaml`]: 'x'},
    },
    {
      name: 'gzip by its content',
      reason: 'media types and names of docker archives are not reliable',
      layers: [gzipSync(tarOfFiles({'.registry/app.yaml': 'app'}))],
      want: {'app.yaml': 'app'},
    },
    {
      name: 'layers over layers',
      reason: 'the upper one counts',
      layers: [
        tarOfFiles({'.registry/a': 'old', '.registry/b': 'b'}),
        tarOfFiles({'.registry/a': 'new', '.registry/c/d': 'd'}),
      ],
      want: {a: 'new', b: 'b', 'c/d': 'd'},
    },
    {
      name: 'a name twice in one layer',
      reason: 'the later one counts',
      layers: [rawTar(file('.registry/a', 'old'), file('.registry/a', 'new'))],
      want: {a: 'new'},
    },
    {
      name: 'a layer without anything',
      reason: 'ENV makes one',
      layers: [tarOfFiles({'.registry/a': 'a'}), rawTar()],
      want: {a: 'a'},
    },
    {
      name: 'a directory in place of a file',
      reason: 'with or without an entry of its own',
      layers: [
        tarOfFiles({'.registry/a': 'a', '.registry/b': 'b'}),
        tarOfFiles({'.registry/a/': '', '.registry/a/x': 'x', '.registry/b/y': 'y'}),
      ],
      want: {'a/x': 'x', 'b/y': 'y'},
    },
    {
      name: 'a file in place of a directory',
      reason: 'its content is removed',
      layers: [tarOfFiles({'.registry/a/x': 'x', '.registry/a/y/z': 'z'}), tarOfFiles({'.registry/a': 'a'})],
      want: {a: 'a'},
    },
    {
      name: 'a directory again',
      reason: 'its content stays',
      layers: [tarOfFiles({'.registry/a/x': 'x'}), tarOfFiles({'.registry/': '', '.registry/a/': ''})],
      want: {'a/x': 'x'},
    },
  ])('reads $name: $reason', async ({layers, want}) => {
    expect(await read(...layers)).toEqual(want)
  })

  const base = tarOfFiles({'.registry/a': 'a', '.registry/d/x': 'x', '.registry/d/e/y': 'y'})
  it.each<{name: string; reason: string; upper: Uint8Array; want: unknown}>([
    {
      name: 'a file',
      reason: 'deleted',
      upper: tarOfFiles({'.registry/.wh.a': ''}),
      want: {'d/x': 'x', 'd/e/y': 'y'},
    },
    {
      name: 'a directory',
      reason: 'with all in it',
      upper: tarOfFiles({'.registry/.wh.d': ''}),
      want: {a: 'a'},
    },
    {
      name: 'nothing',
      reason: 'the file does not exist below',
      upper: tarOfFiles({'.registry/.wh.z': '', '.registry/z/.wh.z': ''}),
      want: {a: 'a', 'd/x': 'x', 'd/e/y': 'y'},
    },
    {
      name: 'the content of a directory',
      reason: 'the directory is opaque',
      upper: tarOfFiles({'.registry/d/.wh..wh..opq': ''}),
      want: {a: 'a'},
    },
    {
      name: 'the content of a directory in lower layers',
      reason: 'the content in the same layer stays, before and after the whiteout',
      upper: tarOfFiles({
        '.registry/d/before': 'b',
        '.registry/d/.wh..wh..opq': '',
        '.registry/d/after': 'c',
      }),
      want: {a: 'a', 'd/before': 'b', 'd/after': 'c'},
    },
    {
      name: 'a file that the same layer adds',
      reason: 'a whiteout only applies to the layers below',
      upper: tarOfFiles({
        '.registry/a': 'new',
        '.registry/.wh.a': '',
        '.registry/d/z': 'z',
        '.registry/.wh.d': '',
      }),
      want: {a: 'new', 'd/z': 'z'},
    },
    {
      name: 'all of the package',
      reason: 'the layer adds another package',
      upper: tarOfFiles({'.wh..registry': '', '.registry/b': 'b'}),
      want: {b: 'b'},
    },
    {
      name: 'all of the image',
      reason: 'the root is opaque',
      upper: tarOfFiles({'.wh..wh..opq': '', '.registry/b': 'b'}),
      want: {b: 'b'},
    },
    {
      name: 'the package',
      reason: 'no package remains',
      upper: tarOfFiles({'.wh..registry': ''}),
      want: undefined,
    },
    {
      name: 'everything',
      reason: 'no package remains',
      upper: tarOfFiles({'.wh..wh..opq': ''}),
      want: undefined,
    },
    {
      name: 'a file behind the link to it',
      reason: 'its target does not exist',
      upper: rawTar(link('.registry/l', 'a'), file('.registry/.wh.a', '')),
      want: 'source-unsafe',
    },
    {
      name: 'nothing, being of aufs',
      reason: 'its own bookkeeping',
      upper: tarOfFiles({'.registry/.wh..wh.aufs': '', '.wh..wh.plnk/1': ''}),
      want: {a: 'a', 'd/x': 'x', 'd/e/y': 'y'},
    },
    {
      name: 'no name',
      reason: 'a whiteout must name a file',
      upper: tarOfFiles({'.registry/.wh.': ''}),
      want: 'source-unsafe',
    },
    {
      name: 'the directory above',
      reason: 'in disguise',
      upper: tarOfFiles({'.registry/.wh...': ''}),
      want: 'source-unsafe',
    },
  ])('hides $name: $reason', async ({upper, want}) => {
    expect(await outcome(() => read(base, upper))).toEqual(want)
  })

  it('hides only the layers below, for many layers', async () => {
    const layers = [
      tarOfFiles({'.registry/d/1': '1'}),
      tarOfFiles({'.registry/d/2': '2', '.registry/.wh.d': ''}),
      tarOfFiles({'.registry/d/3': '3', '.registry/d/.wh.2': ''}),
      tarOfFiles({'.registry/d/.wh.3': '', '.registry/d/2': 'again'}),
    ]
    expect(await read(...layers)).toEqual({'d/2': 'again'})
  })

  it.each<{name: string; reason: string; members: readonly Uint8Array[]; want: unknown}>([
    {
      name: 'to a file',
      reason: 'COPY keeps links',
      members: [link('.registry/l', 'a'), file('.registry/a', 'a')],
      want: {a: 'a', l: 'a'},
    },
    {
      name: 'by way of ..',
      reason: 'inside',
      members: [file('.registry/a', 'a'), link('.registry/d/l', '../a')],
      want: {a: 'a', 'd/l': 'a'},
    },
    {
      name: 'from the root',
      reason: 'of the image',
      members: [file('.registry/a', 'a'), link('.registry/l', '/.registry/a')],
      want: {a: 'a', l: 'a'},
    },
    {
      name: 'out and in again',
      reason: 'only over ground that is known',
      members: [file('.registry/a', 'a'), link('.registry/l', '../.registry/./a')],
      want: {a: 'a', l: 'a'},
    },
    {
      name: 'above the root',
      reason: 'which has nothing above',
      members: [file('.registry/a', 'a'), link('.registry/l', '../../../.registry/a')],
      want: {a: 'a', l: 'a'},
    },
    {
      name: 'to links',
      reason: 'one after the other',
      members: [
        file('.registry/a', 'a'),
        link('.registry/l', 'm'),
        link('.registry/m', 'd/../a'),
        directory('.registry/d/'),
      ],
      want: {a: 'a', l: 'a', m: 'a'},
    },
    {
      name: 'to a directory',
      reason: 'with its content',
      members: [file('.registry/d/e/x', 'x'), link('.registry/l', 'd')],
      want: {'d/e/x': 'x', 'l/e/x': 'x'},
    },
    {
      name: 'through a directory that is one',
      reason: '.. is where it really leads',
      members: [
        file('.registry/d/e/x', 'x'),
        file('.registry/d/y', 'y'),
        link('.registry/l', 'd/e'),
        link('.registry/m', 'l/../y'),
      ],
      want: {'d/e/x': 'x', 'd/y': 'y', 'l/x': 'x', m: 'y'},
    },
    {
      name: 'hard',
      reason: 'a second name',
      members: [file('.registry/a', 'a'), hardLink('.registry/l', '.registry/a')],
      want: {a: 'a', l: 'a'},
    },
    {
      name: 'hard and absolute',
      reason: 'from the root of the image',
      members: [file('.registry/a', 'a'), hardLink('.registry/l', '/.registry/a')],
      want: {a: 'a', l: 'a'},
    },
    {
      name: 'hard to a link',
      reason: 'two links',
      members: [
        file('.registry/a', 'a'),
        link('.registry/l', 'a'),
        hardLink('.registry/d/m', '.registry/l'),
        file('.registry/d/a', 'other'),
      ],
      want: {a: 'a', l: 'a', 'd/a': 'other', 'd/m': 'other'},
    },
    {
      name: 'elsewhere',
      reason: 'not ours',
      members: [file('.registry/a', 'a'), link('bin', '/usr/bin'), hardLink('sh', 'bin/dash')],
      want: {a: 'a'},
    },
  ])('follows links $name: $reason', async ({members, want}) => {
    expect(await read(rawTar(...members))).toEqual(want)
  })

  it('follows a hard link into the layer below', async () => {
    expect(
      await read(tarOfFiles({'.registry/a': 'a'}), rawTar(hardLink('.registry/l', '.registry/a'))),
    ).toEqual({a: 'a', l: 'a'})
  })

  it('keeps a second name when the first is removed', async () => {
    const lower = rawTar(file('.registry/a', 'a'), hardLink('.registry/l', '.registry/a'))
    expect(await read(lower, tarOfFiles({'.registry/.wh.a': ''}))).toEqual({l: 'a'})
  })

  it('sorts by the bytes of names, as a walk of directories does', async () => {
    const names = ['b', 'a.yaml', 'a/z', 'a/B', 'ä', '\u{1f642}', '\uffed']
    const files = await registryFiles([
      memoryLayer(tarOfFiles(Object.fromEntries(names.map(name => [`.registry/${name}`, ''])))),
    ])
    expect(files?.map(({path}) => path)).toEqual(['a/B', 'a/z', 'a.yaml', 'b', 'ä', '\uffed', '\u{1f642}'])
  })

  it.each<{name: string; layers: readonly Uint8Array[]}>([
    {name: 'without layers', layers: []},
    {name: 'without .registry', layers: [tarOfFiles({'etc/passwd': ''})]},
    {name: 'with a package of another kind', layers: [tarOfFiles({'package.yaml': 'kind: Provider'})]},
    {name: 'with .registry as a file', layers: [tarOfFiles({'.registry': ''})]},
  ])('finds no package in an image $name', async ({layers}) => {
    expect(await read(...layers)).toBeUndefined()
  })

  it('reads zstd by its content', async () => {
    const layer = memoryLayer(readFileSync('test/testdata/zstd/layer.tar.zst'))
    expect((await registryFiles([layer]))?.map(({path}) => path)).toEqual(['app.yaml', 'nested/file.yaml'])
  })
})
