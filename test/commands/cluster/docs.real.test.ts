import {afterAll, beforeAll, describe, expect} from '@jest/globals'
import {describeCluster} from '../../cluster/describe-cluster.js'
import {accepted} from '../../cluster/kube.js'
import {itShowsWhatCommandsPrint} from '../../transcripts.js'
import {runIn} from './installing.js'

describe('the guide to clusters', () => {
  describeCluster({version: 'current', pods: true}, 'on a current server', cluster => {
    const {KUBECONFIG} = process.env

    beforeAll(async () => {
      const owner = ['--owner', 'sql.example.org=example/provider-sql']
      const flags = ['--packages', 'examples/packages', ...owner, '--base', '--create-namespace', '--yes']
      const install = (...args: string[]) => runIn(cluster(), 'package', 'install', ...args, ...flags)
      expect(await install('example/app-guestbook:v0.1.0', '--namespace', 'team-a')).toMatchObject({
        status: 0,
      })
      const path = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/example-provider-sql'
      accepted(await cluster().kube.send('DELETE', path))
      process.env.KUBECONFIG = cluster().kubeconfig
    }, 120_000)

    afterAll(() => {
      if (KUBECONFIG === undefined) Reflect.deleteProperty(process.env, 'KUBECONFIG')
      else process.env.KUBECONFIG = KUBECONFIG
    })

    itShowsWhatCommandsPrint('docs/cluster.md')
  })
})
