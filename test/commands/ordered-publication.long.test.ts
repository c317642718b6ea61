import {generateKeyPairSync} from 'node:crypto'
import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {afterEach, beforeAll, describe, expect, it} from '@jest/globals'
import {type RegistryOptions, type RegistryServer, startRegistry} from '../fakes/registry-server.js'
import {runCli} from '../run-cli.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'

const COUNTER = 'test/testdata/packages/image-counter'
const folder = temporaryFolder()
const at = (name: string) => join(folder, name)
const running: RegistryServer[] = []

beforeAll(() => {
  const {privateKey, publicKey} = generateKeyPairSync('ec', {namedCurve: 'P-256'})
  writeFileSync(at('key.pub'), publicKey.export({format: 'pem', type: 'spki'}))
  writeFileSync(at('key.pem'), privateKey.export({format: 'pem', type: 'pkcs8'}))
  writeTree(at('provider'), {
    'crossplane.yaml':
      'apiVersion: meta.pkg.crossplane.io/v1\nkind: Configuration\nmetadata: {name: app}\nspec: {}\n',
  })
})
afterEach(() => Promise.all(running.splice(0).map(server => server.close())))

async function registry(options: RegistryOptions = {}): Promise<RegistryServer> {
  const server = await startRegistry(options)
  running.push(server)
  return server
}

const tagsOf = (server: RegistryServer) =>
  [...server.contents.paths()].sort().flatMap(path => {
    const tags = [...(server.contents.repository(path)?.tags.keys() ?? [])].sort()
    return tags.map(tag => `${path}:${tag.replace(/[0-9a-f]{40,64}/, '…')}`)
  })
