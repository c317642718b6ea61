import {expect, it} from '@jest/globals'
import {auditOf, isWrite} from '../../cluster/audit.js'
import {describeCluster} from '../../cluster/describe-cluster.js'
import {accepted} from '../../cluster/kube.js'
import {describeCorpus} from '../../corpus.js'
import {corpusPackage, objectsIn, ownEntries, runIn} from './installing.js'

const FLAGS = [
  '--with-package-api',
  '--create-namespace',
  '--namespace',
  'crossplane-system',
  '--replace-crds',
]

/** Upgrades that users made, oldest version first. */
const CHAINS = [
  {name: 'provider-gcp', versions: ['v0.5.0', 'v0.6.0', 'v0.7.0', 'v0.9.0', 'v0.10.0', 'v0.11.0']},
  {name: 'provider-azure', versions: ['v0.2.1', 'v0.3.0', 'v0.10.0']},
]

describeCorpus('real packages', () => {
  describeCluster({version: 'current', pods: true}, 'in a cluster', cluster => {
    it.each(CHAINS)(
      '$name is upgraded version by version, with its roles and without those of the version before',
      async ({name, versions}) => {
        for (const version of versions) {
          const install = ['package', 'install', ...corpusPackage(name, version, 'chain'), ...FLAGS, '--yes']
          const mark = await auditOf(cluster()).mark()
          expect(await runIn(cluster(), ...install)).toMatchObject({status: 0})
          const roles = (await objectsIn(cluster())).filter(each =>
            each.includes(':crossplane-system:chain:'),
          )
          expect(roles.map(role => role.split(':').at(-2))).toEqual(Array(4).fill(version))
          if (version === versions[0]) continue
          const writes = ownEntries(await auditOf(cluster()).since(mark)).filter(isWrite)
          const rbac = writes.filter(({resource}) => /^(?:cluster)?role/.test(resource))
          const at = rbac.findIndex(
            ({verb, resource}) => verb === 'delete' && resource === 'clusterrolebindings',
          )
          expect(rbac.filter(({resource}) => resource === 'clusterrolebindings')).toEqual(
            rbac.slice(at, at + 2),
          )
          expect(rbac.slice(at + 1).map(({verb}) => verb)).toEqual([
            'patch',
            ...Array<string>(4).fill('delete'),
            // The witness of the inventory, which names the last one, then no other.
            'patch',
            'patch',
          ])
          expect(writes.findLastIndex(({resource}) => resource === 'deployments')).toBeLessThan(
            writes.findIndex(({verb, resource}) => verb === 'delete' && resource === 'clusterroles'),
          )
        }
        expect(
          await runIn(cluster(), 'package', 'uninstall', 'crossplane-system/chain', '--yes'),
        ).toMatchObject({status: 0})
      },
      360_000,
    )

    it('an upgrade that removes a stored version is rejected while an instance exists, and names both', async () => {
      const installOf = (version: string) => [
        'package',
        'install',
        ...corpusPackage('provider-gcp', version, 'held'),
        ...FLAGS,
      ]
      expect(await runIn(cluster(), ...installOf('v0.5.0'), '--yes')).toMatchObject({status: 0})
      const network = {
        apiVersion: 'compute.gcp.crossplane.io/v1alpha3',
        kind: 'Network',
        metadata: {name: 'mine'},
        spec: {providerRef: {name: 'default'}},
      }
      accepted(await cluster().kube.create(network))
      const mark = await auditOf(cluster()).mark()
      const {status, stderr} = await runIn(cluster(), ...installOf('v0.6.0'), '--yes')
      expect(status).toBe(5)
      expect(stderr).toMatch(/networks\.compute\.gcp\.crossplane\.io.*v1alpha3.*mine/)
      expect(ownEntries(await auditOf(cluster()).since(mark)).filter(isWrite)).toEqual([])
      accepted(await cluster().kube.delete(network))
      expect(await runIn(cluster(), ...installOf('v0.6.0'), '--yes')).toMatchObject({status: 0})
    }, 180_000)
  })
})
