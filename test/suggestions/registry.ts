import {createServer} from 'node:http'
import {join} from 'node:path'
import {done, IndexedWorlds} from '../commands/indexed-world.js'
import {proxyServer} from '../fakes/proxy-server.js'
import {indexOf, manifestOf, OCI, part, type Part, platform} from '../fetch/image-parts.js'
import {listener} from '../listening.js'
import {folderOf} from './available-packages.js'
import type {SuggestionCase} from './suggestion-case.js'

const worlds = new IndexedWorlds()
const listen = listener()
const pull = (reference: string, ...flags: readonly string[]) => [
  'package',
  'pull',
  reference,
  '--no-cache',
  ...flags,
]

/** A registry that answers everything with this status; with a challenge it does so once credentials are sent. */
async function answering(status: number, isChallenging = false): Promise<string> {
  const server = createServer(({headers}, response) => {
    if (isChallenging && headers.authorization === undefined)
      response.writeHead(401, {'www-authenticate': 'Basic realm="r"'}).end()
    else response.writeHead(status, {'retry-after': '9999'}).end()
  })
  return `127.0.0.1:${await listen(server)}`
}

/** Credentials of the registries of this machine. */
async function pullAs(status: number): Promise<readonly string[]> {
  const host = await answering(status, true)
  const auths = {[host]: {auth: Buffer.from('anna:secret').toString('base64')}}
  process.env['REGISTRY_AUTH_FILE'] = join(folderOf({'auth.json': JSON.stringify({auths})}), 'auth.json')
  return pull(`${host}/a:v1`)
}

const gears = {plural: 'gears'}

