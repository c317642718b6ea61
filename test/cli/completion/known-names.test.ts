import {describe, expect, it} from '@jest/globals'
import {delimiter, join} from 'node:path'
import {knownNames} from '../../../src/cli/completion/known-names.js'
import {writeLock} from '../../../src/declaration/write-lock.js'
import {APP, LOCK, PROVIDER} from '../../declaration/locks.js'
import {temporaryFolder, writeTree} from '../../temporary-folder.js'

// The sources import these at once, which jest fails now and then to link.
await import('../../../src/cluster/kubeconfig/read-kubeconfig.js')
await import('../../../src/registry/credentials/docker-config.js')
await import('../../../src/cli/sources/index-name.js')
await import('../../../src/adapters/packages-folder.js')
await import('../../../src/declaration/read-declaration.js')
await import('../../../src/cli/declaration/lock-query.js')

const HEAD = 'apiVersion: packages.kubectl-crossplane.dev/v1alpha1\nkind: PackageDeclaration\n'
const folder = writeTree(temporaryFolder(), {
  'crossplane-packages.yaml': `${HEAD}packages:\n- package: example/declared:v1\n`,
  'broken.yaml': 'packages: [',
  'broken.lock': '<<<<<<< ours\n',
  'index.jsonl': '{"kind":"PackageEntry","identity":"example/indexed","tag":"v1"}\n',
  'second.jsonl': '{"kind":"PackageEntry","identity":"example/second","tag":"v2"}\n',
})
const at = (name: string) => join(folder, name)
const kubeconfig = (...contexts: readonly string[]) =>
  JSON.stringify({contexts: contexts.map(name => ({name, context: {cluster: 'one'}}))})
type Flags = Readonly<Record<string, readonly string[]>>
const names = knownNames({})
const repositories = async (flags: Flags) =>
  (await names.packages({'cache-dir': [at('no-cache')], ...flags})).map(({repository}) => repository)

