import {beforeAll, describe, expect, it} from '@jest/globals'
import {isDeepStrictEqual} from 'node:util'
import type {JsonObject} from '../../../src/yaml/json-value.js'
import {describeCluster} from '../../cluster/describe-cluster.js'
import {accepted, createServed, until} from '../../cluster/kube.js'
import {describeCorpus} from '../../corpus.js'
import {corpusPackage, installPlanned, runIn} from './installing.js'
import {DemoPackages} from './some-world.js'
import {comparableState, differenceBetween, NO_DIFFERENCE} from './unchanged-state.js'

/** Installs, and the uninstalls that remove them. */
interface Round {
  readonly name: string
  /** Arguments of `package install`. */
  readonly installs: readonly (readonly string[])[]
  /** Arguments of `package uninstall`. */
  readonly uninstalls: readonly (readonly string[])[]
}

const FLAGS = ['--with-package-api', '--create-namespace']
const DEMO: readonly Round[] = [
  {
    name: 'a provider and the base',
    installs: [['demo/db:v1.0.0', ...FLAGS]],
    uninstalls: [['crossplane-system/demo-db']],
  },
  {
    name: 'an application and the provider that it requires',
    installs: [['demo/app:v1.0.0', ...FLAGS]],
    uninstalls: [['crossplane-system/demo-app', '--with-unused-dependencies']],
  },
  {
    name: 'an install and the next version of it',
    installs: [['demo/db:v1.0.0'], ['demo/db:v2.0.0']],
    uninstalls: [['crossplane-system/demo-db']],
  },
]
const SHARED: Round = {
  name: 'a package of one namespace whose CRD another namespace uses',
  installs: [['demo/cache:v1.0.0', '--namespace', 'team-a', ...FLAGS]],
  uninstalls: [['team-a/demo-cache']],
}
const REAL: readonly Round[] = [
  {
    name: 'a provider of the Packages era',
    installs: [[...corpusPackage('provider-gcp', 'v0.11.0', 'gcp'), ...FLAGS]],
    uninstalls: [['crossplane-system/gcp']],
  },
  {
    name: 'a provider of the Stacks era',
    installs: [[...corpusPackage('provider-gcp', 'v0.9.0', 'gcp'), '--api', 'stacks', ...FLAGS]],
    uninstalls: [['crossplane-system/gcp']],
  },
  {
    name: 'an application and its provider',
    installs: [
      [...corpusPackage('provider-azure', 'v0.11.0', 'azure'), ...FLAGS],
      [...corpusPackage('app-wordpress', 'v0.5.0', 'wordpress'), '--namespace', 'team-a', ...FLAGS],
    ],
    uninstalls: [['team-a/wordpress'], ['crossplane-system/azure']],
  },
]

describe('package install and uninstall', () => {
  describeCluster({version: 'current', pods: true}, 'in a cluster with other installs', cluster => {
    const [clusterWide, perNamespace] = [new DemoPackages(), new DemoPackages('Namespaced')]
    clusterWide.publish('db', 'v1.0.0').publish('db', 'v2.0.0').publish('app', 'v1.0.0', 'dbs')
    perNamespace.publish('cache', 'v1.0.0')
    const installFrom =
      ({folder}: DemoPackages) =>
      async (args: readonly string[]) =>
        await installPlanned(cluster(), folder, ...args, '--packages', folder)
    const installReal = async (args: readonly string[]) =>
      await runIn(cluster(), 'package', 'install', ...args, '--yes')

    /** Installs and uninstalls, and compares all objects of the cluster. */
    const leavesAllAsBefore = async (
      {installs, uninstalls}: Round,
      install: (args: readonly string[]) => Promise<{readonly status: number}>,
    ) => {
      const before = await comparableState(cluster())
      for (const args of installs) expect(await install(args)).toMatchObject({status: 0})
      const {added} = differenceBetween(before, await comparableState(cluster()))
      expect(added.length).toBeGreaterThan(5)
      for (const args of uninstalls) {
        expect(await runIn(cluster(), 'package', 'uninstall', ...args, '--yes')).toMatchObject({status: 0})
      }
      // Garbage collection, aggregated roles and API services follow a moment later.
      const compare = async () => differenceBetween(before, await comparableState(cluster()))
      const isSame = (found: Awaited<ReturnType<typeof compare>>) => isDeepStrictEqual(found, NO_DIFFERENCE)
      expect(await until(compare, isSame, 30).catch(compare)).toEqual(NO_DIFFERENCE)
    }

    beforeAll(async () => {
      for (const object of neighbors()) {
        await createServed(cluster().kube, object)
      }
    }, 60_000)

    it.each(DEMO)(
      'leave all as before: $name',
      each => leavesAllAsBefore(each, installFrom(clusterWide)),
      120_000,
    )

    it(`leave all as before: ${SHARED.name}`, async () => {
      const install = installFrom(perNamespace)
      expect(await install(['demo/cache:v1.0.0', '--namespace', 'team-b', ...FLAGS])).toMatchObject({
        status: 0,
      })
      const metadata = {name: 'mine', namespace: 'team-b'}
      accepted(await cluster().kube.create({apiVersion: 'demo.example.org/v1', kind: 'CACHES', metadata}))
      await leavesAllAsBefore(SHARED, install)
    }, 120_000)

    describeCorpus('real packages', () => {
      it.each(REAL)('leave all as before: $name', each => leavesAllAsBefore(each, installReal), 180_000)
    })
  })
})

/** Objects of others: two teams, one with settings, a CRD and an instance of it. */
function neighbors(): readonly JsonObject[] {
  const metadata = {name: 'mine', namespace: 'team-a'}
  const named = (name: string) => ({apiVersion: 'v1', kind: 'Namespace', metadata: {name}})
  const version = {name: 'v1', served: true, storage: true, schema: {openAPIV3Schema: {type: 'object'}}}
  return [
    named('team-a'),
    named('team-b'),
    {apiVersion: 'v1', kind: 'ConfigMap', metadata, data: {color: 'blue'}},
    {apiVersion: 'v1', kind: 'Secret', metadata, stringData: {password: 'of-a-test'}},
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'Role',
      metadata,
      rules: [{apiGroups: [''], resources: ['secrets'], verbs: ['get']}],
    },
    {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: {name: 'gadgets.neighbor.example.org'},
      spec: {
        group: 'neighbor.example.org',
        scope: 'Namespaced',
        names: {plural: 'gadgets', kind: 'Gadget'},
        versions: [version],
      },
    },
    {apiVersion: 'neighbor.example.org/v1', kind: 'Gadget', metadata},
  ]
}
