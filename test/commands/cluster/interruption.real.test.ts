import {expect, it} from '@jest/globals'
import {describeCluster} from '../../cluster/describe-cluster.js'
import {openApi} from '../../cluster/open-api.js'
import {describeCorpus} from '../../corpus.js'
import {corpusPackage, runIn, signaledIn} from './installing.js'

const INSTALL = [
  'package',
  'install',
  ...corpusPackage('provider-gcp', 'v0.10.0', 'gcp'),
  '--with-package-api',
  '--create-namespace',
  '--yes',
]

describeCorpus('an interrupted install', () => {
  describeCluster('current', 'on a current server', cluster => {
    async function leases(): Promise<readonly string[]> {
      const names: string[] = []
      const kind = {apiVersion: 'coordination.k8s.io/v1', kind: 'Lease'}
      for await (const {metadata} of openApi(cluster()).list(kind, {namespace: 'crossplane-system'}))
        names.push(metadata.name)
      return names
    }
    const listed = async () => (await runIn(cluster(), 'package', 'list', '-A', '-o', 'wide')).stdout

    it.each([
      {
        signal: 'SIGINT',
        reason: 'while CRDs are applied',
        at: /^CustomResourceDefinition .* created$/,
        status: 130,
        // It has no role yet.
        state: 'Unwitnessed',
      },
      // Without controllers, no Deployment becomes available: the install waits until the signal.
      {
        signal: 'SIGTERM',
        reason: 'while it waits',
        at: /^Deployment .* created$/,
        status: 143,
        state: 'Interrupted',
      },
    ] as const)('$signal, $reason: reports what was done, and releases its Leases', async each => {
      const {stderr, ...end} = await signaledIn(cluster(), each, ...INSTALL)
      expect({...end, leases: await leases()}).toEqual({status: each.status, signal: null, leases: []})
      expect(stderr).toMatch(/^Interrupted\. Waiting for running operations/m)
      const summary = `^Error: cannot complete the change: interrupted by ${each.signal} \\(.*\\d+ created.* so far\\)$`
      expect(stderr).toMatch(new RegExp(`${summary}\nTry: Run the same command again`, 'm'))
      expect(await listed()).toMatch(new RegExp(` ${each.state} +inventory `, 'm'))
    })

    it('is completed by the same command', async () => {
      expect(await runIn(cluster(), ...INSTALL, '--no-wait')).toMatchObject({status: 0})
      expect(await listed()).toMatch(/ Complete +inventory /m)
    })
  })
})
