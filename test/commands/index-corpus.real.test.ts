import {beforeAll, expect, it} from '@jest/globals'
import {join} from 'node:path'
import {load} from 'js-yaml'
import {asObject, asObjects, asText, type JsonObject, type JsonValue} from '../../src/yaml/json-value.js'
import {programCommand} from '../built-program.js'
import {corpusEntries, CORPUS_ROOT, corpusTag, describeCorpus, registryFilesIn} from '../corpus.js'
import {missingTool} from '../missing-tool.js'
import {describeReal} from '../real-parts.js'
import {DOCKER_REGISTRY_TOOLS, dockerRegistries} from '../registry/docker-registry.js'
import {runCli} from '../run-cli.js'
import {preloading, runBuilt} from '../run-program.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'

const NO_SOCKETS = join(import.meta.dirname, 'no-sockets.cjs')
const folder = temporaryFolder()
const CACHE = ['--cache-dir', join(folder, 'cache')]
const PACKAGES = corpusEntries('corpus').filter(name => name.includes('@'))

async function printed(...args: readonly string[]): Promise<string> {
  const {status, stdout, stderr} = await runCli(...args)
  expect({status, errors: status === 0 ? '' : stderr}).toEqual({status: 0, errors: ''})
  return stdout
}

/** A version of a package that owns a CRD, read from its files without this program. */
interface Owner {
  readonly package: string
  readonly tag: string
  readonly served: readonly string[]
}

function ownersIn(name: string, tag: string, path: string): (readonly [crd: string, owner: Owner])[] {
  return registryFilesIn(path)
    .filter(file => file.path.endsWith('crd.yaml'))
    .map(file => asObject(load(Buffer.from(file.bytes).toString()) as JsonValue))
    .filter(({kind}) => kind === 'CustomResourceDefinition')
    .map(({spec}) => {
      const {names, group} = asObject(spec)
      const served = servedIn(asObject(spec))
      return [`${asText(asObject(names).plural)}.${asText(group)}`, {package: name, tag, served}] as const
    })
}

function servedIn({versions, version}: JsonObject): string[] {
  const served = asObjects(versions).filter(each => each.served === true)
  return versions === undefined ? [asText(version)] : served.map(({name}) => asText(name))
}

interface Node {
  readonly met: {readonly package?: string; readonly tag?: string}
  readonly needs: readonly Node[]
}

describeReal(
  'an index of all real packages in docker-registry',
  missingTool(...DOCKER_REGISTRY_TOOLS),
  () => {
    const start = dockerRegistries()
    const owners = new Map<string, Owner[]>()
    let host = ''
    const index = () => ['--index', `${host}/crossplane/index`]

    describeCorpus('pushed and indexed', () => {
      beforeAll(async () => {
        programCommand()
        ;({host} = await start())
        for (const entry of PACKAGES) {
          const [name = '', ref = ''] = entry.split('@')
          const path = join(CORPUS_ROOT, 'corpus', entry)
          const tag = corpusTag(path, ref)
          const repository = `${host}/crossplane/${name}`
          await printed('package', 'push', `${repository}:${tag}`, path, '--no-lint', ...index())
          for (const [crd, owner] of ownersIn(repository, tag, path)) {
            owners.set(crd, [...(owners.get(crd) ?? []), owner])
          }
        }
      }, 300_000)

      it('provides lists every owner of every CRD, with its versions', async () => {
        expect([...owners.values()].flat().length).toBeGreaterThan(200)
        for (const [crd, want] of owners) {
          const text = await printed('package', 'provides', crd, ...index(), ...CACHE, '-o', 'json')
          const {providers} = JSON.parse(text) as {providers: Owner[]}
          const found = providers.map(({package: name, tag, served}) => ({package: name, tag, served}))
          const byTag = (a: Owner, b: Owner) => (a.tag < b.tag ? -1 : 1)
          expect({crd, owners: [...found].sort(byTag)}).toEqual({crd, owners: [...want].sort(byTag)})
        }
      }, 300_000)

      const tree = async (own: string, ...flags: readonly string[]) => {
        const text = await printed(
          ...['package', 'tree', own, '--as-package', 'example/own:v0.1.0', '-n', 'team-a', '-o', 'json'],
          ...[...index(), ...CACHE, ...flags],
        )
        return JSON.parse(text) as {roots: Node[]; notes: {rule: string}[]}
      }
      const ownPackage = (name: string, need: string) =>
        writeTree(join(folder, name.replaceAll(' ', '-')), {
          '.registry/app.yaml': `version: 0.1.0\ntitle: Test\npermissionScope: Cluster\ndependsOn:\n- ${need}\n`,
        })

      it.each([
        {
          name: 'an exact kind',
          need: () => 'crd: cloudsqlinstances.database.gcp.crossplane.io/v1beta1',
          want: 'provider-gcp:v0.11.0',
          rule: 'owner-first-use',
        },
        {
          name: 'a wildcard',
          need: () => 'crd: "*.cache.azure.crossplane.io"',
          want: 'provider-azure:v0.11.0',
          rule: 'owner-first-use',
        },
        {
          name: 'a package',
          need: () => `package: ${host}/crossplane/provider-rook`,
          want: 'provider-rook:v0.7.0',
          rule: undefined,
        },
        {
          name: 'a stale wildcard',
          need: () => 'crd: "*.cache.azure.crossplane.io/v1alpha3"',
          want: 'provider-azure:v0.2.1',
          rule: 'held-back',
        },
      ])('$name is satisfied by $want', async ({name, need, want, rule}) => {
        const {roots, notes} = await tree(ownPackage(name, need()))
        const [node] = roots.flatMap(({needs}) => needs)
        expect(`${node?.met.package ?? ''}:${node?.met.tag ?? ''}`).toBe(`${host}/crossplane/${want}`)
        expect(notes.map(note => note.rule)).toEqual(expect.arrayContaining(rule === undefined ? [] : [rule]))
      })

      it('a repeated resolution uses no registry: the same set, and no socket', async () => {
        const own = ownPackage('offline', 'crd: redis.cache.azure.crossplane.io')
        const args = ['package', 'render', own, '--as-package', 'example/own:v0.1.0', ...index(), ...CACHE]
        const set = await printed(...args)
        expect(set).toContain('crossplane-provider-azure')
        const {status, stdout} = await runBuilt([...args, '--offline'], {env: preloading(NO_SOCKETS)})
        expect({status, isSame: stdout === set}).toEqual({status: 0, isSame: true})
      })

      it('a reference is resolved through the index as through a folder', async () => {
        const own = ownPackage('published', 'crd: redis.cache.azure.crossplane.io')
        const reference = `${host}/example/published:0.1.0`
        await printed('package', 'push', reference, own, ...index())
        const set = await printed('package', 'render', reference, ...index(), ...CACHE)
        expect(set).toContain(`${host}/crossplane/provider-azure:v0.11.0@sha256:`)
      })
    })
  },
)
