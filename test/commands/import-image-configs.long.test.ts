import {afterAll, beforeAll, describe, expect, it} from '@jest/globals'
import {mkdtempSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {loadAll} from 'js-yaml'
import {installedPackage} from '../fakes/core-answers.js'
import {coreServer} from '../fakes/core-server.js'
import {type RegistryServer, startRegistry} from '../fakes/registry-server.js'
import {revisionName} from '../../src/xpkg/package-name.js'
import {addXpkg} from '../fakes/xpkg-images.js'
import {present} from '../outcome.js'
import {runCli} from '../run-cli.js'
import {temporaryFolder} from '../temporary-folder.js'
import {setVariable} from '../set-variable.js'

const folder = temporaryFolder()
const ORIGINAL = 'xpkg.example.org/team'
const SQL = `${ORIGINAL}/sql:v1.0.0`

type Served = Parameters<typeof coreServer>[0][number]

let mirror: RegistryServer | undefined
let digest = ''
beforeAll(async () => {
  mirror = await startRegistry()
  const stream = 'apiVersion: meta.pkg.crossplane.io/v1\nkind: Provider\nmetadata: {name: x}\n'
  digest = addXpkg(mirror, 'hub/team/sql', 'v1.0.0', stream)
  addXpkg(mirror, 'hub/team/net', 'v1.0.0', stream)
})
afterAll(() => mirror?.close())

/** The prefix of each reference, and what it is rewritten to. */
type Rewrites = readonly (readonly [name: string, prefixes: readonly string[], to?: string, more?: object])[]

function imageConfigs(rewrites: Rewrites): readonly Served[] {
  return rewrites.map(([name, prefixes, to, more = {}]) => ({
    ...{apiVersion: 'pkg.crossplane.io/v1beta1', kind: 'ImageConfig'},
    metadata: {name, uid: `uid-${name}`, resourceVersion: '1'},
    spec: {
      matchImages: prefixes.map(prefix => ({type: 'Prefix', prefix})),
      ...(to === undefined ? {} : {rewriteImage: {prefix: to}}),
      ...more,
    },
  }))
}

/** A package as a team requests it, which Crossplane read as `resolvedPackage`. */
function requested(
  name: string,
  resolvedPackage: string,
  skips: boolean,
  content = resolvedPackage.split('@').at(-1) ?? '',
): readonly Served[] {
  const [request, revision] = installedPackage('Provider', `${ORIGINAL}/${name}`, 'v1.0.0')
  const {metadata, spec, status} = present(request) as unknown as Record<string, object>
  const revised = present(revision)
  const active = revisionName(name, content)
  return [
    {
      ...present(request),
      metadata: {...metadata, name},
      spec: {...spec, ...(skips ? {skipDependencyResolution: true} : {})},
      status: {...status, resolvedPackage, currentRevision: active},
    },
    {
      ...revised,
      metadata: {...revised.metadata, name: active, labels: {'pkg.crossplane.io/package': name}},
    },
    lockOf(skips ? [] : [{name: active, source: `${ORIGINAL}/${name}`}]),
  ]
}

/** What Crossplane resolves is in its Lock. */
function lockOf(packages: readonly object[]): Served {
  const more = {apiVersion: 'pkg.crossplane.io/v1', kind: 'Provider', version: 'v1.0.0', dependencies: []}
  return {
    ...{
      apiVersion: 'pkg.crossplane.io/v1beta1',
      kind: 'Lock',
      metadata: {name: 'lock', resourceVersion: '1'},
    },
    packages: packages.map(one => ({...more, ...one})),
  }
}

/** Imports a cluster, renders what was written, and compares both with the cluster. */
async function imported(objects: readonly Served[]) {
  const home = mkdtempSync(join(folder, 'home-'))
  process.env.KUBECONFIG = join(home, 'kubeconfig')
  writeFileSync(process.env.KUBECONFIG, await coreServer(objects))
  const file = ['--declaration', join(home, 'crossplane-packages.yaml')]
  const run = async (command: string, ...more: readonly string[]) =>
    await runCli('package', command, ...file, ...more)
  const {status, stderr} = await run('import', '--core-version', 'v2.3.4', '--debug')
  expect({status, stderr: status === 0 ? '' : stderr}).toEqual({status: 0, stderr: ''})
  expect(await run('render', '--output-dir', join(home, 'packages'))).toMatchObject({status: 0})
  const check = await run('check')
  const drift = await run('drift', '--context', 'production')
  const plan = await run('diff', '--adopt', '--force-conflicts', '-o', 'json')
  const {stdout} = await run('render')
  const changed = (JSON.parse(plan.stdout) as {objects: readonly {change: string}[]}).objects
  return {
    declaration: readFileSync(present(file[1]), 'utf8'),
    notes: stderr.split('\n').filter(line => line.includes('import-')),
    check: check.status,
    drift: [drift.status, `${drift.stdout}${drift.stderr}`],
    changes: [...new Set(changed.map(({change}) => change))],
    names: (loadAll(stdout) as readonly Served[])
      .filter(({kind}) => kind === 'ImageConfig')
      .map(({metadata}) => metadata.name),
  }
}

describe('after the import of a cluster with ImageConfigs of its own, nothing is to be created', () => {
  const before = process.env.KUBECONFIG
  afterAll(() => {
    setVariable('KUBECONFIG', before)
  })
  const hub = () => `${present(mirror).host}/hub`
  const pinned = () => `${hub()}/team/sql@${digest}`

  const cases: readonly {
    readonly name: string
    readonly rewrites: () => Rewrites
    readonly resolved: () => string
    readonly names: readonly string[]
    readonly note: string
  }[] = [
    {
      name: 'a pin under a name of its own keeps that name',
      rewrites: () => [
        ['pin-sql', [SQL], pinned()],
        ['company', [`${ORIGINAL}/`], `${hub()}/team/`],
      ],
      resolved: pinned,
      names: ['company', 'pin-sql'],
      note: 'ImageConfig pin-sql is in the files under its name',
    },
    {
      name: 'of two prefixes, the longer one is read, and both stay',
      rewrites: () => [
        ['all', ['xpkg.example.org/'], `${present(mirror).host}/nothing/`],
        ['team', [`${ORIGINAL}/`], `${hub()}/team/`],
        ['pin-sql', [SQL], pinned()],
      ],
      resolved: pinned,
      names: ['pin-sql', 'team'],
      note: 'ImageConfig all stays in the cluster and is not in the files: rewriting',
    },
    {
      name: 'a pin of several references is left to the cluster',
      rewrites: () => [
        ['pins', [SQL, `${ORIGINAL}/sql:v1.0.1`], pinned()],
        ['company', [`${ORIGINAL}/`], `${hub()}/team/`],
      ],
      resolved: pinned,
      names: ['company'],
      note: 'ImageConfig pins stays in the cluster and is not in the files: rewriting',
    },
    {
      name: 'secrets and verifications are named',
      rewrites: () => [
        ['pin-sql', [SQL], pinned(), {verification: {provider: 'Cosign'}}],
        ['company', [`${ORIGINAL}/`], `${hub()}/team/`],
        [
          'secret',
          [`${hub()}/`],
          undefined,
          {registry: {authentication: {pullSecretRef: {name: 'regcred'}}}},
        ],
      ],
      resolved: pinned,
      names: ['company', 'pin-sql'],
      note: 'ImageConfig secret stays in the cluster and is not in the files: pull secret regcred',
    },
    {
      name: 'a rewriting that ends within a segment is left to the cluster',
      rewrites: () => [
        ['inner', [ORIGINAL.slice(0, -1)], `${hub()}/tea`],
        ['pin-sql', [SQL], pinned()],
      ],
      resolved: pinned,
      names: ['pin-sql'],
      note: 'ImageConfig inner stays in the cluster and is not in the files: rewriting',
    },
  ]

  it('a tag that nothing pins is not pinned without the resolver, and named', async () => {
    const objects = requested('sql', SQL, true, digest)
    const {declaration, notes, ...result} = await imported([
      ...imageConfigs([['company', [`${ORIGINAL}/`], `${hub()}/team/`]]),
      ...objects,
    ])
    expect(result).toMatchObject({
      ...{check: 0, drift: [0, expect.anything()]},
      ...{names: ['company'], changes: ['update']},
    })
    expect(declaration).toMatch(/imageConfigs:\n {4}mirror-\S+: company\n {4}sql-v1.0.0: none\n/)
    expect(notes.filter(text => text.startsWith('Warning'))).toEqual([
      expect.stringMatching(/^Warning: provider\/sql skips the resolver, .* \[import-unpinned\]$/),
    ])
  })

  describe.each([
    {resolver: 'off', skips: true, tried: cases},
    {resolver: 'on', skips: false, tried: cases.slice(0, 2)},
  ])('with the resolver $resolver', ({skips, tried}) => {
    it.each(tried)('$name', async ({rewrites, resolved, names, note}) => {
      const result = await imported([...imageConfigs(rewrites()), ...requested('sql', resolved(), skips)])
      expect({...result, notes: result.notes.filter(text => text.startsWith('Warning'))}).toMatchObject({
        notes: [],
        check: 0,
        drift: [0, expect.stringMatching(/^lock and cluster: 0 objects differ, \d are the same\n$/)],
        names,
        changes: ['update'],
      })
      expect(result.notes.join('\n')).toContain(note)
      expect(/resolver: .?off/.test(result.declaration)).toBe(skips)
      expect(result.declaration).toContain('pin: config')
    })
  })
})
