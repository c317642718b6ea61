import {afterEach, describe, expect, it} from '@jest/globals'
import {digestOf} from '../../../src/fetch/verified-bytes.js'
import {entryBytes, type IndexedSummary, yankBytes} from '../../../src/index/entry/entry-document.js'
import {entryTag, yankTag} from '../../../src/index/entry/entry-tag.js'
import {type DocumentKind, documentImage} from '../../../src/index/registry/artifact.js'
import {indexWriter} from '../../../src/index/registry/index-writer.js'
import {registryIndex} from '../../../src/index/registry/registry-index.js'
import type {Image} from '../../../src/fetch/image.js'
import {type RegistryServer, startRegistry} from '../../fakes/registry-server.js'
import {outcome} from '../../outcome.js'
import {imageOf, imagesOf, layerOf} from '../../registry/package-images.js'
import {indexed, inWords, newClient, only, putImage, rememberedIn, yankOf} from './some-index.js'

const servers: RegistryServer[] = []
afterEach(() => Promise.all(servers.splice(0).map(server => server.close())))

const HONEST = indexed('team/sql:v1', {owns: ['tables.sql.org']})
const OTHER = indexed('team/sql:v2', {owns: ['tables.sql.org']})
const ELSEWHERE = indexed('evil/sql:v1', {owns: ['tables.evil.org']})
const TAG = entryTag(OTHER)

/** A registry whose index `i` has the honest entry, and a way to put anything else beside it. */
async function honestIndex() {
  const server = await startRegistry()
  servers.push(server)
  const root = {registry: server.host, path: 'i'}
  await indexWriter(root, {registry: newClient()}, 'repositories').add(HONEST)
  const put = (tag: string, image: Image, path = 'i/sql.org') => putImage(server, path, tag, image)
  return {server, root, put, index: (ports = {}) => registryIndex(root, {registry: newClient(), ...ports})}
}

function document(bytes: Uint8Array | string, kind: DocumentKind = 'entry'): Image {
  return documentImage(kind, Buffer.from(bytes))
}

/** The same image with another manifest. */
function altered(image: Image, edit: (manifest: Record<string, unknown>) => object): Image {
  const before = JSON.parse(Buffer.from(image.bytes).toString()) as Record<string, unknown>
  const bytes = Buffer.from(JSON.stringify(edit(before)))
  const descriptor = {...image.descriptor, digest: digestOf(bytes), size: bytes.length}
  return {...image, bytes, descriptor}
}

const entry = (summary: IndexedSummary) => document(entryBytes(summary))
const said = (edit: (fields: Record<string, unknown>) => object) =>
  document(
    JSON.stringify(edit(JSON.parse(Buffer.from(entryBytes(OTHER)).toString()) as Record<string, unknown>)),
  )
const layers = (image: Image, edit: (layer: Record<string, unknown>) => readonly object[]) =>
  altered(image, manifest => ({
    ...manifest,
    layers: edit((manifest.layers as Record<string, unknown>[])[0]!),
  }))
const noBlobs = (image: Image): Image => ({...image, config: undefined, layers: []})
const packageLayer = layerOf({'.registry/app.yaml': 'title: x'})