const puts = (server: RegistryServer) =>
  server.seen
    .filter(({method, path}) => method === 'PUT' && path.includes('/manifests/'))
    .map(({path}) => path.replace(/^.*\/manifests\//, '').replace(/[0-9a-f]{64}/, '…'))
const signed = ['--sign-key', at('key.pem'), '--no-lint']

describe('package push', () => {
  it.each([
    {name: 'a package of Crossplane v0.12', source: COUNTER},
    {name: 'a Configuration', source: at('provider')},
  ])('signs $name before its tag moves, and then adds it to an index', async ({source}) => {
    const server = await registry()
    const reference = `${server.host}/team/app:v0.3.0`
    const pushed = await runCli(
      'package',
      'push',
      reference,
      source,
      ...signed,
      '--index',
      `${server.host}/i`,
    )
    expect({status: pushed.status, errors: pushed.status === 0 ? '' : pushed.stderr}).toEqual({
      status: 0,
      errors: '',
    })
    // The package, its signature, the list of its referrers, the tag, and what the index has of it.
    expect(puts(server).slice(0, 4)).toEqual(['sha256:…', 'sha256:…', 'sha256-…', 'v0.3.0'])
  })

  it.each([400, 405, 415, 422])(
    'lists signatures by a tag where the registry rejects manifests with a subject: %d',
    async status => {
      const server = await registry({rejectsSubjects: status})
      const reference = `${server.host}/team/app:v0.3.0`
      const pushed = await runCli('package', 'push', reference, COUNTER, ...signed, '--sbom', 'generate')
      expect({status: pushed.status, errors: pushed.status === 0 ? '' : pushed.stderr}).toEqual({
        status: 0,
        errors: '',
      })
      expect(pushed.stderr).toMatch(
        /Warning: the registry rejects manifests with a subject: the signatures of \S+ are found by the tag sha256-\w{64} only/,
      )
      expect(tagsOf(server)).toEqual(['team/app:sha256-…', 'team/app:v0.3.0'])
      const verified = await runCli('package', 'verify', reference, '--key', at('key.pub'), '--no-cache')
      expect(verified).toMatchObject({status: 0, stdout: expect.stringContaining('verified')})
      // What is signed already is not signed again.
      const again = await runCli('package', 'push', reference, COUNTER, ...signed, '-o', 'json')
      expect(JSON.parse(again.stdout)).toMatchObject({unchanged: true, attached: []})
    },
  )

  it.each([
    {
      name: 'takes no artifacts',
      options: {rejectsSubjects: 400, rejectsArtifacts: true},
      why: /cannot store artifacts in \S+\/team\/app: the registry rejects them[^]*\nTry: Use a registry that stores OCI artifacts, or push without/,
    },
    {
      name: 'lists referrers by its API only, and rejects their subjects',
      options: {rejectsSubjects: 400, hasReferrers: true},
      why: /by the tag sha256-\w{64}, which was written: the registry rejects manifests with a subject, and lists no others\nTry: Use another registry, or push without/,
    },
  ])('leaves no tag of the package where the registry $name', async ({options, why}) => {
    const server = await registry(options)
    const reference = `${server.host}/team/app:v0.3.0`
    const {status, stderr} = await runCli('package', 'push', reference, COUNTER, ...signed)
    expect(stderr).toContain(`cannot store the signature of ${reference}, and the tag was left as it was`)
    expect(stderr).toMatch(why)
    expect(stderr).not.toContain('Allow the account')
    expect({status, tags: tagsOf(server).filter(tag => !tag.includes('sha256-'))}).toEqual({
      status: 1,
      tags: [],
    })
  })

  it('names the tag where the index cannot be written', async () => {
    const server = await registry({closedTags: /^(?:index|app-)/})
    const reference = `${server.host}/team/app:v0.3.0`
    const pushing = ['package', 'push', reference, COUNTER, '--no-lint', '--index', `${server.host}/i`]
    const {status, stderr} = await runCli(...pushing)
    expect({status, stderr, tags: tagsOf(server)}).toEqual({
      status: 1,
      stderr: expect.stringMatching(
        /app:v0\.3\.0@sha256:\w+ was pushed, but cannot be added[^]*delete the tag v0\.3\.0/,
      ),
      tags: expect.arrayContaining(['team/app:v0.3.0']),
    })
  })
})

describe('registry index add', () => {
  it('names what was added before a failure', async () => {
    const server = await registry({closedTags: /^other-/})
    for (const path of ['app', 'other'])
      await runCli('package', 'push', `${server.host}/team/${path}:v0.3.0`, COUNTER, '--no-lint')
    const references = ['app', 'other'].map(path => `${server.host}/team/${path}:v0.3.0`)
    const {status, stderr} = await runCli(
      'registry',
      'index',
      'add',
      ...references,
      '--index',
      `${server.host}/i`,
    )
    expect({status, stderr}).toEqual({
      status: 1,
      stderr: expect.stringMatching(/; added before: \S+\/team\/app:v0\.3\.0@sha256:\w+\n/),
    })
  })
})

describe('bundle push', () => {
  async function bundle(): Promise<string> {
    const server = await registry()
    for (const [path, source] of [
      ['app', COUNTER],
      ['other', at('provider')],
    ] as const)
      expect(
        await runCli('package', 'push', `${server.host}/team/${path}:v0.3.0`, source, ...signed),
      ).toMatchObject({status: 0})
    const references = ['app', 'other'].map(path => `${server.host}/team/${path}:v0.3.0`)
    const output = at(`bundle-${server.host.replace(':', '-')}`)
    const made = await runCli('bundle', 'create', ...references, '-n', 'team', '--output-file', output)
    expect({status: made.status, errors: made.status === 0 ? '' : made.stderr}).toEqual({
      status: 0,
      errors: '',
    })
    return output
  }

  it('writes content and signatures first, and tags last', async () => {
    const path = await bundle()
    const server = await registry()
    const pushed = await runCli('bundle', 'push', path, server.host)
    expect({status: pushed.status, errors: pushed.status === 0 ? '' : pushed.stderr}).toEqual({
      status: 0,
      errors: '',
    })
    const tags = puts(server).map((put, index) => (put.startsWith('sha256') ? -1 : index))
    const first = tags.find(index => index >= 0) ?? -1
    expect(tags.slice(first)).not.toContain(-1)
    expect(tagsOf(server).filter(tag => tag.endsWith(':v0.3.0'))).toHaveLength(2)
  })

  it('leaves no tag where the registry rejects signatures', async () => {
    const path = await bundle()
    const server = await registry({rejectsArtifacts: true})
    const {status} = await runCli('bundle', 'push', path, server.host)
    expect({status, tags: tagsOf(server)}).toEqual({status: 1, tags: []})
  })

  it('lists signatures by a tag where the registry rejects manifests with a subject', async () => {
    const path = await bundle()
    const server = await registry({rejectsSubjects: 400})
    for (const run of [1, 2]) {
      const pushed = await runCli('bundle', 'push', path, server.host, '-o', 'json')
      expect({run, status: pushed.status, errors: pushed.status === 0 ? '' : pushed.stderr}).toEqual({
        run,
        status: 0,
        errors: '',
      })
      expect(pushed.stderr.match(/Warning: the registry rejects manifests with a subject/g)).toHaveLength(2)
      const {images} = JSON.parse(pushed.stdout) as {
        images: {target: string; digest: string; changed: boolean}[]
      }
      if (run === 2) expect(images.filter(({changed}) => changed)).toEqual([])
      const targets = images.map(({target}) => target.replace(/^.*\/app/, 'app'))
      expect(targets.filter(target => target.startsWith('app:'))).toEqual(['app:v0.3.0'])
      const [app = ''] = images.flatMap(({target}) => (target.includes('/app:') ? [target] : []))
      const verified = await runCli('package', 'verify', app, '--key', at('key.pub'), '--no-cache')
      expect(verified).toMatchObject({status: 0, stdout: expect.stringContaining('verified')})
    }
  })
})
