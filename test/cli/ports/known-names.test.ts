import {describe, expect, it} from '@jest/globals'
import {join} from 'node:path'
import {knownNames} from '../../../src/cli/ports/known-names.js'
import {writeLock} from '../../../src/declaration/write-lock.js'
import {APP, LOCK, PROVIDER} from '../../declaration/locks.js'
import {temporaryFolder, writeTree} from '../../temporary-folder.js'

// The sources import these at once, which jest fails now and then to link.
await import('../../../src/declaration/read-declaration.js')
await import('../../../src/cli/options/resolution/lock-query.js')

const HEAD = 'apiVersion: packages.kubectl-crossplane.dev/v1alpha1\nkind: PackageDeclaration\n'
const folder = writeTree(temporaryFolder(), {
  'crossplane-packages.yaml': `${HEAD}packages:\n- package: example/declared:v1\n`,
  'broken.yaml': 'packages: [',
  'broken.lock': '<<<<<<< ours\n',
  'index.jsonl': '{"kind":"PackageEntry","identity":"example/indexed","tag":"v1"}\n',
  'second.jsonl': '{"kind":"PackageEntry","identity":"example/second","tag":"v2"}\n',
})
const at = (name: string) => join(folder, name)
const names = knownNames({})
const repositories = async (flags: Readonly<Record<string, string>>) =>
  (await names.packages({'cache-dir': at('no-cache'), ...flags})).map(({repository}) => repository)

describe('names for completion', () => {
  it('come from the declaration, its lock and index files', async () => {
    writeTree(folder, {'crossplane-packages.lock': writeLock(LOCK)})
    const declaration = at('crossplane-packages.yaml')
    expect(await repositories({declaration, index: at('index.jsonl')})).toEqual([
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

  it('come from each file of CROSSPLANE_INDEX that can be read', async () => {
    const CROSSPLANE_INDEX = ` ${at('index.jsonl')}, registry.example.org/index, ${at('second.jsonl')}`
    const env = {CROSSPLANE_INDEX, CROSSPLANE_SOURCE: '', CROSSPLANE_CACHE_DIR: at('no-cache')}
    const packages = await knownNames(env).packages({declaration: at('absent.yaml')})
    expect(packages).toEqual([
      {repository: 'example/indexed', tags: ['v1']},
      {repository: 'example/second', tags: ['v2']},
    ])
  })

  it.each<{readonly name: string; readonly flags: Readonly<Record<string, string>>}>([
    {name: 'a broken declaration and lock', flags: {declaration: at('broken.yaml')}},
    {name: 'an absent declaration', flags: {declaration: at('absent.yaml')}},
    {name: 'a folder', flags: {declaration: folder, index: folder}},
    {
      name: 'an index in a registry',
      flags: {declaration: at('absent.yaml'), index: 'registry.example.org/index'},
    },
    {name: 'a cache that is a file', flags: {declaration: at('absent.yaml'), 'cache-dir': at('broken.yaml')}},
  ])('are none for $name', async ({flags}) => {
    expect(await repositories(flags)).toEqual([])
    expect(await names.installs(flags)).toEqual([])
  })
})