describe('a tag of a group', () => {
  it.each<{name: string; image: Image; tag?: string; reason: RegExp}>([
    {
      name: 'an entry of another version',
      image: entry(HONEST),
      reason: /^its tag is not the tag of team\/sql:v1, its content$/,
    },
    {
      name: 'an entry of another group',
      image: entry(ELSEWHERE),
      tag: entryTag(ELSEWHERE),
      reason: /^evil\/sql:v1 does not belong to sql\.org$/,
    },
    {name: 'a package', image: imageOf(packageLayer), reason: /is not an index entry: its artifact type is/},
    {
      name: 'several packages',
      image: imagesOf(packageLayer, packageLayer),
      reason: /is not an index entry: its artifact type is/,
    },
    {
      name: 'a yank',
      image: document(yankBytes(yankOf(OTHER, 'x')), 'yank'),
      reason: /is not an index entry/,
    },
    {name: 'invalid JSON', image: document('{'), reason: /not a JSON/},
    {name: 'a list', image: document('[]'), reason: /not a JSON object/},
    {name: 'a newer format', image: said(fields => ({...fields, formatVersion: 2})), reason: /newer/},
    {name: 'control characters', image: said(fields => ({...fields, title: '\u001b[2J'})), reason: /title/},
    {
      name: 'control characters as a name',
      image: said(fields => ({...fields, identity: 'team/\u001b[2J\u202e'})),
      reason: /identity/,
    },
    {
      name: 'control characters as a type',
      image: altered(entry(OTHER), manifest => ({...manifest, artifactType: 'a\u001b[2J\u202e'})),
      reason: /is not an index entry: its artifact type is "a\\u001b\[2J\\u202e"$/,
    },
    {name: 'two layers', image: layers(entry(OTHER), layer => [layer, layer]), reason: /must have one layer/},
    {name: 'no layer', image: layers(entry(OTHER), () => []), reason: /must have one layer/},
    {
      name: 'a layer of another type',
      image: layers(entry(OTHER), layer => [{...layer, mediaType: 'text/plain'}]),
      reason: /must have one layer/,
    },
    {
      name: 'a layer without a digest',
      image: layers(entry(OTHER), ({digest: _, ...layer}) => [layer]),
      reason: /digest/,
    },
    {
      name: 'a long document',
      image: document(' '.repeat(1024 * 1024 + 1)),
      reason: /is a document of 1048577 bytes/,
    },
    {
      name: 'an endless manifest',
      image: altered(entry(OTHER), manifest => ({
        ...manifest,
        annotations: {x: 'x'.repeat(5 * 1024 * 1024)},
      })),
      reason: /is larger than/,
    },
    {
      name: 'a document with another digest',
      image: noBlobs(layers(entry(OTHER), layer => [{...layer, data: 'e30='}])),
      reason: /not found/,
    },
  ])('is unreadable with $name, and the others are not affected', async ({image, tag = TAG, reason}) => {
    const {root, put, index} = await honestIndex()
    await put(tag, image)
    const found = await index().ofGroup('sql.org')
    expect(inWords(found)).toEqual({
      ...only('team/sql:v1'),
      unreadable: [`${root.registry}/i/sql.org:${tag}`],
    })
    expect(found.unreadable[0]?.reason).toMatch(reason)
    // eslint-disable-next-line no-control-regex -- They are what must not be there.
    expect(found.unreadable[0]?.reason).not.toMatch(/[\u0000-\u001f\u202e]|\.$/)
  })

  it('is read from its blob if the embedded data has another digest', async () => {
    const {put, index} = await honestIndex()
    for (const [at, data] of ['e30=', 'no base64!', 7, undefined].entries()) {
      const summary = indexed(`team/sql:v3.${at}`, {owns: ['tables.sql.org']})
      await put(
        entryTag(summary),
        layers(entry(summary), layer => [{...layer, data}]),
      )
    }
    const want = ['team/sql:v1', 'team/sql:v3.0', 'team/sql:v3.1', 'team/sql:v3.2', 'team/sql:v3.3']
    expect(inWords(await index().ofGroup('sql.org'))).toEqual(only(...want))
  })

  it('is unreadable with a blob of other content', async () => {
    const {server, put, index} = await honestIndex()
    const image = layers(entry(OTHER), ({data: _, ...layer}) => [layer])
    await put(TAG, image)
    const {digest, size} = image.layers[0]!.descriptor
    server.contents.ensure('i/sql.org').blobs.set(digest, Buffer.alloc(size, 'x'))
    const {unreadable} = await index().ofGroup('sql.org')
    expect(unreadable[0]?.reason).toMatch(/has the digest sha256:\w+ instead/)
  })

  it('is reported as unreadable offline, too, with the others found', async () => {
    const {put, index, root} = await honestIndex()
    await put(TAG, imageOf(packageLayer))
    const {memory} = rememberedIn()
    const online = await index({memory}).ofGroup('sql.org')
    expect(online.unreadable).toHaveLength(1)
    expect(await registryIndex(root, {memory}).ofGroup('sql.org')).toEqual(online)
    await put(TAG, entry(OTHER))
    expect(inWords(await index({memory}).ofGroup('sql.org'))).toEqual(only('team/sql:v1', 'team/sql:v2'))
  })

  it('is read again if its cached copy is invalid', async () => {
    const {root, index} = await honestIndex()
    const {memory} = rememberedIn()
    const group = {...root, path: 'i/sql.org'}
    await memory.rememberIndexDocument(group, entryTag(HONEST), Buffer.from('{}'))
    await memory.rememberIndexDocument(root, 'index', Buffer.from('{}'))
    expect(inWords(await index({memory}).ofGroup('sql.org'))).toEqual(only('team/sql:v1'))
    expect(inWords(await registryIndex(root, {memory}).ofGroup('sql.org'))).toEqual(only('team/sql:v1'))
  })

  it('does not change the version in another group', async () => {
    const {put, index} = await honestIndex()
    const lie = {...HONEST, crds: ELSEWHERE.crds}
    await put(entryTag(HONEST), entry(lie), 'i/evil.org')
    const {memory} = rememberedIn()
    const at = index({memory})
    expect((await at.ofGroup('evil.org')).summaries).toEqual([lie])
    for (const each of [at, index({memory})]) {
      expect((await each.ofGroup('sql.org')).summaries).toEqual([HONEST])
    }
  })

  it('does not change the version in another group or its package, for any claimed CRDs', async () => {
    const {put, index, root} = await honestIndex()
    const lie = {...HONEST, crds: [...ELSEWHERE.crds, ...HONEST.crds], dependsOn: [{crd: 'no.such.org'}]}
    await put(entryTag(HONEST), entry(lie), 'i/evil.org')
    const {memory} = rememberedIn()
    const at = index({memory})
    expect((await at.ofGroup('evil.org')).summaries).toEqual([lie])
    for (const each of [at, index({memory}), registryIndex(root, {memory})]) {
      expect((await each.ofGroup('sql.org')).summaries).toEqual([HONEST])
      expect((await each.ofPackage('team/sql')).summaries).toEqual([HONEST])
    }
  })
})

