import {gzipSync} from 'node:zlib'
import {describe, expect, it} from '@jest/globals'
import {registryFiles} from '../../../src/unpack/files/layer-files.js'
import {memoryLayer} from '../../fetch/fake-sources.js'
import {member, paxRecord, rawTar, tarHeader, withPax} from '../../fetch/raw-tar.js'
import {outcome} from '../../outcome.js'

const app = member({name: '.registry/app.yaml'}, 'title: x')
const sound = rawTar(app)
const withEntry = (name: string, type = '0', linkName = '') => rawTar(app, member({name, type, linkName}))
const links = (...pairs: readonly (readonly [string, string])[]) =>
  rawTar(app, ...pairs.map(([name, linkName]) => member({name: `.registry/${name}`, type: '2', linkName})))

const link = (name: string, linkName: string) => member({name, type: '2', linkName})
const hardLink = (name: string, linkName: string) => member({name, type: '1', linkName})
/** A link outside of .registry/, and a file that may be written through it. */
const outside = ([name, target]: readonly [string, string], file: string) =>
  rawTar(app, link(name, target), member({name: file}))
const UNSAFE = 'source-unsafe'

function changed(bytes: Uint8Array, at: number): Buffer {
  const copy = Buffer.from(bytes)
  const index = (at + copy.length) % copy.length
  copy[index] = (copy[index] ?? 0) ^ 0x40
  return copy
}

/** Ten directories of ten links each to the next: ten files become ten to the eighth. */
function multiplying(): Buffer {
  const levels = Array.from({length: 8}, (_, level) =>
    Array.from({length: 10}, (_, index) =>
      member({name: `.registry/${level}/${index}`, type: '2', linkName: `../${level + 1}`}),
    ),
  )
  return rawTar(...levels.flat(), member({name: '.registry/8/file'}))
}

