import {beforeAll, describe, expect, it} from '@jest/globals'
import {spawn} from 'node:child_process'
import {cpSync, existsSync, readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {setTimeout as sleep} from 'node:timers/promises'
import {load} from 'js-yaml'
import {nodeHttp} from '../../src/adapters/http/node-http.js'
import {programCommand} from '../built-program.js'
import {CORPUS_ROOT} from '../corpus.js'
import {missingTool} from '../missing-tool.js'
import {describeReal} from '../real-parts.js'
import {runBuilt, runProgram, smallEnvironment} from '../run-program.js'
import {DOCKER_REGISTRY_TOOLS, dockerRegistries} from '../registry/docker-registry.js'
import {missingOciTools} from '../registry/oci-tools.js'
import {imagesOf, layerOf, noise} from '../registry/package-images.js'
import {ociRegistry} from '../../src/registry/oci-registry.js'
import {MANIFEST_MEDIA_TYPES} from '../../src/fetch/media-types.js'
import {systemClock} from '../../src/adapters/system-clock.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'
import {describeBundleReaders} from './bundle-readers.js'

/** How often a run is killed in CI; `npm run soak` sets more. */
const KILLS = Number(process.env.BUNDLE_KILLS ?? '8')
const MEBIBYTE = 1024 * 1024

const missing =
  missingTool('skopeo', 'unshare', ...DOCKER_REGISTRY_TOOLS) ??
  missingOciTools ??
  (existsSync(join(CORPUS_ROOT, 'corpus-xpkg')) ? undefined : `no corpus in ${CORPUS_ROOT}`)

describeReal('bundles between two registries', missing, () => {
  const start = dockerRegistries()
  const folder = temporaryFolder()
  const at = (name: string) => join(folder, name)
  const env = {XDG_CACHE_HOME: at('cache')}
  const run = async (...args: readonly string[]) => await runBuilt(args, {cwd: folder, env})
  const ran = async (...args: readonly string[]) => {
    const result = await run(...args)
    expect({args, ...result, status: result.status}).toMatchObject({status: 0})
    return result.stdout
  }
  let source = ''
  let mirror = ''
  let full = ''

  beforeAll(async () => {
    source = (await start()).host
    mirror = (await start()).host
    await pushController(source)
    cpSync(join(CORPUS_ROOT, 'corpus/provider-rook@v0.7.0'), at('rook'), {recursive: true})
    const install = at('rook/.registry/install.yaml')
    const named = '      - name: "provider-rook-controller"\n'
    writeFileSync(
      install,
      readFileSync(install, 'utf8').replace(named, `${named}        image: ${source}/team/controller:v1\n`),
    )
    await ran('package', 'push', `${source}/team/provider-rook:v0.7.0`, './rook')
    await ran(
      ...['package', 'push', `${source}/team/provider-gcp:v0.11.0`],
      join(CORPUS_ROOT, 'corpus/provider-gcp@v0.11.0'),
    )
    await ran(
      ...['package', 'push', `${source}/xp/provider-helm:v1.4.0`],
      join(CORPUS_ROOT, 'corpus-xpkg/provider-helm@v1.4.0'),
    )
    writeTree(folder, {'crossplane-packages.yaml': declarationOf(source)})
    await ran('bundle', 'create', '--output-file', 'full.tar')
    full = at('full.tar')
  }, 120_000)

  it('has every package and every image of the closure, with the digests of the registry', async () => {
    const {images} = JSON.parse(await ran('bundle', 'list', full, '--output', 'json')) as Listed
    const listed = images.map(({reference, digest, role}) => ({reference, digest, role}))
    expect(listed).toEqual(
      await Promise.all(
        [
          ['team/controller:v1', 'image'],
          ['team/provider-gcp:v0.11.0', 'package'],
          ['team/provider-rook:v0.7.0', 'package'],
          ['xp/provider-helm:v1.4.0', 'package'],
        ].map(async ([name = '', role]) => ({
          reference: `${source}/${name}`,
          digest: await imageDigest(source, name),
          role,
        })),
      ),
    )
    expect(await ran('bundle', 'verify', full)).toContain('complete, all digests match')
  })

  it('is the same archive each time, and the same blobs as a folder', async () => {
    await ran('bundle', 'create', '--output-file', 'again.tar')
    expect(readFileSync(at('again.tar')).equals(readFileSync(full))).toBe(true)
    await ran('bundle', 'create', '--output-file', 'layout')
    expect(digestsIn(at('layout'))).toEqual(await digestsOfArchive(full))
    expect(readdirSync(folder).filter(name => name.endsWith('.partial'))).toEqual([])
  })

  it('is read by skopeo as what it is, with all platforms', async () => {
    const reference = `${source}/team/controller:v1`
    const copy = ['copy', '--all', '--quiet', `oci-archive:full.tar:${reference}`, 'oci:copied:v1']
    expect(await runProgram('skopeo', copy, {cwd: folder})).toMatchObject({status: 0})
    const {manifests} = JSON.parse(readFileSync(at('copied/index.json'), 'utf8')) as Index
    expect(manifests.map(({digest}) => digest)).toEqual([await imageDigest(source, 'team/controller:v1')])
  })

  describeBundleReaders(async () => {
    const {images} = JSON.parse(await ran('bundle', 'list', full, '--output', 'json')) as Listed
    return {folder, bundle: 'full.tar', host: mirror, images}
  })

  it('is pushed, declared, and then all that packages need: the second push changes nothing', async () => {
    writeTree(at('declared'), {'crossplane-packages.yaml': declarationOf(source)})
    const push = ['bundle', 'push', full, `${mirror}/hub`, '--output', 'json']
    const written = ['--write', '--declaration', at('declared/crossplane-packages.yaml')]
    const first = JSON.parse(await ran(...push, ...written)) as Pushed
    const place = `${mirror}/hub/${source.replace(':', '-')}`
    expect(first.registries).toEqual({[source]: place})
    expect(first.imageConfigs.map(({spec}) => spec)).toEqual([
      {matchImages: [{type: 'Prefix', prefix: `${source}/`}], rewriteImage: {prefix: `${place}/`}},
    ])
    const declared = readFileSync(at('declared/crossplane-packages.yaml'), 'utf8')
    expect(load(declared)).toMatchObject({registries: first.registries, xpkg: {mirrors: true}})
    for (const {target, digest} of first.images)
      expect(await imageDigest(mirror, target.slice(mirror.length + 1))).toBe(digest)
    const second = JSON.parse(await ran(...push)) as Pushed
    expect(second.images.map(({changed}) => changed)).toEqual(second.images.map(() => false))
    const pulled = async () =>
      await ran(
        ...['package', 'render', '--declaration', at('declared/crossplane-packages.yaml')],
        ...['--cache-dir', at('other-cache')],
      )
    expect(await pulled()).toContain(`prefix: ${place}/xp/provider-helm@sha256:`)
    writeTree(at('declared'), {
      'crossplane-packages.yaml': declared.replace('mirrors: true', 'mirrors: false'),
    })
    await ran(...push, ...written)
    expect(await pulled()).toBe(await ran('package', 'render', '--packages', full, '--no-cache'))
  })

  it('does not change tags of others', async () => {
    await ran('bundle', 'create', `${source}/team/provider-gcp:v0.11.0`, '--output-file', 'gcp.tar')
    const place = `taken/${source.replace(':', '-')}/team/provider-gcp:v0.11.0`
    await ran('package', 'push', `${mirror}/${place}`, './rook')
    const before = await imageDigest(mirror, place)
    expect(await run('bundle', 'push', 'gcp.tar', `${mirror}/taken`)).toMatchObject({status: 5})
    expect(await imageDigest(mirror, place)).toBe(before)
    await ran('bundle', 'push', 'gcp.tar', `${mirror}/taken`, '--force')
    expect(await imageDigest(mirror, place)).toBe(await imageDigest(source, 'team/provider-gcp:v0.11.0'))
  })

  it('with a base has only what is new, and needs the base', async () => {
    await ran('bundle', 'create', `${source}/team/provider-gcp:v0.11.0`, '--output-file', 'base.tar')
    await ran('bundle', 'create', '--base', 'base.tar', '--output-file', 'delta.tar')
    const old = await digestsOfArchive('base.tar')
    expect((await digestsOfArchive('delta.tar')).filter(digest => old.includes(digest))).toEqual([])
    expect(await run('bundle', 'verify', 'delta.tar')).toMatchObject({status: 1})
    expect(await run('bundle', 'push', 'delta.tar', `${mirror}/delta`)).toMatchObject({status: 1})
    expect(await run('bundle', 'verify', 'delta.tar', '--base', full)).toMatchObject({status: 2})
    await ran('bundle', 'verify', 'delta.tar', '--base', 'base.tar')
    await ran('bundle', 'push', 'delta.tar', `${mirror}/delta`, '--base', 'base.tar')
    expect(await imageDigest(mirror, `delta/${source.replace(':', '-')}/team/provider-gcp:v0.11.0`)).toBe(
      await imageDigest(source, 'team/provider-gcp:v0.11.0'),
    )
  })

  it('for one platform keeps the digests, and is rejected where indexes must be whole', async () => {
    await ran('bundle', 'create', '--platform', 'linux/arm64', '--output-file', 'arm.tar')
    await ran('bundle', 'verify', 'arm.tar')
    expect(await ran('bundle', 'diff', 'full.tar', 'arm.tar')).toBe('no differences\n')
    expect((await digestsOfArchive('arm.tar')).length).toBeLessThan((await digestsOfArchive(full)).length)
    const pushed = await run('bundle', 'push', 'arm.tar', `${mirror}/arm`)
    expect(pushed).toMatchObject({status: 1})
    expect(pushed.stderr).toContain('rejects indexes without all of their images')
  }, 60_000)

  it('works in a network namespace without a route', async () => {
    const [node, args] = programCommand(...['package', 'render', '--packages', 'full.tar', '--no-cache'])
    const alone = await runProgram('unshare', ['-rn', node, ...args], {cwd: folder, env})
    expect(alone).toMatchObject({status: 0})
    expect(alone.stdout).toBe(await ran('package', 'render', '--packages', 'full.tar', '--no-cache'))
  })

  describe('that is killed', () => {
    it(`is completed by the same command, ${KILLS} times`, async () => {
      const digest = readFileSync(full)
      for (let round = 1; round <= KILLS; round += 1) {
        const output = `killed-${round}.tar`
        await killed(() => existsSync(at(`${output}.partial`)), round * 40, [
          'bundle',
          'create',
          '--output',
          output,
        ])
        await ran('bundle', 'create', '--output-file', output)
        expect(readFileSync(at(output)).equals(digest)).toBe(true)
      }
      expect(readdirSync(folder).filter(name => name.endsWith('.partial'))).toEqual([])
    }, 600_000)

    it(`while it is pushed is completed, too`, async () => {
      for (let round = 1; round <= Math.ceil(KILLS / 2); round += 1) {
        const target = `${mirror}/killed-${round}`
        const place = `killed-${round}/${source.replace(':', '-')}/team/controller`
        const hasBegun = async () => (await imageDigest(mirror, `${place}:v1`)) !== null
        await killed(hasBegun, round - 1, ['bundle', 'push', full, target])
        const {images} = JSON.parse(await ran('bundle', 'push', full, target, '--output', 'json')) as Pushed
        for (const {target: name, digest} of images)
          expect(await imageDigest(mirror, name.slice(mirror.length + 1))).toBe(digest)
      }
    }, 600_000)
  })

  /** Kills a run some time after it has begun to write. */
  async function killed(
    hasBegun: () => boolean | Promise<boolean>,
    milliseconds: number,
    args: readonly string[],
  ): Promise<void> {
    const [command, words] = programCommand(...args)
    const child = spawn(command, words, {cwd: folder, env: {...smallEnvironment(), ...env}, stdio: 'ignore'})
    const ended = new Promise(resolve => child.once('close', resolve))
    while (child.exitCode === null && !(await hasBegun())) await sleep(5)
    await Promise.race([sleep(milliseconds), ended])
    child.kill('SIGKILL')
    await ended
  }

  async function digestsOfArchive(name: string): Promise<readonly string[]> {
    const {stdout} = await runProgram('tar', ['-tf', name], {cwd: folder})
    return stdout
      .split('\n')
      .filter(path => /[0-9a-f]{64}$/.test(path))
      .map(path => path.slice(-64))
      .sort()
  }
})

interface Listed {
  readonly images: readonly {readonly reference: string; readonly digest: string; readonly role: string}[]
}

interface Index {
  readonly manifests: readonly {readonly digest: string}[]
}

interface Pushed {
  readonly registries: Readonly<Record<string, string>>
  readonly imageConfigs: readonly {readonly spec: unknown}[]
  readonly images: readonly {readonly target: string; readonly digest: string; readonly changed: boolean}[]
}

/** The digests of all blobs of a layout. */
function digestsIn(layout: string): readonly string[] {
  return readdirSync(join(layout, 'blobs/sha256')).sort()
}

/** The digest that a registry has for a tag, given as `PATH:TAG`. */
async function imageDigest(host: string, name: string): Promise<string | null> {
  const at = name.lastIndexOf(':')
  const url = `http://${host}/v2/${name.slice(0, at)}/manifests/${name.slice(at + 1)}`
  const response = await fetch(url, {method: 'HEAD', headers: {accept: MANIFEST_MEDIA_TYPES.join(', ')}})
  return response.headers.get('docker-content-digest')
}

function declarationOf(host: string): string {
  return `apiVersion: packages.kubectl-crossplane.dev/v1alpha1
kind: PackageDeclaration
packages:
- package: ${host}/team/provider-rook:v0.7.0
- package: ${host}/team/provider-gcp:v0.11.0
- package: ${host}/xp/provider-helm:v1.4.0
`
}

/** A controller for two platforms, of some MiB. */
async function pushController(host: string): Promise<void> {
  const registry = ociRegistry({
    http: nodeHttp(),
    clock: systemClock,
    schemeOf: () => 'http:',
    keychain: {credentialsFor: () => Promise.resolve(undefined)},
  })
  const images = imagesOf(
    layerOf({'bin/controller': noise(3 * MEBIBYTE)}),
    layerOf({'bin/controller': `${noise(3 * MEBIBYTE)} arm64`}),
  )
  await registry.push({registry: host, path: 'team/controller'}, 'v1', images)
}
