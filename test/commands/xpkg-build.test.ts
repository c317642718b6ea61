import {afterAll, beforeAll, describe, expect, it} from '@jest/globals'
import {cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {gunzipSync} from 'node:zlib'
import {loadAll} from 'js-yaml'
import {asObject, asObjects, asText, type JsonObject, type JsonValue} from '../../src/yaml/json-value.js'
import {type RegistryServer, startRegistry} from '../fakes/registry-server.js'
import {present} from '../outcome.js'
import {runCli} from '../run-cli.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'

const temporary = temporaryFolder()
const at = (path: string) => join(temporary, path)
const build = (...args: readonly string[]) => runCli('package', 'build', ...args)

const EXAMPLE = './examples/xpkg/configuration-database'
const XPKG = 'io.crossplane.xpkg'

function exampleIn(name: string): string {
  cpSync(EXAMPLE, at(name), {recursive: true})
  return at(name)
}

const PROVIDER = `apiVersion: meta.pkg.crossplane.io/v1
kind: Provider
metadata: {name: provider-example}
spec: {}
`

/** The documents of a layout with one image: its manifest and its config. */
function layoutOf(name: string): {readonly manifest: JsonObject; readonly config: JsonObject} {
  const [entry] = asObjects(read(name, 'index.json').manifests)
  const manifest = blob(name, asText(entry?.digest))
  return {manifest, config: blob(name, asText(asObject(manifest.config).digest))}
}

function read(name: string, path: string): JsonObject {
  return JSON.parse(readFileSync(at(join(name, path)), 'utf8')) as JsonObject
}

function blob(name: string, digest: string): JsonObject {
  return read(name, `blobs/${digest.replace(':', '/')}`)
}

/** The one file in a layer, whose tar has a header of 512 bytes before it. */
function fileOf(name: string, digest: string): {readonly path: string; readonly text: string} {
  const tar = gunzipSync(readFileSync(at(join(name, 'blobs', digest.replace(':', '/')))))
  const size = parseInt(tar.toString('latin1', 124, 135), 8)
  return {
    path: tar.toString('latin1', 0, 100).replace(/\0.*/s, ''),
    text: tar.toString('utf8', 512, 512 + size),
  }
}

const annotationsIn = ({manifest}: {readonly manifest: JsonObject}) =>
  asObjects(manifest.layers).map(layer => asText(asObject(layer.annotations)[XPKG]))

const jsonError = async (...args: readonly string[]) => {
  const {status, stderr} = await runCli('package', ...args, '-o', 'json')
  return {status, code: (JSON.parse(stderr) as {code: string}).code}
}

describe('package build of a folder with crossplane.yaml', () => {
  it('writes an .xpkg file into the folder, named after the package and the digest', async () => {
    const folder = exampleIn('alone')
    const {status, stdout} = await build(folder)
    expect(status).toBe(0)
    const [file] = readdirSync(folder).filter(name => name.endsWith('.xpkg'))
    expect(file).toBe(`configuration-database-${stdout.slice('sha256:'.length, 'sha256:'.length + 12)}.xpkg`)
    const {stdout: inspected} = await runCli('package', 'inspect', join(folder, present(file)), '-o', 'json')
    expect(JSON.parse(inspected)).toMatchObject({
      kind: 'XpkgReport',
      package: {kind: 'Configuration', name: 'configuration-database'},
    })
  })

  it('has one digest as a file, a layout and an archive, and after a second build', async () => {
    const folder = exampleIn('again')
    const targets = [at('d.xpkg'), at('d.xpkg'), `oci:${at('d')}:v1.0.0`, `oci-archive:${at('d.tar')}`]
    const digests: string[] = []
    for (const target of targets) digests.push((await build(target, folder)).stdout)
    expect(new Set(digests).size).toBe(1)
  })

  it('marks the layers of the package and of its examples by annotations, and by labels', async () => {
    const folder = exampleIn('marked')
    writeTree(folder, {
      'examples/b.yaml': 'apiVersion: v1\nkind: A',
      'examples/a.yaml': 'apiVersion: v1\nkind: B\n',
    })
    await build(`oci:${at('marks')}`, folder)
    const image = layoutOf('marks')
    const digests = asObjects(image.manifest.layers).map(({digest}) => asText(digest))
    expect(annotationsIn(image)).toEqual(['base', 'upbound'])
    expect(asObject(image.config.config).Labels).toEqual({
      [`${XPKG}:${digests[0]}`]: 'base',
      [`${XPKG}:${digests[1]}`]: 'upbound',
    })
    expect(image.config).toMatchObject({os: '', architecture: ''})
    expect(image.manifest.annotations).toBeUndefined()
    const [stream, examples] = digests.map(digest => fileOf('marks', digest))
    expect(stream?.path).toBe('package.yaml')
    expect(loadAll(present(stream).text).map(object => asText(asObject(object as JsonValue).kind))).toEqual([
      'Configuration',
      'Composition',
      'CompositeResourceDefinition',
      '',
    ])
    expect(examples).toEqual({
      path: '.up/examples.yaml',
      text: '---\napiVersion: v1\nkind: B\n---\napiVersion: v1\nkind: A\n',
    })
  })

  it('adds its layers to each platform of a runtime image, whose labels and marks do not stay', async () => {
    const provider = at('provider')
    writeTree(provider, {'crossplane.yaml': PROVIDER})
    await build(`oci:${at('runtime')}:v1`, exampleIn('as-runtime'))
    await build(`oci:${at('over')}:v1`, provider, '--embed-runtime-image', `oci:${at('runtime')}:v1`)
    const runtime = layoutOf('runtime')
    const over = layoutOf('over')
    expect(annotationsIn(over)).toEqual(['', 'base'])
    expect(asObjects(over.manifest.layers)[0]?.digest).toBe(asObjects(runtime.manifest.layers)[0]?.digest)
    expect(Object.values(asObject(asObject(over.config.config).Labels))).toEqual(['base'])
    const {stdout} = await runCli('package', 'inspect', `oci:${at('over')}:v1`, '-o', 'json')
    expect(JSON.parse(stdout)).toMatchObject({package: {kind: 'Provider'}})
  })

  it('takes the runtime from a file, and writes the same image', async () => {
    const provider = at('of-file')
    writeTree(provider, {'crossplane.yaml': PROVIDER})
    await build(at('runtime.xpkg'), exampleIn('in-file'))
    await build(`oci:${at('in-layout')}:v1`, at('in-file'))
    const fromFile = await build(at('a.xpkg'), provider, '--embed-runtime-image', at('runtime.xpkg'))
    const fromLayout = await build(at('b.xpkg'), provider, '--from', `oci:${at('in-layout')}:v1`)
    expect(fromFile.stdout).toBe(fromLayout.stdout)
    expect(readFileSync(at('a.xpkg'))).toEqual(readFileSync(at('b.xpkg')))
  })

  it.each([
    {name: 'a file of the package', ignore: ['apis/*.yaml']},
    {name: 'a folder', ignore: ['apis']},
    {name: 'one of several patterns', ignore: ['other', './api?/']},
  ])('leaves out $name', async ({ignore}) => {
    const folder = exampleIn('ignoring')
    writeTree(folder, {'crossplane.yaml': PROVIDER})
    const without = at('only-metadata')
    writeTree(without, {'crossplane.yaml': PROVIDER})
    const flags = ignore.flatMap(pattern => ['--ignore', pattern])
    const built = await build(at('i.xpkg'), folder, ...flags)
    expect(built.stdout).toBe((await build(at('j.xpkg'), without)).stdout)
  })

  it('takes the examples of another folder', async () => {
    const folder = exampleIn('with-examples')
    writeTree(at('elsewhere'), {'deep/a.yml': 'apiVersion: v1\nkind: A\n', 'README.md': '#'})
    await build(`oci:${at('elsewhere-image')}`, folder, '--examples', at('elsewhere'))
    expect(annotationsIn(layoutOf('elsewhere-image'))).toEqual(['base', 'upbound'])
  })
})

describe('package build rejects', () => {
  const invalid = () => {
    const folder = exampleIn('invalid')
    writeTree(folder, {'apis/duplicate.yaml': readFileSync(join(folder, 'apis/definition.yaml'))})
    return folder
  }

  it('a package with errors of lint, and builds it with --no-lint', async () => {
    const folder = invalid()
    expect(await jsonError('build', at('no.xpkg'), folder)).toEqual({status: 1, code: 'package-invalid'})
    expect((await build(at('no.xpkg'), folder, '--no-lint')).status).toBe(0)
  })

  it.each<{readonly name: string; readonly tree: Readonly<Record<string, string>>}>([
    {name: 'a package that Crossplane cannot read', tree: {'a.yaml': 'apiVersion: v1\nkind: ConfigMap\n'}},
    {name: 'two metadata objects', tree: {'a.yaml': PROVIDER}},
    {name: 'examples that are not objects', tree: {'examples/a.yaml': 'a: 1\n'}},
  ])('$name, also with --no-lint', async ({tree}) => {
    const folder = exampleIn('unreadable')
    writeTree(folder, tree)
    expect(await jsonError('build', at('u.xpkg'), folder, '--no-lint')).toEqual({
      status: 1,
      code: 'package-invalid',
    })
    for (const path of Object.keys(tree)) writeFileSync(join(folder, path), '')
  })

  it.each([
    {name: 'metadata files', args: () => [at('f.xpkg'), EXAMPLE, '--bake-metadata'], code: 'usage'},
    {name: 'another file', args: () => [at('other.xpkg'), EXAMPLE], code: 'output-refused'},
    {name: 'absent examples', args: () => [at('f.xpkg'), EXAMPLE, '--examples', at('x')], code: 'not-found'},
    {name: 'an .xpkg file of .registry/', args: () => [at('f.xpkg'), OLD], code: 'usage'},
    {name: 'examples of .registry/', args: () => [`oci:${at('o')}`, OLD, '--examples', 'x'], code: 'usage'},
    {name: 'a folder as the target', args: () => [EXAMPLE, '.'], code: 'usage'},
  ])('$name', async ({args, code}) => {
    writeFileSync(at('other.xpkg'), 'not an archive')
    expect(await jsonError('build', ...args())).toMatchObject({code})
  })
})

const OLD = 'test/testdata/packages/image-counter'

describe('package push of a package for a current Crossplane', () => {
  let server: RegistryServer | undefined
  beforeAll(async () => {
    server = await startRegistry()
  })
  afterAll(() => server?.close())
  const push = (path: string, ...args: readonly string[]) =>
    runCli('package', 'push', `${present(server).host}/${path}`, ...args)

  it('pushes the same image from a folder, a file and a layout', async () => {
    mkdirSync(at('sources'), {recursive: true})
    const {stdout: digest} = await build(at('sources/p.xpkg'), EXAMPLE)
    await build(`oci:${at('sources/p')}:v1.0.0`, EXAMPLE)
    const sources = [EXAMPLE, at('sources/p.xpkg'), `oci:${at('sources/p')}:v1.0.0`]
    for (const source of sources) {
      const {status, stdout} = await push('team/database:v1.0.0', source)
      expect({status, stdout}).toEqual({
        status: 0,
        stdout: `${present(server).host}/team/database:v1.0.0@${digest}`,
      })
    }
    const pulled = await runCli(
      ...['package', 'inspect', `${present(server).host}/team/database:v1.0.0`, '-o', 'json'],
    )
    expect(JSON.parse(pulled.stdout)).toMatchObject({kind: 'XpkgReport', package: {digest: digest.trim()}})
  })

  it('needs a tag, since the package has no version', async () => {
    const {stderr} = await push('team/database', EXAMPLE, '-o', 'json')
    expect(JSON.parse(stderr)).toMatchObject({code: 'reference-incomplete'})
  })
})

describe('package init --xpkg', () => {
  it.each([
    {kind: 'provider', annotations: ['base']},
    {kind: 'configuration', annotations: ['base', 'upbound']},
    {kind: 'function', annotations: ['base']},
  ])('creates a $kind that lints clean and builds', async ({kind, annotations}) => {
    const folder = at(`new-${kind}`)
    expect(await runCli('package', 'init', folder, '--xpkg', kind)).toMatchObject({status: 0})
    expect(await runCli('package', 'lint', folder, '--strict')).toMatchObject({status: 0})
    expect(await build(`oci:${folder}-image`, folder)).toMatchObject({status: 0})
    expect(annotationsIn(layoutOf(`new-${kind}-image`))).toEqual(annotations)
  })

  it('does not overwrite files, and does not take flags of the other format', async () => {
    await runCli('package', 'init', at('once'), '--xpkg', 'function')
    expect(await jsonError('init', at('once'), '--xpkg', 'function')).toMatchObject({code: 'output-refused'})
    const other = ['--xpkg', 'provider', '--from-crds', 'config/crd']
    expect(await jsonError('init', at('other'), ...other)).toMatchObject({code: 'usage'})
  })
})
