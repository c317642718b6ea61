import {beforeAll, describe, expect, it} from '@jest/globals'
import {execFile} from 'node:child_process'
import {join} from 'node:path'
import {promisify} from 'node:util'
import {programCommand} from '../built-program.js'
import {corpusEntries, CORPUS_ROOT, corpusTag, describeCorpus, registryFilesIn} from '../corpus.js'
import {missingTool} from '../missing-tool.js'
import {describeReal} from '../real-parts.js'
import {DOCKER_REGISTRY_TOOLS, dockerRegistries} from '../registry/docker-registry.js'
import {runCli} from '../run-cli.js'
import {preloading, runBuilt} from '../run-program.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'

const run = promisify(execFile)
const COUNTER = 'test/testdata/packages/image-counter'
const NO_SOCKETS = join(import.meta.dirname, 'no-sockets.cjs')

const temporary = temporaryFolder()
const cache = ['--cache-dir', join(temporary, 'cache')]
const skopeo = (...args: string[]) => run('skopeo', ['--insecure-policy', ...args])

/** What is printed where all is well. */
async function printed(...args: readonly string[]): Promise<string> {
  const {status, stdout, stderr} = await runCli(...args)
  expect({status, errors: status === 0 ? '' : stderr}).toEqual({status: 0, errors: ''})
  return stdout
}

const rendered = (ref: string, ...flags: readonly string[]) =>
  printed('package', 'render', ref, '--namespace', 'team-a', '--no-pin-image', ...flags)

