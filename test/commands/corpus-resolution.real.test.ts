import {expect, it} from '@jest/globals'
import {join} from 'node:path'
import {CORPUS_ROOT, corpusEntries, describeCorpus} from '../corpus.js'
import {runCli} from '../run-cli.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'

const PACKAGES = ['--packages', join(CORPUS_ROOT, 'corpus')]
const tree = async (...args: readonly string[]) => {
  const {status, stdout} = await runCli('package', 'tree', ...args, ...PACKAGES, '-n', 'team-a', '-o', 'json')
  return {status, ...(JSON.parse(stdout) as {roots: Node[]; notes: {rule: string; message: string}[]})}
}

interface Node {
  readonly need: string
  readonly met: {
    readonly by: string
    readonly package?: string
    readonly tag?: string
    readonly origin?: string
  }
  readonly needs: readonly Node[]
}

const needsBelow = (node: Node): Node[] => node.needs.flatMap(each => [each, ...needsBelow(each)])

describeCorpus('real packages, resolved among each other', () => {
  const trees = corpusEntries('corpus').filter(name => name.includes('@'))

  it.each(trees)('every requirement of %s is satisfied by Crossplane or never existed', async name => {
    const {status, roots} = await tree(name.replace('@', ':'))
    const needs = roots.flatMap(needsBelow)
    expect({status, roots: roots.map(({met}) => `${met.package ?? ''}@${met.tag ?? ''}`)}).toEqual({
      status: 0,
      roots: [name],
    })
    expect(new Set(needs.map(({met}) => met.origin ?? met.package))).toEqual(
      new Set(needs.map(({need}) => (need.includes('.core.crossplane.io') ? 'never-existed' : 'crossplane'))),
    )
  })

  it.each([
    {
      name: 'provider-gcp:v0.11.0',
      reason: 'the release that provides the rest is suggested',
      want: {status: 3, isSuggested: true},
    },
    {name: 'sample-stack:652b400', reason: 'it requires nothing', want: {status: 0, isSuggested: false}},
  ])('$name without Crossplane: $reason', async ({name, want}) => {
    const args = ['package', 'tree', name, ...PACKAGES, '-n', 'team-a', '--crossplane-version', 'none']
    const {status, stderr} = await runCli(...args)
    expect({status, isSuggested: stderr.includes('[crossplane-version]')}).toEqual(want)
  })
})

/** Packages of our own that need what real providers own, in versions that only some releases serve. */
const APP = 'version: 0.1.0\ntitle: Test\npermissionScope: Cluster\ndependsOn:\n'
const folder = temporaryFolder()

describeCorpus('our packages on real providers', () => {
  it.each([
    {
      name: 'an exact kind',
      crd: 'cloudsqlinstances.database.gcp.crossplane.io/v1beta1',
      want: 'provider-gcp@v0.11.0',
      rule: '',
    },
    {
      name: 'a singular',
      crd: 'cloudsqlinstance.database.gcp.crossplane.io',
      want: 'provider-gcp@v0.11.0',
      rule: '',
    },
    {name: 'a wildcard', crd: '*.database.gcp.crossplane.io', want: 'provider-gcp@v0.11.0', rule: ''},
    {
      name: 'a stale exact kind',
      crd: 'redis.cache.azure.crossplane.io/v1alpha3',
      want: 'provider-azure@v0.2.1',
      rule: 'held-back',
    },
    {
      name: 'a stale wildcard',
      crd: '*.cache.azure.crossplane.io/v1alpha3',
      want: 'provider-azure@v0.2.1',
      rule: 'held-back',
    },
  ])('$name is satisfied by $want', async ({name, crd, want, rule}) => {
    const own = join(
      writeTree(join(folder, name.replaceAll(' ', '-')), {'.registry/app.yaml': `${APP}- crd: "${crd}"\n`}),
    )
    const {status, roots, notes} = await tree(own, '--as-package', 'example/own:v0.1.0')
    const [met] = roots.flatMap(({needs}) => needs)
    expect({status, met: `${met?.met.package ?? ''}@${met?.met.tag ?? ''}`}).toEqual({status: 0, met: want})
    expect(notes.map(note => note.rule)).toEqual(expect.arrayContaining(rule === '' ? [] : [rule]))
  })

  it('rejects a version that no release serves, and lists served versions', async () => {
    const crd = 'redis.cache.azure.crossplane.io/v1alpha1'
    const {status, stderr} = await runCli('package', 'tree', '--crd', crd, ...PACKAGES)
    expect({status, rule: /\[(.*)\]/.exec(stderr)?.[1]}).toEqual({status: 3, rule: 'stale-version'})
    expect(stderr).toMatch(/v0\.3\.0 serves v1beta1, v0\.2\.1 serves v1alpha3/)
  })

  it('finds an owner of every CRD of the newest providers', async () => {
    for (const group of [
      'database.gcp.crossplane.io',
      'cache.azure.crossplane.io',
      'database.rook.crossplane.io',
    ]) {
      const {status, stdout} = await runCli('package', 'provides', `*.${group}`, ...PACKAGES, '-o', 'json')
      const {providers} = JSON.parse(stdout) as {providers: {name: string}[]}
      expect({status, others: providers.filter(({name}) => !name.endsWith(`.${group}`))}).toEqual({
        status: 0,
        others: [],
      })
      expect(providers.length).toBeGreaterThan(0)
    }
  })
})
