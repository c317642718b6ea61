import {beforeAll, describe, expect, it} from '@jest/globals'
import {join} from 'node:path'
import {readInventories} from '../../../src/observe/installs/read-inventories.js'
import {compareText} from '../../../src/reference/compare-text.js'
import {auditOf, isWrite} from '../../cluster/audit.js'
import type {TestCluster} from '../../cluster/api-server.js'
import {describeCluster} from '../../cluster/describe-cluster.js'
import {accepted, until} from '../../cluster/kube.js'
import {conditionOf} from '../../../src/health/readiness/conditions.js'
import {openApi} from '../../cluster/open-api.js'
import {objectsIn, ownEntries, runIn} from './installing.js'
import {DemoPackages, ownedBy} from './some-world.js'

describe('package install', () => {
  describeCluster('current', 'with installed packages and served CRDs', cluster => {
    const world = new DemoPackages()
    const installFrom = ({folder}: DemoPackages, ...args: string[]) =>
      runIn(
        cluster(),
        ...['package', 'install', ...args, '--packages', folder],
        ...['--with-package-api', '--create-namespace', '--no-wait', '--yes'],
      )
    const install = (...args: string[]) => installFrom(world, ...args)

    beforeAll(() => {
      world.publish('sql', 'v1.0.0').publish('app', 'v1.0.0', 'sqls').publish('blog', 'v1.0.0', 'sqls')
    })

    it('rejects an owner that is used for the first time without a prompt, and writes nothing', async () => {
      const audit = auditOf(cluster())
      const mark = await audit.mark()
      const {status, stderr} = await install('demo/app:v1.0.0')
      expect({status, stderr}).toMatchObject({status: 5})
      expect(stderr).toContain('have to be confirmed: demo/sql of demo.example.org\n')
      expect(stderr).toMatch(/^Try: Pass --owner demo[.]example[.]org=demo\/sql, or add /m)
      expect(ownEntries(await audit.since(mark)).filter(isWrite)).toEqual([])
    })

    it('rejects two new owners of one group without a prompt, and suggests to save the plan', async () => {
      world.publish('net', 'v1.0.0').publish('site', 'v1.0.0', 'sqls', 'nets')
      const {status, stderr} = await install('demo/site:v1.0.0')
      expect(status).toBe(5)
      expect(stderr).toMatch(/demo\/sql of demo.example.org, demo\/net of demo.example.org$/m)
      expect(stderr).toMatch(/^Try: Save the plan with --plan-out FILE, /m)
    })

    it('installs a dependency once for all its dependents, and prunes nothing', async () => {
      expect(await install('demo/app:v1.0.0', ...ownedBy('sql'))).toMatchObject({status: 0})
      expect(await installsOf(cluster())).toEqual([
        {name: 'demo-app', mode: 'requested', tag: 'v1.0.0', for: {}},
        {name: 'demo-sql', mode: 'auto', tag: 'v1.0.0', for: {'crossplane-system/demo-app': [SQLS]}},
      ])
      const audit = auditOf(cluster())
      const mark = await audit.mark()
      expect(await install('demo/app:v1.0.0')).toMatchObject({status: 0, stdout: ''})
      expect(ownEntries(await audit.since(mark)).filter(isWrite)).toEqual([])
      const before = await objectsIn(cluster())
      expect(await install('demo/blog:v1.0.0')).toMatchObject({status: 0})
      const after = await objectsIn(cluster())
      expect(before.filter(name => !after.includes(name))).toEqual([])
      expect(await installsOf(cluster())).toEqual([
        {name: 'demo-app', mode: 'requested', tag: 'v1.0.0', for: {}},
        {name: 'demo-blog', mode: 'requested', tag: 'v1.0.0', for: {}},
        {
          name: 'demo-sql',
          mode: 'auto',
          tag: 'v1.0.0',
          for: {'crossplane-system/demo-app': [SQLS], 'crossplane-system/demo-blog': [SQLS]},
        },
      ])
      expect(await claimsOf(cluster(), 'apps')).toEqual(['crossplane-packages:crossplane-system/demo-app'])
      expect(await claimsOf(cluster(), 'sqls')).toEqual(['crossplane-packages:crossplane-system/demo-sql'])
    })

    it('records that a dependency is requested, and changes nothing else', async () => {
      const {status, stdout} = await install('demo/sql')
      expect(status).toBe(0)
      expect(stdout).not.toMatch(/Role|Deployment|CustomResourceDefinition/)
      const [, , sql] = await installsOf(cluster())
      expect(sql).toMatchObject({name: 'demo-sql', mode: 'requested'})
      expect(Object.keys(sql?.for ?? {})).toHaveLength(2)
    })

    it('keeps the versions of packages that other installs require', async () => {
      world.publish('sql', 'v2.0.0').publish('shop', 'v1.0.0', 'sqls')
      expect(await install('demo/shop')).toMatchObject({status: 0})
      expect(await installsOf(cluster())).toContainEqual(
        expect.objectContaining({name: 'demo-sql', tag: 'v1.0.0'}),
      )
    })

    it('uses the CRDs of an installed package that is not available', async () => {
      const other = new DemoPackages().publish('cart', 'v1.0.0', 'sqls')
      const {status, stderr} = await installFrom(other, 'demo/cart')
      expect(status).toBe(0)
      expect(stderr).toMatch(/^Note: installed packages that no folder or index has: .*demo\/sql:v1.0.0/m)
      const names = (await installsOf(cluster())).map(({name}) => name)
      expect(names).toEqual(['demo-app', 'demo-blog', 'demo-cart', 'demo-shop', 'demo-sql'])
      const sql = (await installsOf(cluster())).at(-1)
      expect(Object.keys(sql?.for ?? {})).toHaveLength(3)
    })

    it('rejects a second owner of the CRDs of an installed package that is not available', async () => {
      const other = new DemoPackages().publish('sql', 'v1.0.0')
      const rival = [join(other.folder, 'demo/sql@v1.0.0'), '--as-package', 'demo/rival:v1.0.0']
      const others = new DemoPackages().publish('cart', 'v1.0.0')
      const {status, stderr} = await installFrom(others, ...rival)
      expect(status).toBe(5)
      expect(stderr).toMatch(/^Error: demo\/rival and demo\/sql both own sqls.demo.example.org/m)
    })

    it('satisfies a requirement by a CRD that the cluster serves, and by nothing else', async () => {
      world.publish('queue', 'v1.0.0', 'topics')
      const missing = await install('demo/queue')
      expect(missing.status).toBe(3)
      expect(missing.stderr).toContain('topics.demo.example.org')
      const alone = await install('demo/queue', '--no-dependencies', '--dry-run', 'client')
      expect(alone.status).toBe(0)
      expect(alone.stderr).toMatch(/^Note: .*requires topics.demo.example.org\/v1.*treated as satisfied/m)
      accepted(await cluster().kube.create(TOPIC))
      await until(
        () => cluster().kube.get(TOPIC),
        ({body}) => conditionOf(body, 'Established')?.status === 'True',
      )
      expect(await install('demo/queue')).toMatchObject({status: 0})
      expect(await claimsOf(cluster(), 'topics')).toEqual([])
    })
  })
})

const SQLS = 'sqls.demo.example.org/v1'

const TOPIC = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: {name: 'topics.demo.example.org'},
  spec: {
    group: 'demo.example.org',
    scope: 'Cluster',
    names: {plural: 'topics', kind: 'Topic', listKind: 'TopicList'},
    versions: [{name: 'v1', served: true, storage: true, schema: {openAPIV3Schema: {type: 'object'}}}],
  },
}

/** The inventories of a cluster, by name. */
async function installsOf(cluster: TestCluster) {
  const {inventories} = await readInventories(openApi(cluster))
  return inventories
    .map(({install}) => ({
      name: install.name,
      mode: install.mode,
      tag: install.package?.tag,
      for: install.for,
    }))
    .sort((a, b) => compareText(a.name, b.name))
}

/** The field managers of installs that claim a CRD of the group. */
async function claimsOf(cluster: TestCluster, plural: string): Promise<string[]> {
  const crd = await openApi(cluster).get({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    name: `${plural}.demo.example.org`,
  })
  const fields = (crd?.metadata.managedFields ?? []) as readonly {readonly manager: string}[]
  return fields
    .map(({manager}) => manager)
    .filter(manager => manager.includes(':'))
    .sort()
}
