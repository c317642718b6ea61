import {beforeAll, describe, expect, it} from '@jest/globals'
import {describeCluster} from '../../cluster/describe-cluster.js'
import {accepted} from '../../cluster/kube.js'
import {runIn} from './installing.js'
import {DemoPackages, ownedBy} from './some-world.js'
import {done, IndexedWorlds} from '../indexed-world.js'

const NEEDS_GEARS = 'dependsOn: [{crd: gears.gears.example.org}]\n'

describe('package upgrade', () => {
  describeCluster('current', 'with installed packages', cluster => {
    const world = new DemoPackages()
    const indexes = new IndexedWorlds()
    const flags = () => ['--packages', world.folder, '--no-wait', '--yes']
    const upgrade = (...args: string[]) => runIn(cluster(), 'package', 'upgrade', ...args, ...flags())
    const list = async () => (await runIn(cluster(), 'package', 'list', '--all-namespaces')).stdout

    beforeAll(async () => {
      world.publish('sql', 'v1.0.0').publish('app', 'v1.0.0', 'sqls')
      const install = [
        'package',
        'install',
        'demo/app:v1.0.0',
        ...ownedBy('sql'),
        '--with-package-api',
        '--create-namespace',
      ]
      expect(await runIn(cluster(), ...install, ...flags())).toMatchObject({status: 0})
      world.publish('sql', 'v2.0.0').publish('app', 'v2.0.0', 'sqls')
    }, 60_000)

    it('keeps pinned packages, with a note, and upgrades the others', async () => {
      const {status, stderr} = await upgrade()
      expect({status, stderr}).toMatchObject({status: 0})
      expect(stderr).toMatch(/^Note: pinned packages stay.*demo\/app \(v1.0.0\)/m)
      expect(await list()).toMatch(/demo\/app:v1.0.0(.|\n)*demo\/sql:v2.0.0/)
    })

    it('moves a pin to a tag', async () => {
      expect(await upgrade('demo/app:v2.0.0')).toMatchObject({status: 0})
      expect(await list()).toMatch(/demo\/app:v2.0.0(.|\n)*demo\/sql:v2.0.0/)
    })

    it('keeps what another namespace requests in another version', async () => {
      const {kube} = cluster()
      accepted(await kube.create({apiVersion: 'v1', kind: 'Namespace', metadata: {name: 'team-a'}}))
      accepted(
        await kube.create({
          apiVersion: 'packages.crossplane.io/v1alpha1',
          kind: 'PackageInstall',
          metadata: {name: 'sql', namespace: 'team-a'},
          spec: {package: 'demo/sql:v1.0.0'},
        }),
      )
      world.publish('other', 'v1.0.0')
      const {status, stderr} = await runIn(cluster(), 'package', 'install', 'demo/other', ...flags())
      expect({status, stderr}).toMatchObject({status: 0})
      expect(stderr).toMatch(/^Note: .*team-a\/sql \(demo\/sql:v1\.0\.0\) \[request-ignored\]$/m)
      expect(await list()).toMatch(/demo\/sql:v2\.0\.0/)
    })

    it('keeps an installed version that an index yanks, and names the yank', async () => {
      const index = await indexes.empty()
      const flagsOf = ['--index', index.root]
      const gears = index.reference('gears', 'v1.0.0')
      await done(index.publish('gears', 'v1.0.0', {plural: 'gears'}, ...flagsOf))
      await done(index.publish('wheels', 'v1.0.0', {plural: 'wheels', app: NEEDS_GEARS}, ...flagsOf))
      const cache = ['--cache-dir', index.cache, '--no-wait', '--yes']
      const install = (reference: string) =>
        runIn(cluster(), 'package', 'install', reference, ...flagsOf, ...cache)
      await done(install(gears))
      await done(index.publish('gears', 'v1.1.0', {plural: 'gears'}, ...flagsOf))
      await done(index.index('yank', gears, '--reason', 'it leaks', ...flagsOf))
      const {status, stderr} = await install(index.reference('wheels', 'v1.0.0'))
      expect({status, stderr}).toMatchObject({status: 0})
      expect(stderr).toMatch(/gears:v1\.0\.0 is installed but was yanked: it leaks/)
      expect(stderr).not.toMatch(/gears:v1\.1\.0/)
      expect(await list()).toMatch(/gears:v1\.0\.0/)
    }, 60_000)

    it('rejects a package that is not installed, and names a similar one', async () => {
      const {status, stderr} = await upgrade('demo/sqll')
      expect(status).toBe(1)
      expect(stderr).toMatch(/^Error: package "\S*demo\/sqll" not found$/m)
      expect(stderr).toMatch(/Did you mean demo\/sql\?$/m)
    })
  })
})
