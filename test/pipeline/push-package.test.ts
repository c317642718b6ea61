import {join} from 'node:path'
import {describe, expect, it} from '@jest/globals'
import {localFile, localFiles} from '../../src/adapters/local-files.js'
import {localPackage} from '../../src/adapters/local-package.js'
import {fetchImage} from '../../src/fetch/fetch-image.js'
import {pushPackage, type PushQuery, type PushReport} from '../../src/pipeline/push-package.js'
import {parseImageName} from '../../src/reference/image-name.js'
import {repositoryOf} from '../../src/reference/repository.js'
import {ERAS} from '../../src/render/era.js'
import {registryFiles} from '../../src/unpack/files/layer-files.js'
import {registryFilesIn} from '../corpus.js'
import {present} from '../outcome.js'
import {runCli} from '../run-cli.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'
import {memoryRegistry} from './memory-registry.js'

const COUNTER = 'test/testdata/packages/image-counter'
const sources = {directory: localPackage, files: localFiles, file: localFile}
const sourceControl = {facts: () => Promise.resolve(undefined)}
const temporary = temporaryFolder()

function push(
  reference: string,
  more: Partial<PushQuery> = {},
  registry = memoryRegistry(),
): Promise<PushReport> {
  return pushPackage({reference, path: COUNTER, lint: true, ...more}, {sources, sourceControl, registry})
}

describe('a push', () => {
  it('makes a package that can be pulled under what it answers', async () => {
    const registry = memoryRegistry()
    const {reference, digest, tag, unchanged} = await push(
      'registry.example.org/team/counter:v0.3.0',
      {},
      registry,
    )
    expect({reference, tag, unchanged}).toEqual({
      reference: `registry.example.org/team/counter:v0.3.0@${digest}`,
      tag: 'v0.3.0',
      unchanged: false,
    })
    const {layers} = await fetchImage(registry.image(repositoryOf(present(parseImageName(reference))), {tag}))
    const paths = (await registryFiles(layers)).map(({path}) => path).sort()
    expect(paths).toEqual(
      registryFilesIn(join(COUNTER, '.registry'))
        .map(({path}) => path)
        .sort(),
    )
  })

  it('is done once, however often it is asked for', async () => {
    const registry = memoryRegistry()
    const first = await push('team/counter:v0.3.0', {}, registry)
    expect(await push('team/counter:v0.3.0', {}, registry)).toEqual({...first, unchanged: true})
    expect(registry.uploads).toEqual(['team/counter:v0.3.0'])
  })

  it.each([
    {name: 'the version is the tag', in: 'team/counter', want: 'team/counter:0.3.0'},
    {name: 'docker.io keeps single names in its library', in: 'counter:0.3.0', want: 'counter:0.3.0'},
  ])('$name', async ({in: reference, want}) => {
    expect((await push(reference)).reference.split('@')[0]).toBe(want)
  })

  it.each([
    {name: 'another tag than the version', in: ['team/counter:v9', {}], code: 'usage'},
    {name: 'a digest', in: [`team/counter@sha256:${'0'.repeat(64)}`, {}], code: 'usage'},
    {name: 'a folder as target', in: ['./counter', {}], code: 'reference-invalid'},
    {
      name: 'nothing that says a tag',
      in: [
        'team/bare',
        {
          path: writeTree(join(temporary, 'bare'), {
            '.registry/app.yaml': 'title: A\npermissionScope: Cluster\n',
          }),
        },
      ],
      code: 'reference-incomplete',
    },
    {name: 'a base that is not there', in: ['team/counter', {from: 'team/none:v1'}], code: 'not-found'},
  ] as const)('is refused for $name, before anything is sent', async ({in: [reference, more], code}) => {
    const registry = memoryRegistry()
    await expect(push(reference, more, registry)).rejects.toMatchObject({code})
    expect(registry.uploads).toEqual([])
  })

  it.each([
    {name: 'the same registry', to: 'registry.example.org/team/counter', mounted: 1},
    {name: 'another registry', to: 'other.example.org/team/counter', mounted: 0},
  ])('goes on top of an image in $name', async ({to, mounted}) => {
    const registry = memoryRegistry()
    await push('registry.example.org/team/base:v0.3.0', {}, registry)
    const {digest} = await push(to, {from: 'registry.example.org/team/base:v0.3.0'}, registry)
    expect(registry.mounts.map(each => each.split(' ')[0])).toEqual(
      Array.from({length: mounted}, () => 'team/base'),
    )
    const {layers} = await fetchImage(
      registry.image(repositoryOf(present(parseImageName(to))), {tag: '0.3.0'}),
    )
    expect({layers: layers.length, digest}).toEqual({layers: 2, digest: expect.stringMatching(/^sha256:/)})
  })
})

describe('a push of what was built before', () => {
  const built = async (target: string) => {
    const {stdout} = await runCli('package', 'build', target, COUNTER)
    return stdout.trim()
  }

  it.each([
    {name: 'a layout', path: `oci:${temporary}/layout:v0.3.0`},
    {name: 'an archive', path: `oci-archive:${temporary}/archive.tar:v0.3.0`},
  ])('$name keeps its digest', async ({path}) => {
    const digest = await built(path)
    expect(await push('team/counter', {path})).toMatchObject({digest, tag: 'v0.3.0'})
  })

  it.each([
    {name: 'under another version', reference: 'team/counter:v1.0.0', more: {}},
    {name: 'on another image', reference: 'team/counter:v0.3.0', more: {from: 'oci:base'}},
    {name: 'with its metadata baked', reference: 'team/counter:v0.3.0', more: {bake: ERAS.packages}},
  ])('is not pushed $name', async ({reference, more}) => {
    const path = `oci:${temporary}/before:v0.3.0`
    await built(path)
    await expect(push(reference, {path, ...more})).rejects.toMatchObject({code: 'usage'})
  })

  it('has to be a package', async () => {
    await expect(push('team/counter:v1', {path: `oci:${temporary}/nowhere`})).rejects.toMatchObject({
      code: 'not-found',
    })
  })
})

describe('package push, publish', () => {
  it.each(['push', 'publish'])('%s says that it cannot reach registries yet', async verb => {
    const {status, stderr} = await runCli('package', verb, 'team/counter', COUNTER)
    expect({status, stderr}).toEqual({status: 1, stderr: expect.stringContaining('skopeo copy')})
  })
})
