import {afterAll, beforeAll, describe, expect, it} from '@jest/globals'
import {createHash} from 'node:crypto'
import {readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {asObject, asObjects, asText, type JsonObject} from '../../src/yaml/json-value.js'
import {addXpkg} from '../fakes/xpkg-images.js'
import {type RegistryServer, startRegistry} from '../fakes/registry-server.js'
import {runCli} from '../run-cli.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'
import {APP_YAML} from './locked-world.js'

const folder = temporaryFolder()
const at = (...path: readonly string[]) => join(folder, ...path)
let registries: readonly RegistryServer[] = []
const host = (index: number) => registries[index]?.host ?? ''

beforeAll(async () => {
  registries = [await startRegistry(), await startRegistry()]
  for (const [index, registry] of registries.entries()) {
    const version = `v${index + 1}.0.0`
    const source = writeTree(at(`stack-${index}`), {
      '.registry/app.yaml': `version: ${version}\n${APP_YAML}`,
    })
    const reference = `${registry.host}/team/stack:${version}`
    expect(await runCli('package', 'push', reference, source, '--no-lint')).toMatchObject({status: 0})
    const meta = `apiVersion: meta.pkg.crossplane.io/v1\nkind: Configuration\nmetadata: {name: app}\nspec: {}\n`
    addXpkg(registry, 'team/xpkg', version, meta)
    for (const name of ['stack', 'xpkg']) {
      const bundle = at(`${name}-${index}`, 'bundle')
      const created = await runCli(
        ...['bundle', 'create', `${registry.host}/team/${name}:${version}`, '-O', bundle],
        ...(name === 'stack' ? ['-n', 'a'] : []),
        ...['--cache-dir', at('cache')],
      )
      expect(created).toMatchObject({status: 0})
    }
  }
})
afterAll(async () => {
  await Promise.all(registries.map(registry => registry.close()))
})

const REF = 'org.opencontainers.image.ref.name'

/** Joins two bundles, as anyone can who writes files: the images of both are in one description. */
function merged(name: string): string {
  const [to, from] = [at(`${name}-0`, 'bundle'), at(`${name}-1`, 'bundle')]
  const text = (path: string) => readFileSync(path)
  const json = (path: string) => JSON.parse(text(path).toString()) as JsonObject
  const blob = (digest: string) => join('blobs', digest.replace(':', '/'))
  const put = (value: unknown) => {
    const bytes = Buffer.from(JSON.stringify(value))
    const digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`
    writeFileSync(join(to, blob(digest)), bytes)
    return {digest, size: bytes.length}
  }
  const [own, other] = [json(join(to, 'index.json')), json(join(from, 'index.json'))]
  const nameOf = (entry: JsonObject) => asText(asObject(entry.annotations)[REF])
  const description = (index: JsonObject) =>
    asObjects(index.manifests).find(entry => nameOf(entry) === 'bundle') ?? {}
  const manifests = [
    json(join(to, blob(asText(description(own).digest)))),
    json(join(from, blob(asText(description(other).digest)))),
  ]
  const [config = {}, more = {}] = manifests.map((manifest, index) =>
    json(join(index === 0 ? to : from, blob(asText(asObject(manifest.config).digest)))),
  )
  const images = [...asObjects(config.images), ...asObjects(more.images)]
  const sorted = images.sort((a, b) => (asText(a.reference) < asText(b.reference) ? -1 : 1))
  const described = put({...config, images: sorted})
  const manifest = put({
    ...manifests[0],
    layers: [],
    config: {...asObject(manifests[0]?.config), ...described},
  })
  for (const {digest} of asObjects(other.manifests)) {
    const path = blob(asText(digest))
    writeFileSync(join(to, path), text(join(from, path)))
    const {config: own = {}, layers} = json(join(from, path))
    for (const part of [asObject(own), ...asObjects(layers)])
      if (asText(part.digest) !== '')
        writeFileSync(join(to, blob(asText(part.digest))), text(join(from, blob(asText(part.digest)))))
  }
  const entries = [
    ...asObjects(own.manifests),
    ...asObjects(other.manifests).filter(entry => nameOf(entry) !== 'bundle'),
  ]
  writeFileSync(
    join(to, 'index.json'),
    JSON.stringify({
      ...own,
      manifests: entries.map(entry => (nameOf(entry) === 'bundle' ? {...entry, ...manifest} : entry)),
    }),
  )
  return to
}

describe.each([{format: 'stack'}, {format: 'xpkg'}])(
  'a bundle with packages of one path in two registries, of the format $format',
  ({format}) => {
    let offline: readonly string[] = []
    const place = format === 'stack' ? ['-n', 'a'] : []
    beforeAll(() => {
      offline = ['--packages', merged(format), '--offline', '--cache-dir', at('empty')]
    })
    const render = (index: number, ...tag: readonly string[]) =>
      runCli('package', 'render', [`${host(index)}/team/${format}`, ...tag].join(':'), ...place, ...offline)
    const versions = (index: number) =>
      runCli('package', 'versions', `${host(index)}/team/${format}`, ...offline)

    it('is a bundle', async () => {
      expect(await runCli('bundle', 'verify', at(`${format}-0`, 'bundle'))).toMatchObject({status: 0})
    })

    it.each([0, 1])('has each version for its own registry: %s', async index => {
      const [own, other] = [`v${index + 1}.0.0`, `v${2 - index}.0.0`]
      const rendered = await render(index)
      expect(rendered).toMatchObject({status: 0})
      expect(rendered.stdout).not.toContain(other)
      expect(await render(index, own)).toMatchObject({status: 0})
      expect(await render(index, other)).toMatchObject({status: 1, stdout: ''})
      expect(await versions(index)).toMatchObject({status: 0, stdout: expect.not.stringContaining(other)})
    })

    it('has none for docker.io, nor for a name without a registry', async () => {
      for (const reference of [`docker.io/team/${format}:v1.0.0`, `team/${format}:v1.0.0`])
        expect(await runCli('package', 'render', reference, ...place, ...offline)).toMatchObject({
          ...{status: 1, stdout: ''},
        })
      const source = ['--default-source', host(0)]
      const named = await runCli(
        'package',
        'render',
        `team/${format}:v1.0.0`,
        ...place,
        ...offline,
        ...source,
      )
      expect(named).toMatchObject({status: 0})
    })
  },
)