/** Registries, their answers, and indexes in them. */
export const CASES: readonly SuggestionCase[] = [
  {name: 'a registry that requires a login', in: async () => pull(`${await answering(401)}/a:v1`)},
  {name: 'a registry that forbids', in: async () => pull(`${await answering(403)}/a:v1`)},
  {name: 'a registry that is asked too often', in: async () => pull(`${await answering(429)}/a:v1`)},
  {name: 'credentials that are wrong', in: async () => await pullAs(401), env: {REGISTRY_AUTH_FILE: ''}},
  {name: 'credentials that do not suffice', in: async () => await pullAs(403), env: {REGISTRY_AUTH_FILE: ''}},
  {name: 'a registry that is no registry', in: async () => pull(`${await answering(418)}/a:v1`)},
  {name: 'a registry that does not exist', in: pull('127.0.0.1:1/a:v1')},
  {name: 'the network when it is not to be used', in: ['package', 'pull', '127.0.0.1:1/a:v1', '--offline']},
  {
    name: 'the versions of a repository that does not exist',
    in: async () => ['package', 'versions', `${await answering(404)}/a`],
  },
  {name: 'the versions of a folder', in: ['package', 'versions', './x']},
  {
    name: 'a repository that does not exist',
    in: async () => pull((await worlds.empty()).reference('none', 'v1')),
  },
  {
    name: 'a wrong tag',
    in: async () => pull((await worlds.filled()).reference('gears', '1.0.0')),
    then: argv => argv.map(word => word.replace(':1.0.0', ':v1.0.0')),
  },
  {
    name: 'a tag that resembles no other',
    in: async () => pull((await worlds.filled()).reference('gears', 'other')),
  },
  {
    name: 'a repository without a stable version',
    in: async () => {
      const world = await worlds.empty()
      await done(world.publish('gears', 'main', gears))
      return pull(world.reference('gears', '').slice(0, -1))
    },
    then: argv => argv.map(word => (word.endsWith('/gears') ? `${word}:main` : word)),
  },
  {
    name: 'a range without a version',
    in: async () => {
      const name = (await worlds.filled()).reference('gears', '').slice(0, -1)
      const text = `apiVersion: packages.kubectl-crossplane.dev/v1alpha1
kind: PackageDeclaration
packages: [{package: "${name}", version: ^7.0.0}]
`
      return ['package', 'tree', '--declaration', join(folderOf({'a.yaml': text}), 'a.yaml'), '--no-cache']
    },
  },
  {
    name: 'a folder and a reference of one name',
    in: () => ['package', 'lint', 'test/testdata/packages/cli-database'],
    then: argv => argv.map(word => (word.startsWith('test/') ? `./${word}` : word)),
  },
  {
    name: 'a tag that exists with other content',
    in: async () => {
      const world = await worlds.filled()
      return [
        'package',
        'push',
        world.reference('gears', 'v1.0.0'),
        worlds.source('v1.0.0', {plural: 'wheels'}),
        '--no-lint',
      ]
    },
    then: argv => [...argv, '--force'],
  },
  {
    name: 'a repository that cannot be created',
    in: async () => {
      const world = await worlds.empty({makesNoRepositories: true})
      return [
        'package',
        'push',
        world.reference('gears', 'v1.0.0'),
        worlds.source('v1.0.0', gears),
        '--no-lint',
      ]
    },
  },
  {
    name: 'a helper that does not exist',
    in: async () => {
      const host = await answering(401)
      const config = {credHelpers: {[host]: 'of-no-program'}}
      process.env['DOCKER_CONFIG'] = folderOf({'config.json': JSON.stringify(config)})
      return pull(`${host}/a:v1`)
    },
    env: {DOCKER_CONFIG: ''},
  },
  {
    name: 'a helper whose name is none',
    in: async () => {
      const host = await answering(401)
      process.env['DOCKER_CONFIG'] = folderOf({'config.json': JSON.stringify({credHelpers: {[host]: 'a b'}})})
      return pull(`${host}/a:v1`)
    },
    env: {DOCKER_CONFIG: ''},
  },
  {
    name: 'a registry without TLS',
    in: async () => {
      const proxy = `http://127.0.0.1:${await listen(proxyServer().server)}`
      Object.assign(process.env, {HTTPS_PROXY: proxy})
      return pull(`registry.invalid:${(await answering(200)).split(':')[1] ?? ''}/a:v1`)
    },
    env: {HTTPS_PROXY: ''},
  },
  {
    name: 'a proxy that forbids',
    in: async () => {
      const proxy = `http://127.0.0.1:${await listen(proxyServer({refusal: 403}).server)}`
      Object.assign(process.env, {HTTPS_PROXY: proxy})
      return pull('registry.invalid/a:v1')
    },
    env: {HTTPS_PROXY: ''},
  },
  {
    name: 'a manifest of schema 1',
    in: async () => {
      const {server, reference} = await withManifest({
        mediaType: 'application/vnd.docker.distribution.manifest.v1+json',
        bytes: Buffer.from('{"schemaVersion": 1}'),
      })
      return pull(`${server}/${reference}`)
    },
  },
  {
    name: 'a package of a current Crossplane',
    in: async () => {
      const layer = part(OCI.layer, 'x')
      const annotated = {...layer.descriptor, annotations: {'io.crossplane.xpkg': 'base'}}
      const manifest = part(OCI.manifest, {
        schemaVersion: 2,
        mediaType: OCI.manifest,
        config: part(OCI.config, {}).descriptor,
        layers: [annotated],
      })
      const {server, reference} = await withManifest(
        {mediaType: OCI.manifest, bytes: manifest.bytes},
        layer,
        part(OCI.config, {}),
      )
      return pull(`${server}/${reference}`)
    },
  },
  {
    name: 'an image of other platforms',
    in: async () => {
      const index = indexOf({...manifestOf(), with: platform('linux', 'arm64')})
      const {server, reference} = await withManifest({mediaType: OCI.index, bytes: index.bytes})
      return pull(`${server}/${reference}`)
    },
  },
]

/** A registry with one manifest. */
async function withManifest(manifest: {mediaType: string; bytes: Buffer}, ...blobs: readonly Part[]) {
  const registry = await worlds.registry()
  const repository = registry.contents.ensure('a')
  for (const {bytes, descriptor} of blobs) repository.blobs.set(descriptor.digest, bytes)
  repository.putManifest('v1', manifest)
  return {server: registry.host, reference: 'a:v1'}
}
