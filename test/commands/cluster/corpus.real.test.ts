import {expect, it} from '@jest/globals'
import {auditOf, isWrite} from '../../cluster/audit.js'
import {describeCluster} from '../../cluster/describe-cluster.js'
import {corpusEntries, describeCorpus} from '../../corpus.js'
import {corpusPackage, objectsIn, ownEntries, runIn} from './installing.js'

const PACKAGES = corpusEntries('corpus').filter(name => name.includes('@'))
const FLAGS = ['--base', '--create-namespace', '--namespace', 'crossplane-system']

describeCorpus('real packages', () => {
  describeCluster({version: 'current', pods: true}, 'in a cluster', cluster => {
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