describe('a package’s repository', () => {
  it('has no versions of other packages', async () => {
    const {root, put, index, server} = await honestIndex()
    const path = [...server.contents.paths()].find(each => each.startsWith('i/package-sql-'))!
    const squatter = indexed('evil/sql:v9', {owns: ['tables.sql.org']})
    await put(entryTag(squatter), entry(squatter), path)
    const want = {...only('team/sql:v1'), unreadable: [`${root.registry}/${path}:${entryTag(squatter)}`]}
    expect(inWords(await index().ofPackage('team/sql'))).toEqual(want)
    expect(inWords(await index().all())).toEqual(want)
  })
})

describe('a yank', () => {
  const own = yankTag(HONEST)
  it.each<{name: string; image: Image}>([
    {name: 'of another version', image: document(yankBytes(yankOf(OTHER, 'x')), 'yank')},
    {name: 'with an entry in its place', image: entry(HONEST)},
    {name: 'without a reason', image: document(yankBytes(yankOf(HONEST, '')), 'yank')},
    {name: 'with control characters', image: document(yankBytes(yankOf(HONEST, '\u001b[2J')), 'yank')},
  ])('$name is unreadable and yanks nothing', async ({image}) => {
    const {root, put, index} = await honestIndex()
    await put(own, image)
    expect(inWords(await index().ofGroup('sql.org'))).toEqual({
      ...only('team/sql:v1'),
      unreadable: [`${root.registry}/i/sql.org:${own}`],
    })
  })
})

describe('a flood of tags', () => {
  const hex = (at: number) => at.toString(16).padStart(40, '0')

  it('of unknown kinds is ignored', async () => {
    const {server, index} = await honestIndex()
    const {tags} = server.contents.ensure('i/sql.org')
    for (let at = 0; at < 100_000; at += 1)
      tags.set(`yanked-${hex(at)}`, 'sha256:0').set(`x${at}`, 'sha256:0')
    const before = server.seen.length
    expect(inWords(await index().ofGroup('sql.org'))).toEqual(only('team/sql:v1'))
    expect(server.seen.length - before).toBe(3)
  })

  it('of entries is rejected before any is read', async () => {
    const {server, index} = await honestIndex()
    const {tags} = server.contents.ensure('i/sql.org')
    for (let at = 0; at < 100_000; at += 1) tags.set(`sql-v1-${hex(at)}`, 'sha256:0')
    const before = server.seen.length
    expect(await outcome(() => index().ofGroup('sql.org'))).toBe('limit-exceeded')
    expect(server.seen.length - before).toBe(2)
    expect(inWords(await index().all())).toEqual(only('team/sql:v1'))
  })

  it('of one package does not hide another', async () => {
    const {root, server, put, index} = await honestIndex()
    const name = `full-${hex(1)}`
    await put(`package.${name}`, document('{}', 'marker'), 'i')
    const {tags} = server.contents.ensure(`i/package-${name}`)
    for (let at = 0; at < 20_001; at += 1) tags.set(`sql-v1-${hex(at)}`, 'sha256:0')
    expect(inWords(await index().all())).toEqual({
      ...only('team/sql:v1'),
      unreadable: [`${root.registry}/i:package.${name}`],
    })
  })

  it('of packages is rejected before any is read', async () => {
    const {server, index} = await honestIndex()
    const {tags} = server.contents.ensure('i')
    for (let at = 0; at < 100_000; at += 1) tags.set(`package.sql-${hex(at)}`, 'sha256:0')
    expect(await outcome(() => index().all())).toBe('limit-exceeded')
    expect(inWords(await index().ofGroup('sql.org'))).toEqual(only('team/sql:v1'))
  })
})