/** What a registry could send, by name, and what has to become of it. Bounds: layer-bounds, unpack-memory. */
describe('malformed and hostile layers', () => {
  it.each<{name: string; layer: Uint8Array; want: string | undefined}>([
    {name: 'an absolute path', layer: withEntry('/.registry/evil.yaml'), want: 'source-unsafe'},
    {name: 'an absolute path to another folder', layer: withEntry('/etc/passwd'), want: 'source-unsafe'},
    {name: '../ at the front', layer: withEntry('../evil'), want: 'source-unsafe'},
    {name: '../ within', layer: withEntry('.registry/../../evil'), want: 'source-unsafe'},
    {name: '../ that stays inside', layer: withEntry('.registry/a/../b'), want: 'source-unsafe'},
    {name: '../ at the end', layer: withEntry('.registry/..'), want: 'source-unsafe'},
    {name: '../ of a directory', layer: withEntry('usr/../', '5'), want: 'source-unsafe'},
    {name: '../ of a device outside', layer: withEntry('dev/../null', '3'), want: 'source-unsafe'},
    {
      name: '../ in a pax name',
      layer: rawTar(app, withPax({path: '../evil'}, member({name: 'fine'}))),
      want: 'source-unsafe',
    },
    {
      name: '../ in a GNU name',
      layer: rawTar(app, member({name: 'L', type: 'L', magic: 'gnu'}, '../evil\0'), member({name: 'fine'})),
      want: 'source-unsafe',
    },
    {name: '../ in a whiteout', layer: withEntry('.registry/../.wh.etc'), want: 'source-unsafe'},
    {name: 'a link out', layer: links(['l', '../etc/passwd']), want: 'source-unsafe'},
    {name: 'an absolute link out', layer: links(['l', '/etc/passwd']), want: 'source-unsafe'},
    {name: 'a link to the root', layer: links(['l', '/']), want: 'source-unsafe'},
    {name: 'a link far up', layer: links(['l', '../'.repeat(100)]), want: 'source-unsafe'},
    {
      name: 'a link to a path that only begins like .registry',
      layer: links(['l', '/.registry-evil/a']),
      want: 'source-unsafe',
    },
    {name: 'a link to nothing', layer: links(['l', 'nothing']), want: 'source-unsafe'},
    {name: 'an empty link', layer: links(['l', '']), want: 'source-unsafe'},
    {name: 'a link to itself', layer: links(['l', 'l']), want: 'source-unsafe'},
    {name: 'links in a circle', layer: links(['l', 'm'], ['m', 'l']), want: 'source-unsafe'},
    {name: 'a link to the directory it is in', layer: links(['d/l', '../d']), want: 'source-unsafe'},
    {name: 'a link to .registry', layer: links(['l', '.']), want: 'source-unsafe'},
    {name: 'links that grow', layer: links(['a', 'a/a/a/a/a/a/a/a/a/a']), want: 'source-unsafe'},
    {
      name: 'a file through a link',
      layer: rawTar(
        member({name: '.registry/l', type: '2', linkName: '/etc'}),
        member({name: '.registry/l/passwd'}),
      ),
      want: 'source-unsafe',
    },
    {name: 'a link into .registry', layer: outside(['x', '.registry'], 'x/app.yaml'), want: 'source-unsafe'},
    {name: 'a link deep into it', layer: outside(['a/b', '../.registry/d'], 'a/b/c'), want: 'source-unsafe'},
    {
      name: 'a file through a link to the root',
      layer: outside(['x', '.'], 'x/.registry/app.yaml'),
      want: UNSAFE,
    },
    {
      name: 'a file through several links',
      layer: outside(['x/y', '..'], 'x/y/a/.registry/app.yaml'),
      want: UNSAFE,
    },
    {name: 'a whiteout through a link', layer: outside(['x', '/'], 'x/.registry/.wh.app.yaml'), want: UNSAFE},
    {
      name: 'a whiteout of .registry through a link',
      layer: outside(['x', '/'], 'x/.wh..registry'),
      want: UNSAFE,
    },
    {name: 'an opaque whiteout through a link', layer: outside(['x', '/'], 'x/.wh..wh..opq'), want: UNSAFE},
    {
      name: 'a link through a link',
      layer: rawTar(app, link('x', '/'), link('x/.registry/l', 'app.yaml')),
      want: UNSAFE,
    },
    {
      name: 'a file through a hard link to a link',
      layer: rawTar(app, link('x', '/'), hardLink('y', 'x'), member({name: 'y/.registry/app.yaml'})),
      want: UNSAFE,
    },
    {
      name: 'a hard link to a link below .registry',
      layer: rawTar(app, link('.registry/l', '../.registry'), hardLink('y', '.registry/l')),
      want: UNSAFE,
    },
    {name: 'the root as a link', layer: rawTar(app, link('./', 'x')), want: UNSAFE},
    {
      name: 'a global header named as a file of the package',
      layer: rawTar(app, member({name: '.registry/app.yaml', type: 'g'}, paxRecord('comment', 'c'))),
      want: 'unsupported',
    },
    {
      name: 'a whiteout that is a directory',
      layer: rawTar(app, member({name: '.registry/.wh.app.yaml/', type: '5'})),
      want: UNSAFE,
    },
    {
      name: 'a sparse file named as a file of the package',
      layer: rawTar(
        app,
        withPax(
          {'GNU.sparse.major': '1', 'GNU.sparse.minor': '0', 'GNU.sparse.name': '.registry/app.yaml'},
          member({name: 'usr/doc'}),
        ),
      ),
      want: 'unsupported',
    },
    {
      name: '.registry as a link',
      layer: rawTar(member({name: '.registry', type: '2', linkName: 'etc'})),
      want: 'source-unsafe',
    },
    {
      name: 'files below a .registry that is a link',
      layer: rawTar(member({name: '.registry', type: '2', linkName: 'etc'}), app),
      want: 'source-unsafe',
    },
    {name: 'a hard link out', layer: withEntry('.registry/l', '1', 'etc/passwd'), want: 'source-unsafe'},
    {
      name: 'a hard link out by ..',
      layer: withEntry('.registry/l', '1', '.registry/../etc/passwd'),
      want: 'source-unsafe',
    },
    {
      name: 'a hard link to a file of another kind of package',
      layer: rawTar(
        app,
        member({name: 'package.yaml'}, 'x'),
        member({name: '.registry/l', type: '1', linkName: 'package.yaml'}),
      ),
      want: 'source-unsafe',
    },
    {
      name: 'a hard link to nothing',
      layer: withEntry('.registry/l', '1', '.registry/nothing'),
      want: 'source-unsafe',
    },
    {
      name: 'a hard link to itself',
      layer: withEntry('.registry/l', '1', '.registry/l'),
      want: 'source-unsafe',
    },
    {
      name: 'a hard link to a directory',
      layer: withEntry('.registry/l', '1', '.registry'),
      want: 'source-unsafe',
    },
    {name: 'a character device', layer: withEntry('.registry/dev', '3'), want: 'source-unsafe'},
    {name: 'a block device', layer: withEntry('.registry/dev', '4'), want: 'source-unsafe'},
    {name: 'a fifo', layer: withEntry('.registry/pipe', '6'), want: 'source-unsafe'},
    {
      name: 'a sparse file',
      layer: rawTar(withPax({'GNU.sparse.major': '1'}, member({name: '.registry/a'}))),
      want: 'unsupported',
    },
    {name: 'a control character', layer: withEntry('.registry/a\x1b[2J.yaml'), want: 'source-unsafe'},
    {name: 'a line break', layer: withEntry('.registry/a\nb.yaml'), want: 'source-unsafe'},
    {name: 'a name that is not UTF-8', layer: withEntry('.registry/caf\ufffd.yaml'), want: 'source-unsafe'},
    {
      name: 'a long name',
      layer: rawTar(withPax({path: `.registry/${'a'.repeat(1025)}`}, member({name: 'a'}))),
      want: 'limit-exceeded',
    },
    {
      name: 'a long name in bytes',
      layer: rawTar(withPax({path: `.registry/${'é'.repeat(513)}`}, member({name: 'a'}))),
      want: 'limit-exceeded',
    },
    {
      name: 'a deep name',
      layer: rawTar(withPax({path: `.registry/${'a/'.repeat(32)}a`}, member({name: 'a'}))),
      want: 'limit-exceeded',
    },
    {
      name: 'a long link',
      layer: rawTar(withPax({linkpath: 'a/'.repeat(600)}, member({name: '.registry/l', type: '2'}))),
      want: 'limit-exceeded',
    },
    {name: 'links that multiply files', layer: multiplying(), want: 'limit-exceeded'},
    {
      name: 'a file of 16 MiB and a byte',
      layer: rawTar(tarHeader({name: '.registry/a', size: 16 * 2 ** 20 + 1})),
      want: 'limit-exceeded',
    },
    {
      name: 'an extended header of 2 MiB',
      layer: rawTar(withPax({comment: 'a'.repeat(2 ** 21)}, app)),
      want: 'limit-exceeded',
    },
    {name: 'nothing', layer: Buffer.alloc(0), want: undefined},
    {name: 'no archive', layer: Buffer.alloc(4096, 'no archive'), want: 'source-invalid'},
    {name: 'a tar cut off in a header', layer: sound.subarray(0, 300), want: 'source-invalid'},
    {name: 'a tar cut off in a file', layer: sound.subarray(0, 515), want: 'source-invalid'},
    {
      name: 'a tar cut off in a long name',
      layer: withPax({path: 'a'.repeat(600)}, app).subarray(0, 900),
      want: 'source-invalid',
    },
    {
      name: 'a tar cut off behind a long name',
      layer: withPax({path: 'a'}, Buffer.alloc(0)),
      want: 'source-invalid',
    },
    {name: 'a header with a bit flipped', layer: changed(sound, 5), want: 'source-invalid'},
    {
      name: 'a file beyond the end',
      layer: rawTar(tarHeader({name: 'usr/large', size: 2 ** 40})),
      want: 'source-invalid',
    },
    {
      name: 'garbage behind the end',
      layer: Buffer.concat([sound, Buffer.from('garbage')]),
      want: 'source-invalid',
    },
    {name: 'an archive behind the end', layer: Buffer.concat([sound, sound]), want: 'source-invalid'},
    {name: 'gzip cut off', layer: gzipSync(sound).subarray(0, -5), want: 'source-invalid'},
    {name: 'gzip with a wrong checksum', layer: changed(gzipSync(sound), -6), want: 'source-invalid'},
    {
      name: 'garbage behind gzip',
      layer: Buffer.concat([gzipSync(sound), Buffer.from('garbage')]),
      want: 'source-invalid',
    },
    {name: 'a tar behind gzip', layer: Buffer.concat([gzipSync(sound), sound]), want: 'source-invalid'},
    {name: 'gzip within gzip', layer: gzipSync(gzipSync(sound)), want: 'source-invalid'},
    {
      name: 'damaged zstd',
      layer: Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 0x60, 7, 0, 0]),
      want: 'source-invalid',
    },
    {
      name: 'zstd with a window of 2 TiB',
      layer: Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 0xff, 1, 0, 0]),
      want: 'limit-exceeded',
    },
    {name: 'xz', layer: Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00, 0x00]), want: 'unsupported'},
    {name: 'bzip2', layer: Buffer.from('BZh91AY&SY'), want: 'unsupported'},
  ])('$name: $want', async ({layer, want}) => {
    expect(await outcome(() => registryFiles([memoryLayer(layer, 1000)]))).toBe(want)
  })

  it('names the layer and the entry', async () => {
    const layers = [memoryLayer(sound), memoryLayer(withEntry('../evil'))]
    await expect(registryFiles(layers)).rejects.toMatchObject({
      message: expect.stringMatching(/^cannot read layer 2 of 2 \(sha256:\w+\): .*"\.\.\/evil"/),
    })
  })
})
