import {beforeAll, describe, expect, it} from '@jest/globals'
import {cpSync} from 'node:fs'
import {join} from 'node:path'
import type {EraName} from '../../../src/reference/era-name.js'
import {ERAS} from '../../../src/render/era.js'
import {auditOf, isWrite} from '../../cluster/audit.js'
import {describeCluster} from '../../cluster/describe-cluster.js'
import {accepted} from '../../cluster/kube.js'
import {openApi} from '../../cluster/open-api.js'
import {CORPUS_ROOT, describeCorpus} from '../../corpus.js'
import {temporaryFolder} from '../../temporary-folder.js'
import {objectsIn, ownEntries, runIn} from './installing.js'
import {createOriginal, originalObjects} from './original-install.js'
import {DemoPackages, ownedBy} from './some-world.js'

const FOLDER = temporaryFolder()
const APP = {name: 'app-wordpress', version: 'v0.1.0'}

/** What the template stack requires of Crossplane itself. */
const ASSUMED = [
  'kubernetesclusters.compute.crossplane.io/v1alpha1',
  'mysqlinstances.database.crossplane.io/v1alpha1',
  'kubernetesapplications.workload.crossplane.io/v1alpha1',
  'kubernetesapplicationresources.workload.crossplane.io/v1alpha1',
]

/** A template stack of one namespace in both eras, and a provider of the whole cluster. */
const SERVERS = [
  {
    server: 'current',
    left: [
      {era: 'packages', ...APP},
      {era: 'stacks', name: 'provider-gcp', version: 'v0.9.0'},
    ],
    takenOver: {era: 'stacks', ...APP},
  },
  {
    server: '1.20',
    left: [
      {era: 'packages', ...APP},
      {era: 'stacks', ...APP},
    ],
    takenOver: {era: 'packages', ...APP},
  },
] as const

describeCorpus('what the original package manager left', () => {
  describe.each(SERVERS)('on server $server', ({server, left, takenOver}) => {
    describeCluster(server, 'without a manager', cluster => {
      const run = (...args: string[]) => runIn(cluster(), 'package', ...args)
      let before: string[]

      beforeAll(async () => {
        const world = new DemoPackages().publish('db', 'v1.0.0').publish('cache', 'v1.0.0')
        const flags = [
          '--packages',
          world.folder,
          '--with-package-api',
          '--create-namespace',
          '--no-wait',
          '--yes',
        ]
        const install = async (api: EraName, name: string) =>
          await run('install', `demo/${name}:v1.0.0`, '--api', api, ...ownedBy(name), ...flags)
        expect(await install('packages', 'db')).toMatchObject({status: 0})
        expect(await install('stacks', 'cache')).toMatchObject({status: 0})
        const metadata = {name: 'team-a'}
        accepted(await cluster().kube.create({apiVersion: 'v1', kind: 'Namespace', metadata}))
        before = await objectsIn(cluster())
      }, 120_000)

      it.each<{era: EraName; name: string; version: string}>([...left])(
        'is removed with --adopt, and only then: $name, $era',
        async ({era, name, version}) => {
          await createOriginal(originalObjects(era, `${name}@${version}`), cluster())
          const audit = auditOf(cluster())
          const mark = await audit.mark()
          const {status, stderr} = await run('uninstall', `team-a/${name}`, '--yes')
          expect({status, stderr}).toMatchObject({status: 5, stderr: expect.stringContaining('--adopt')})
          expect(ownEntries(await audit.since(mark)).filter(isWrite)).toEqual([])
          expect(await run('uninstall', `team-a/${name}`, '--adopt', '--yes')).toMatchObject({status: 0})
          expect(await objectsIn(cluster())).toEqual(before)
        },
        120_000,
      )

      it('is removed by the same command, once a finalizer that is not of the manager is removed', async () => {
        const {era, name, version} = takenOver
        await createOriginal(originalObjects(era, `${name}@${version}`), cluster())
        const {apiVersion, kinds, finalizers} = ERAS[era]
        const record = {apiVersion, kind: kinds.record, namespace: 'team-a', name}
        const hold = async (...others: readonly string[]) => {
          const patch = {metadata: {finalizers: [...others]}}
          await openApi(cluster()).mergePatch(record, patch, {manager: 'holder'})
        }
        await hold('example.org/hold', finalizers.record)
        const uninstall = ['uninstall', `team-a/${name}`, '--yes']
        const {status, stderr} = await run(...uninstall, '--adopt', '--timeout', '1s')
        expect({status, stderr}).toEqual({
          status: 6,
          stderr: expect.stringContaining(
            `cannot delete ${kinds.record} team-a/${name}: finalizer "example.org/hold" was set by field manager "holder"`,
          ),
        })
        await hold()
        expect(await run(...uninstall)).toMatchObject({status: 0})
        expect(await objectsIn(cluster())).toEqual(before)
      }, 120_000)

      it('is removed with all objects that were taken over', async () => {
        const {era, name, version} = takenOver
        await createOriginal(originalObjects(era, `${name}@${version}`), cluster())
        const packages = join(FOLDER, server)
        const folder = `corpus/${name}@${version}`
        cpSync(join(CORPUS_ROOT, folder), join(packages, folder), {recursive: true})
        const flags = [
          '--packages',
          packages,
          ...ASSUMED.flatMap(crd => ['--assume', crd]),
          '--no-wait',
          '--yes',
        ]
        expect(await run('upgrade', `corpus/${name}`, ...flags)).toMatchObject({status: 1})
        // Requests count only in namespaces that the command names.
        expect(await run('upgrade', `corpus/${name}`, ...flags, '--adopt')).toMatchObject({status: 1})
        const here = ['--dependency-namespace', 'team-a', '--adopt']
        expect(await run('upgrade', `corpus/${name}`, ...flags, ...here)).toMatchObject({status: 0})
        const {stdout} = await run('list', '-A', '-o', 'wide')
        expect(stdout).toMatch(/^team-a +app-wordpress .* Complete +inventory/m)
        expect(await run('uninstall', `team-a/${name}`, '--yes')).toMatchObject({status: 0})
        expect(await objectsIn(cluster())).toEqual(before)
      }, 120_000)
    })
  })
})
