import {execFile} from 'node:child_process'
import {cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {promisify} from 'node:util'
import {beforeAll, expect, it} from '@jest/globals'
import {CORPUS_ROOT, corpusEntries, describeCorpus, registryFilesIn} from '../corpus.js'
import {missingTool} from '../missing-tool.js'
import {describeReal} from '../real-parts.js'
import {runCli} from '../run-cli.js'
import {temporaryFolder} from '../temporary-folder.js'
import {BLOG, DATABASE} from './fixtures.js'
import {realPackage, type SomePackage} from './some-packages.js'

const run = promisify(execFile)
const skopeo = (...args: string[]) => run('skopeo', ['--insecure-policy', ...args])

interface Report {
  readonly target: string
  readonly digest: string
  readonly images: number
}

async function build(...args: readonly string[]): Promise<Report> {
  const {status, stdout, stderr} = await runCli('package', 'build', ...args, '-o', 'json')
  expect({status, stderr: stderr.replace(/^Warning: .*\n/gm, '')}).toEqual({status: 0, stderr: ''})
  return JSON.parse(stdout) as Report
}

async function rendered(place: string, flags: readonly string[]): Promise<string> {
  const {status, stdout} = await runCli('package', 'render', place, ...flags, '--no-pin-image')
  expect(status).toBe(0)
  return stdout
}

/** What lies below `.registry/`, by path. */
const shown = (folder: string) =>
  Object.fromEntries(
    registryFilesIn(folder).map(({path, bytes}) => [path, Buffer.from(bytes).toString('base64')]),
  )

describeReal('built images, read by other tools', missingTool('skopeo', 'umoci', 'tar'), () => {
  const temporary = temporaryFolder()
  const at = (path: string) => join(temporary, path)
  const [folder = '', ...flags] = DATABASE

  /** An image with something to run and a `.registry/` that is not the package's, by umoci. */
  beforeAll(async () => {
    mkdirSync(at('old/.registry/resources'), {recursive: true})
    writeFileSync(at('old/.registry/app.yaml'), 'title: Old\npermissionScope: Cluster\n')
    writeFileSync(at('old/.registry/resources/old.yaml'), 'old')
    writeFileSync(at('old/run'), '#!/bin/sh\n', {mode: 0o755})
    await run('umoci', ['init', '--layout', at('base')])
    await run('umoci', ['new', '--image', `${at('base')}:v1`])
    for (const path of ['.registry', 'run'])
      await run('umoci', [
        'insert',
        '--rootless',
        '--image',
        `${at('base')}:v1`,
        at(`old/${path}`),
        `/${path}`,
      ])
    await run('umoci', ['config', '--image', `${at('base')}:v1`, '--config.entrypoint', '/run'])
    await build(`oci:${at('plain')}:v0.2.0`, folder)
  })

  it('skopeo reads the printed digest and the annotations of the package', async () => {
    const {digest} = await build(`oci:${at('plain')}:v0.2.0`, folder)
    const {stdout} = await skopeo('inspect', `oci:${at('plain')}:v0.2.0`)
    expect(JSON.parse(stdout)).toMatchObject({
      Digest: digest,
      Os: 'linux',
      Labels: {'org.opencontainers.image.version': expect.stringMatching(/0\.2\.0/)},
    })
  })

  it.each([
    {name: 'an OCI layout', to: 'oci', path: 'copied:v0.2.0', digestStays: true},
    {name: 'an OCI archive', to: 'oci-archive', path: 'copied.tar:v0.2.0', digestStays: true},
    {
      name: 'a docker archive',
      to: 'docker-archive',
      path: 'docker.tar:example.org/a/b:v0.2.0',
      digestStays: false,
    },
  ])('skopeo copies it into $name with the same content', async ({to, path, digestStays}) => {
    const [source, target] = [`oci:${at('plain')}:v0.2.0`, `${to}:${at(path)}`]
    await skopeo('copy', source, target)
    expect(await rendered(target, flags)).toBe(await rendered(folder, flags))
    if (!digestStays) return
    const [before, after] = [await skopeo('inspect', source), await skopeo('inspect', target)]
    expect((JSON.parse(after.stdout) as {Digest: string}).Digest).toBe(
      (JSON.parse(before.stdout) as {Digest: string}).Digest,
    )
  })

  it('skopeo and GNU tar read the archive', async () => {
    const {digest} = await build(`oci-archive:${at('a.tar')}:v0.2.0`, folder)
    const {stdout} = await skopeo('inspect', `oci-archive:${at('a.tar')}`)
    expect((JSON.parse(stdout) as {Digest: string}).Digest).toBe(digest)
    const listed = await run('tar', ['-tf', at('a.tar')])
    expect(listed.stdout.split('\n')).toContain('index.json')
  })

  it('umoci unpacks every byte of it', async () => {
    await run('umoci', ['unpack', '--rootless', '--image', `${at('plain')}:v0.2.0`, at('unpacked')])
    expect(readdirSync(at('unpacked/rootfs'))).toEqual(['.registry'])
    expect(shown(at('unpacked/rootfs/.registry'))).toEqual(shown(join(folder, '.registry')))
  })

  it.each([
    {name: 'the layout itself', from: () => Promise.resolve(`oci:${at('base')}:v1`)},
    {
      name: 'an archive of Docker',
      from: async () => {
        await skopeo('copy', `oci:${at('base')}:v1`, `docker-archive:${at('base.tar')}:base:v1`)
        return `docker-archive:${at('base.tar')}`
      },
    },
    {
      name: 'zstd layers',
      from: async () => {
        await skopeo(
          'copy',
          '--dest-compress-format',
          'zstd',
          '--dest-compress',
          `oci:${at('base')}:v1`,
          `dir:${at('zstd')}`,
        )
        await skopeo('copy', `dir:${at('zstd')}`, `oci:${at('zstd-layout')}:v1`)
        return `oci:${at('zstd-layout')}:v1`
      },
    },
  ])(
    'umoci reads the same on $name: only the new .registry/, and the command of the image',
    async ({name, from}) => {
      const layout = `over-${name.replaceAll(' ', '-')}`
      const {target} = await build(`oci:${at(layout)}:v0.2.0`, folder, '--from', await from())
      expect(await rendered(target, flags)).toBe(await rendered(folder, flags))
      const inspected = await skopeo('inspect', '--config', target)
      expect(JSON.parse(inspected.stdout)).toMatchObject({config: {Entrypoint: ['/run']}})
      if (name === 'zstd layers') return // this umoci reads gzip alone
      const bundle = at(`${layout}-bundle`)
      await run('umoci', ['unpack', '--rootless', '--image', `${at(layout)}:v0.2.0`, bundle])
      expect(readdirSync(join(bundle, 'rootfs')).sort()).toEqual(['.registry', 'run'])
      expect(shown(join(bundle, 'rootfs/.registry'))).toEqual(shown(join(folder, '.registry')))
    },
  )

  it('an index of skopeo stays an index, and the package is added to each of its platforms', async () => {
    const platforms = ['amd64', 'arm64']
    for (const each of platforms) {
      await run('umoci', ['tag', '--image', `${at('base')}:v1`, each])
      await run('umoci', ['config', '--image', `${at('base')}:${each}`, '--architecture', each])
    }
    const {manifests} = JSON.parse(readFileSync(at('base/index.json'), 'utf8')) as {
      manifests: readonly {digest: string; annotations: Readonly<Record<string, string>>}[]
    }
    const entries = platforms.map(architecture => {
      const found = manifests.find(
        each => each.annotations['org.opencontainers.image.ref.name'] === architecture,
      )
      return {...found, annotations: undefined, platform: {os: 'linux', architecture}}
    })
    cpSync(at('base'), at('many'), {recursive: true})
    const mediaType = 'application/vnd.oci.image.index.v1+json'
    const index = JSON.stringify({schemaVersion: 2, mediaType, manifests: entries})
    const {createHash} = await import('node:crypto')
    const hex = createHash('sha256').update(index).digest('hex')
    writeFileSync(at(`many/blobs/sha256/${hex}`), index)
    const root = {mediaType, digest: `sha256:${hex}`, size: Buffer.byteLength(index)}
    writeFileSync(at('many/index.json'), JSON.stringify({schemaVersion: 2, manifests: [root]}))
    const report = await build(`oci:${at('multi')}:v0.2.0`, folder, '--from', `oci:${at('many')}`)
    expect(report.images).toBe(2)
    for (const each of platforms) {
      const inspected = await skopeo('--override-arch', each, 'inspect', report.target)
      expect((JSON.parse(inspected.stdout) as {Architecture: string}).Architecture).toBe(each)
      expect(await rendered(report.target, [...flags, '--platform', `linux/${each}`])).toBe(
        await rendered(folder, flags),
      )
    }
  })
})

/** Built as they are and with their metadata baked, packages mean what their folders mean. */
async function expectSame({name, folder, flags}: SomePackage, temporary: string): Promise<void> {
  const want = await rendered(folder, flags)
  const {target} = await build(`oci:${join(temporary, name)}`, folder, '--no-lint')
  expect((await rendered(target, flags)) === want).toBe(true)
  const baked = await build(
    `oci-archive:${join(temporary, `${name}.tar`)}`,
    folder,
    '--no-lint',
    '--bake-metadata',
  )
  expect((await rendered(baked.target, flags)) === want).toBe(true)
}

describeCorpus('every real package, built and read again', () => {
  const temporary = temporaryFolder()
  const trees = corpusEntries('corpus').filter(name => name.includes('@'))
  let same = 0

  it.each(trees)('%s renders to the same bytes, also with baked metadata', async tree => {
    await expectSame(realPackage(tree), temporary)
    same += 1
  })

  it('all packages are included', () => {
    expect({same, there: trees.length > 15, root: CORPUS_ROOT}).toEqual({
      same: trees.length,
      there: true,
      root: CORPUS_ROOT,
    })
  })
})

describeReal('our own packages, built and read again', undefined, () => {
  const temporary = temporaryFolder()

  it.each([
    {name: 'database', argv: DATABASE},
    {name: 'blog', argv: BLOG},
  ])('$name', async ({name, argv: [folder = '', ...flags]}) => {
    await expectSame({name, folder, flags}, temporary)
  })
})