describe('names for completion', () => {
  it('come from the declaration, its lock and index files', async () => {
    writeTree(folder, {'crossplane-packages.lock': writeLock(LOCK)})
    const declaration = [at('crossplane-packages.yaml')]
    expect(await repositories({declaration, index: [at('index.jsonl')]})).toEqual([
      APP.identity,
      'example/declared',
      'example/indexed',
      PROVIDER.identity,
    ])
    expect(await names.installs({declaration})).toEqual([
      'crossplane-system/example-provider-cloud',
      'team-a/example-app',
    ])
  })

  it('of CRDs come from the rendered folder of the declaration', async () => {
    const tree = 'tree/rendered'
    writeTree(folder, {
      'tree/crossplane-packages.yaml': `${HEAD}output: rendered\npackages: []\n`,
      [`${tree}/crds/databases.sql.example.org.yaml`]: '',
      [`${tree}/crds/shared/caches.cache.example.org.yaml`]: '',
      [`${tree}/crds/kustomization.yaml`]: '',
      [`${tree}/base/roles.example.org.yaml`]: '',
    })
    expect(await names.crds({declaration: [at('tree/crossplane-packages.yaml')]})).toEqual([
      'caches.cache.example.org',
      'databases.sql.example.org',
    ])
    expect(await names.crds({declaration: [at('absent.yaml')]})).toEqual([])
    expect(await names.crds({declaration: [at('crossplane-packages.yaml')]})).toEqual([])
  })

  it('come from each file of CROSSPLANE_INDEX that can be read', async () => {
    const CROSSPLANE_INDEX = ` ${at('index.jsonl')}, registry.example.org/index, ${at('second.jsonl')}`
    const env = {CROSSPLANE_INDEX, CROSSPLANE_SOURCE: '', CROSSPLANE_CACHE_DIR: at('no-cache')}
    const packages = await knownNames(env).packages({declaration: [at('absent.yaml')]})
    expect(packages).toEqual([
      {repository: 'example/indexed', tags: ['v1']},
      {repository: 'example/second', tags: ['v2']},
    ])
  })

  it('come from every index that is given', async () => {
    const index = [at('index.jsonl'), 'registry.example.org/index', at('second.jsonl')]
    const found = await repositories({declaration: [at('absent.yaml')], index})
    expect(found).toEqual(['example/indexed', 'example/second'])
  })

  it('come from the index files of the declaration, beside it', async () => {
    const indexes = 'indexes: [./index.jsonl, absent.jsonl, registry.example.org/index, second.jsonl]\n'
    writeTree(folder, {'indexed.yaml': `${HEAD}${indexes}packages:\n- package: example/declared:v1\n`})
    const found = await repositories({declaration: [at('indexed.yaml')]})
    expect(found).toEqual(['example/declared', 'example/indexed', 'example/second'])
  })

  it('come from the folder of packages, without a host even with a default source', async () => {
    const PACKAGES = [
      'example/app/v0.1.0',
      'example/app@v0.2.0',
      'Upper/app/v1',
      'a b/app/v1',
      'example/db/v1\n',
    ]
    const root = join(folder, 'packages')
    writeTree(root, Object.fromEntries(PACKAGES.map(path => [`${path}/.registry/app.yaml`, ''])))
    writeTree(root, {'registry.example.org/app/v1/oci-layout': '', 'example/tar/v3.tar': ''})
    const declaration = [at('absent.yaml')]
    const want = [
      {repository: 'example/app', tags: ['v0.2.0', 'v0.1.0']},
      {repository: 'example/tar', tags: ['v3']},
    ]
    const flags = {declaration, 'cache-dir': [at('no-cache')]}
    expect(await names.packages({...flags, packages: ['elsewhere', root]})).toEqual(want)
    const env = {CROSSPLANE_PACKAGES: root, CROSSPLANE_SOURCE: 'registry.example.org'}
    expect(await knownNames(env).packages(flags)).toEqual(want)
  })

  it('come from files below the home folder that are typed with ~', async () => {
    const HOME = writeTree(join(folder, 'of user'), {
      'packages/example/app/v1/.registry/app.yaml': '',
      'crossplane.lock': writeLock(LOCK),
      config: kubeconfig('home'),
    })
    const flags = {declaration: [at('absent.yaml')], 'cache-dir': [at('no-cache')], packages: ['~/packages']}
    expect(await knownNames({HOME}).packages(flags)).toEqual([{repository: 'example/app', tags: ['v1']}])
    expect(await knownNames({HOME: ''}).packages(flags)).toEqual([])
    expect(await knownNames({HOME}).installs({'lock-file': ['~/crossplane.lock']})).toHaveLength(2)
    expect(await knownNames({HOME}).contexts({kubeconfig: ['~/config']})).toEqual(['home'])
  })

  it('are none in a folder of packages that takes long to search', async () => {
    const files = Array.from({length: 501}, (_, index) => [`example/${index}`, ''] as const)
    writeTree(folder, {...Object.fromEntries(files), 'example/app/v1/.registry/app.yaml': ''})
    expect(await repositories({declaration: [at('absent.yaml')], packages: [folder]})).toEqual([])
  })

  it('of contexts come from each file of KUBECONFIG that can be read', async () => {
    writeTree(folder, {
      'one.kubeconfig': kubeconfig('prod', 'test'),
      'two.kubeconfig': kubeconfig('prod', 'dev'),
      'large.kubeconfig': kubeconfig('large', 'a'.repeat(1024 * 1024)),
      'other.kubeconfig': 'contexts: {}\n',
      'three.kubeconfig': kubeconfig('last'),
    })
    const paths = ['one', 'absent', 'large', 'other', 'two', 'three'].map(name => at(`${name}.kubeconfig`))
    const KUBECONFIG = [...paths, '', at('broken.yaml'), folder].join(delimiter)
    expect(await knownNames({KUBECONFIG}).contexts({})).toEqual(['dev', 'last', 'prod', 'test'])
    const explicit = {kubeconfig: [at('one.kubeconfig'), at('three.kubeconfig')]}
    expect(await knownNames({KUBECONFIG}).contexts(explicit)).toEqual(['last'])
  })

  it('of contexts come from the home folder', async () => {
    const HOME = writeTree(join(folder, 'home'), {'.kube/config': kubeconfig('home')})
    expect(await knownNames({HOME, KUBECONFIG: ''}).contexts({kubeconfig: ['']})).toEqual(['home'])
    expect(await knownNames({HOME: folder}).contexts({})).toEqual([])
  })

  it.each([
    {
      name: 'with credentials, helpers and URLs',
      content: {
        auths: {
          'registry.example.org:5000': {auth: 'YTpi'},
          'https://index.docker.io/v1/': {},
          'quay.io/a': {},
        },
        credHelpers: {'gcr.io': 'gcloud', 'registry.example.org:5000': 'a'},
        credsStore: 'desktop',
      },
      want: ['docker.io', 'gcr.io', 'registry.example.org:5000'],
    },
    {name: 'without credentials', content: {}, want: []},
    {name: 'that is malformed', content: {auths: []}, want: []},
    {name: 'that is large', content: {auths: {'gcr.io': 'a'.repeat(1024 * 1024)}}, want: []},
  ])('of registries come from a file $name', async ({content, want}) => {
    writeTree(folder, {'auth.json': JSON.stringify(content)})
    expect(await knownNames({REGISTRY_AUTH_FILE: at('auth.json')}).registries()).toEqual(want)
  })

  it.each<{readonly name: string; readonly flags: Flags}>([
    {name: 'a broken declaration and lock', flags: {declaration: [at('broken.yaml')]}},
    {name: 'an absent declaration', flags: {declaration: [at('absent.yaml')]}},
    {name: 'a folder', flags: {declaration: [folder], index: [folder]}},
    {
      name: 'an index in a registry',
      flags: {declaration: [at('absent.yaml')], index: ['registry.example.org/index']},
    },
    {
      name: 'a cache that is a file',
      flags: {declaration: [at('absent.yaml')], 'cache-dir': [at('broken.yaml')]},
    },
  ])('are none for $name', async ({flags}) => {
    expect(await repositories(flags)).toEqual([])
    expect(await names.installs(flags)).toEqual([])
  })
})
