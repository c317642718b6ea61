import {afterAll, beforeAll, describe, expect, it} from '@jest/globals'
import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {loadAll} from 'js-yaml'
import {startRegistry, type RegistryServer} from '../fakes/registry-server.js'
import {addXpkg} from '../fakes/xpkg-images.js'
import {present} from '../outcome.js'
import {runCli} from '../run-cli.js'
import {temporaryFolder} from '../temporary-folder.js'

const PROVIDER = 'apiVersion: meta.pkg.crossplane.io/v1\nkind: Provider\nmetadata: {name: p}\n'

/** The names of the core's recorded cases in which its resolver installs less than what was requested. */
const CASES: readonly {readonly name: string; readonly packages: readonly string[]}[] = [
  {name: 'k05: installed by tag, required by digest', packages: ['k05/dep:v1.0.0', 'k05/app:v1.0.0']},
  {name: 'k07: required by digest and by version', packages: ['k07/a:v1.0.0', 'k07/b:v1.0.0']},
  {name: 'k10: installed by a tag that is not a version', packages: ['k10/dep:latest', 'k10/app:v1.0.0']},
  {name: 'k11: a cycle', packages: ['k11/a:v1.0.0']},
  {name: 'k14: one path on two registries', packages: ['k14/app:v1.0.0']},
]

describe('a set that the resolver of Crossplane cannot install', () => {
  const folder = temporaryFolder()
  const servers: RegistryServer[] = []

  beforeAll(async () => {
    servers.push(await startRegistry(), await startRegistry())
    const [server, other] = [present(servers[0]), present(servers[1])]
    const requires = (
      ...entries: readonly (readonly [kind: string, repository: string, version: string])[]
    ) => {
      const list = entries.map(([kind, name, version]) => `{${kind}: ${name}, version: "${version}"}`)
      return `apiVersion: meta.pkg.crossplane.io/v1\nkind: Configuration\nmetadata: {name: c}\nspec: {dependsOn: [${list.join(', ')}]}\n`
    }
    const add = (path: string, stream: string, tag = 'v1.0.0') => addXpkg(server, path, tag, stream)
    const at = (path: string) => `${server.host}/${path}`
    const dep = add('k05/dep', PROVIDER)
    add('k05/app', requires(['provider', at('k05/dep'), dep]))
    add('k07/dep', PROVIDER)
    add('k07/a', requires(['provider', at('k07/dep'), dep]))
    add('k07/b', requires(['provider', at('k07/dep'), '>=v1.0.0']))
    add('k10/dep', PROVIDER)
    add('k10/dep', PROVIDER, 'latest')
    add('k10/app', requires(['provider', at('k10/dep'), '>=v1.0.0']))
    add('k11/a', requires(['configuration', at('k11/b'), '*']))
    add('k11/b', requires(['configuration', at('k11/a'), '*']))
    add('k14/dep', PROVIDER)
    addXpkg(other, 'k14/dep', 'v1.0.0', PROVIDER)
    add('k14/app', requires(['provider', at('k14/dep'), '*'], ['provider', `${other.host}/k14/dep`, '*']))
  })
  afterAll(async () => {
    for (const server of servers) await server.close()
  })

  const render = async (packages: readonly string[], pin: string) => {
    const file = join(folder, 'crossplane-packages.yaml')
    const entries = packages.map(name => `- package: ${present(servers[0]).host}/${name}\n`)
    writeFileSync(
      file,
      `apiVersion: packages.kubectl-crossplane.dev/v1alpha1\nkind: PackageDeclaration\npackages:\n${entries.join('')}`,
    )
    const cache = ['--cache-dir', join(folder, 'cache')]
    return await runCli('package', 'render', '--declaration', file, '--pin', pin, ...cache, '--quiet')
  }

  it.each(CASES)('$name', async ({packages}) => {
    for (const pin of ['config', 'tag']) {
      const {status, stdout, stderr} = await render(packages, pin)
      expect({pin, status, stdout, stderr}).toMatchObject({pin, status: 3, stdout: ''})
      expect(stderr).toContain('--pin=digest')
    }
    const {status, stdout} = await render(packages, 'digest')
    const objects = loadAll(stdout) as {
      metadata: {name: string}
      spec: {package: string; skipDependencyResolution: boolean}
    }[]
    expect(status).toBe(0)
    expect(
      objects.every(
        ({spec}) => spec.skipDependencyResolution && /^[^@:]+:\d+\/[^@:]+@sha256:/.test(spec.package),
      ),
    ).toBe(true)
    expect(new Set(objects.map(({metadata}) => metadata.name)).size).toBe(objects.length)
  })
})