describeReal('packages in docker-registry', missingTool('skopeo', 'umoci', ...DOCKER_REGISTRY_TOOLS), () => {
  const start = dockerRegistries()
  let host = ''
  beforeAll(async () => {
    ;({host} = await start())
    programCommand()
  })

  describeCorpus('of the corpus', () => {
    it.each(corpusEntries('corpus').filter(name => name.includes('@')))(
      '%s: pushed and pulled, it gives the install set of its folder, byte for byte',
      async entry => {
        const [name = '', ref = ''] = entry.split('@')
        const folder = join(CORPUS_ROOT, 'corpus', entry)
        const reference = `${host}/crossplane/${name}:${corpusTag(folder, ref)}`
        const pushed = await printed('package', 'push', reference, folder, '--no-lint')
        expect(pushed.startsWith(`${reference}@sha256:`)).toBe(true)
        const want = await rendered(folder, '--as-package', reference)
        expect(await rendered(reference, ...cache)).toBe(want)
        const pinned = await rendered(pushed.trim(), '--no-cache')
        expect(pinned.replaceAll(pushed.trim(), reference)).toBe(want)
        expect(await rendered(reference, '--offline', ...cache)).toBe(want)
      },
    )

    it('resolves to the newest stable version without a tag', async () => {
      const set = await printed('package', 'inspect', `${host}/crossplane/provider-gcp`, ...cache)
      expect(set).toContain(`${host}/crossplane/provider-gcp:v0.11.0`)
    })
  })

  describe('and other tools', () => {
    const reference = () => `${host}/team/counter:0.3.0`
    const source = () => `docker://${reference()}`
    let digest = ''
    beforeAll(async () => {
      digest = (await printed('package', 'push', reference(), COUNTER)).trim().split('@')[1] ?? ''
    })

    it('has the annotations that skopeo reads', async () => {
      const {stdout} = await skopeo('inspect', '--tls-verify=false', source())
      expect(JSON.parse(stdout)).toMatchObject({Digest: digest, Architecture: 'amd64', Os: 'linux'})
    })

    it('has the files that umoci unpacks after skopeo copied it', async () => {
      const [layout, bundle] = [join(temporary, 'copied'), join(temporary, 'bundle')]
      await skopeo('copy', '--src-tls-verify=false', source(), `oci:${layout}:v1`)
      await run('umoci', ['unpack', '--rootless', '--image', `${layout}:v1`, bundle])
      const files = (folder: string) =>
        registryFilesIn(join(folder, '.registry'))
          .map(({path, bytes}) => ({path, text: Buffer.from(bytes).toString('latin1')}))
          .sort((a, b) => (a.path < b.path ? -1 : 1))
      expect(files(join(bundle, 'rootfs'))).toEqual(files(COUNTER))
    })

    it('can come from other tools', async () => {
      const layout = join(temporary, 'foreign')
      await run('umoci', ['init', '--layout', layout])
      await run('umoci', ['new', '--image', `${layout}:v1`])
      const insert = ['insert', '--rootless', '--image', `${layout}:v1`]
      await run('umoci', [...insert, join(COUNTER, '.registry'), '/.registry'])
      const foreign = `${host}/team/foreign:v0.3.0`
      await skopeo('copy', '--dest-tls-verify=false', `oci:${layout}:v1`, `docker://${foreign}`)
      expect(await rendered(foreign, ...cache)).toBe(await rendered(`./${COUNTER}`, '--as-package', foreign))
    })

    it('is rendered as a request if it is for a current Crossplane', async () => {
      const layout = join(temporary, 'modern')
      const rootfs = writeTree(join(temporary, 'modern-files'), {
        'package.yaml': 'apiVersion: meta.pkg.crossplane.io/v1\nkind: Provider\n',
      })
      await run('umoci', ['init', '--layout', layout])
      await run('umoci', ['new', '--image', `${layout}:v1`])
      const insert = ['insert', '--rootless', '--image', `${layout}:v1`]
      await run('umoci', [...insert, join(rootfs, 'package.yaml'), '/package.yaml'])
      await skopeo('copy', '--dest-tls-verify=false', `oci:${layout}:v1`, `docker://${host}/team/modern:v1`)
      const modern = `${host}/team/modern:v1`
      const names = ['package', 'render', modern, ...cache, '-o', 'name']
      expect(await runCli(...names)).toMatchObject({
        status: 0,
        stdout: 'imageconfig.pkg.crossplane.io/team-modern-v1\nprovider.pkg.crossplane.io/team-modern\n',
      })
    })
  })

  describe('after a pull', () => {
    const reference = () => `${host}/team/kept:0.3.0`
    const offline = (...args: readonly string[]) =>
      runBuilt(['package', ...args, '--offline', ...cache], {env: preloading(NO_SOCKETS)})
    beforeAll(async () => {
      await printed('package', 'push', reference(), COUNTER)
      await printed('package', 'pull', reference(), ...cache)
    })

    it('are rendered, inspected and linted without a socket', async () => {
      for (const args of [
        ['render', reference(), '--namespace', 'a'],
        ['inspect', reference()],
        ['lint', reference()],
      ]) {
        const {status, stderr} = await offline(...args)
        expect({args, status, stderr}).toEqual({
          args,
          status: 0,
          stderr: expect.not.stringContaining('SOCKET'),
        })
      }
    })

    it('would open one without --offline, so that the test can fail', async () => {
      const args = ['package', 'inspect', reference(), ...cache]
      const {status, stderr} = await runBuilt(args, {env: preloading(NO_SOCKETS)})
      expect({status, stderr}).toEqual({status: 99, stderr: expect.stringContaining('OPENED A SOCKET')})
    })

    it.each([
      {name: 'another tag', in: () => `${host}/team/kept:v9`},
      {name: 'a digest', in: () => `${host}/team/kept@sha256:${'0'.repeat(64)}`},
      {name: 'the newest version, which is not cached', in: () => `${host}/team/kept`},
    ])('are all that is available: $name is reported as missing', async ({in: missing}) => {
      const {status, stdout, stderr} = await offline('render', missing())
      expect({status, stdout}).toEqual({status: 1, stdout: ''})
      expect(stderr).toContain(`${missing()} is not in the cache`)
    })

    it('are printed with their digest', async () => {
      const pulled = await printed('package', 'pull', reference(), '--output', 'json', ...cache)
      const {packages} = JSON.parse(pulled) as {packages: {reference: string; digest: string}[]}
      expect(packages).toMatchObject([{fromCache: true, tag: '0.3.0', platform: 'linux/amd64'}])
      expect(packages[0]?.reference).toBe(`${reference()}@${packages[0]?.digest ?? ''}`)
    })
  })
})