describe('a root', () => {
  it.each<{name: string; image: Image}>([
    {name: 'a package', image: imageOf(packageLayer)},
    {name: 'an entry', image: entry(HONEST)},
    {name: 'invalid JSON', image: document('{', 'root')},
    {name: 'a newer format', image: document('{"formatVersion":2,"kind":"PackageIndex"}', 'root')},
    {
      name: 'another layout',
      image: document('{"formatVersion":1,"kind":"PackageIndex","layout":"__proto__"}', 'root'),
    },
  ])('is rejected by readers and writers if it is $name', async ({image}) => {
    const {root, put, index} = await honestIndex()
    await put('index', image, 'i')
    const writer = indexWriter(root, {registry: newClient()}, 'repositories')
    expect([
      await outcome(() => index().ofGroup('sql.org')),
      await outcome(() => index().all()),
      await outcome(() => writer.add(OTHER)),
    ]).toEqual(['index-invalid', 'index-invalid', 'index-invalid'])
  })

  it('reports only missing repositories that it lists', async () => {
    const {root, put, index} = await honestIndex()
    await put('group.gone.org', document('{}', 'marker'), 'i')
    const gone = `package.gone-${'0'.repeat(40)}`
    await put(gone, document('{}', 'marker'), 'i')
    expect(await outcome(() => index().ofGroup('gone.org'))).toBe('access-denied')
    expect(inWords(await index().all())).toEqual({
      ...only('team/sql:v1'),
      unreadable: [`${root.registry}/i:${gone}`],
    })
  })
})

describe('a writer', () => {
  it('does not overwrite tags', async () => {
    const {root, put, server} = await honestIndex()
    await put(TAG, imageOf(packageLayer))
    const before = server.contents.ensure('i/sql.org').tags.get(TAG)
    const writer = indexWriter(root, {registry: newClient()}, 'repositories')
    expect(await outcome(() => writer.add(OTHER))).toBe('output-refused')
    expect(server.contents.ensure('i/sql.org').tags.get(TAG)).toBe(before)
  })

  it('replaces an entry that the package itself contradicts', async () => {
    const {root, index} = await honestIndex()
    const writer = indexWriter(root, {registry: newClient()}, 'repositories')
    await writer.add({...OTHER, crds: indexed('a/b:v1', {owns: ['lies.sql.org']}).crds})
    expect(await writer.add(OTHER, {isRead: true})).toBe('replaced')
    expect(await writer.add(OTHER, {isRead: true})).toBe('present')
    const {summaries} = await index().ofGroup('sql.org')
    expect(summaries).toContainEqual(OTHER)
  })

  it('does not replace a document of a later version', async () => {
    const {root, put} = await honestIndex()
    await put(
      TAG,
      said(fields => ({...fields, formatVersion: 9})),
    )
    const writer = indexWriter(root, {registry: newClient()}, 'repositories')
    expect(await outcome(() => writer.add(OTHER, {isRead: true}))).toBe('output-refused')
  })

  it('lists a group with any content of its marker', async () => {
    const {root, put, index} = await honestIndex()
    await put('group.new.org', imageOf(packageLayer), 'i')
    const writer = indexWriter(root, {registry: newClient()}, 'repositories')
    expect(await writer.add(indexed('team/new:v1', {owns: ['things.new.org']}))).toBe('added')
    expect(inWords(await index().ofGroup('new.org'))).toEqual(only('team/new:v1'))
  })

  it('accepts an equal entry with an unknown field', async () => {
    const {root, put, index} = await honestIndex()
    await put(
      TAG,
      said(fields => ({...fields, later: 'unknown'})),
    )
    const writer = indexWriter(root, {registry: newClient()}, 'repositories')
    expect(await writer.add(OTHER)).toBe('added')
    expect(await writer.add(OTHER)).toBe('present')
    expect(inWords(await index().ofGroup('sql.org'))).toEqual(only('team/sql:v1', 'team/sql:v2'))
  })

  it.each([
    {name: 'an invalid digest', summary: {...OTHER, digest: 'sha256:1'}, code: 'index-invalid'},
    {
      name: 'an invalid group',
      summary: indexed('team/x:v1', {owns: ['things.org']}),
      code: 'unsupported',
    },
  ])('rejects a version with $name and writes nothing', async ({summary, code}) => {
    const {root, server} = await honestIndex()
    const before = server.seen.length
    const writer = indexWriter(root, {registry: newClient()}, 'repositories')
    expect(await outcome(() => writer.add(summary))).toBe(code)
    expect(server.seen.length).toBe(before)
  })
})
