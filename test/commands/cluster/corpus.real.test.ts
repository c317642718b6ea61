import {expect, it} from '@jest/globals'
import {join} from 'node:path'
import {auditOf, isWrite} from '../../cluster/audit.js'
import {describeCluster} from '../../cluster/describe-cluster.js'
import {accepted} from '../../cluster/kube.js'
import {CORPUS_ROOT, corpusEntries, describeCorpus} from '../../corpus.js'
import {corpusPackage, objectsIn, ownEntries, runIn} from './installing.js'

const PACKAGES = corpusEntries('corpus').filter(name => name.includes('@'))
const FLAGS = ['--with-package-api', '--create-namespace', '--namespace', 'crossplane-system']

const REDIS = {namespace: 'default', name: 'a'}

describeCorpus('real packages', () => {
  describeCluster({version: 'current', pods: true}, 'in a cluster', cluster => {
    it('is without Crossplane, so a provider needs what the message says, and is installed with it', async () => {
      const flags = ['--create-namespace', '--namespace', 'crossplane-system']
      const packages = ['--packages', join(CORPUS_ROOT, 'corpus')]
      const folder = join(CORPUS_ROOT, 'corpus', 'provider-gcp@v0.11.0')
      const as = ['--as-package', 'crossplane/provider-gcp:v0.11.0']
      const install = ['package', 'install', folder, 'it', ...as, ...packages, ...flags]
      const missing = await runIn(cluster(), ...install, '--yes')
      expect(missing.status).toBe(3)
      expect(missing.stderr).toContain('which Crossplane v0.12 provides, but the cluster does not serve it')
      expect(missing.stderr).not.toContain('lint')
      expect(missing.stderr).toMatch(/^Try: Pass --with-package-api to create these CRDs of Crossplane/m)
      const first = await runIn(cluster(), ...install, '--with-package-api', '--yes')
      expect(first).toMatchObject({status: 0})
      expect(first.stderr).toMatch(
        /^Note: CRDs of Crossplane itself .* redisclusters[.]cache[.]crossplane[.]io/m,
      )
      const claim = {apiVersion: 'cache.crossplane.io/v1alpha1', kind: 'RedisCluster', metadata: REDIS}
      accepted(await cluster().kube.create({...claim, spec: {engineVersion: '3.2'}}))
      const {body} = await cluster().kube.get(claim)
      expect(body).toMatchObject({spec: {engineVersion: '3.2'}})
      accepted(await cluster().kube.delete(claim))
      const again = await runIn(cluster(), ...install, '--with-package-api')
      expect(again).toMatchObject({status: 0, stdout: ''})
      expect(await runIn(cluster(), 'package', 'uninstall', 'crossplane-system/it', '--yes')).toMatchObject({
        status: 0,
      })
    }, 180_000)

    it.each(PACKAGES)(
      '%s is installed and healthy, installed again without a write, and uninstalled',
      async entry => {
        const [name = '', version = ''] = entry.split('@')
        const install = ['package', 'install', ...corpusPackage(name, version, 'it'), ...FLAGS]
        expect(await runIn(cluster(), ...install, '--yes')).toMatchObject({status: 0})
        const {stdout} = await runIn(cluster(), 'package', 'status', '-A', '-o', 'json')
        expect(JSON.parse(stdout)).toMatchObject({
          installs: [{name: 'it', state: 'Healthy', findings: [], missingPermissions: [], drift: []}],
        })
        const audit = auditOf(cluster())
        const mark = await audit.mark()
        expect(await runIn(cluster(), ...install)).toMatchObject({status: 0})
        expect(ownEntries(await audit.since(mark)).filter(isWrite)).toEqual([])
        expect(await runIn(cluster(), 'package', 'uninstall', 'crossplane-system/it', '--yes')).toMatchObject(
          {
            status: 0,
          },
        )
        expect(
          (await objectsIn(cluster())).filter(each => / (?:crossplane-system\/)?it(?:-|$)/.test(each)),
        ).toEqual([])
      },
      180_000,
    )
  })
})
