import {beforeAll, describe, expect, it} from '@jest/globals'
import {mkdtempSync} from 'node:fs'
import {join} from 'node:path'
import {describeCluster} from '../../cluster/describe-cluster.js'
import {FULL_RUNTIME} from '../../declaration/runtime/runtimes.js'
import {temporaryFolder, writeTree} from '../../temporary-folder.js'
import {runIn} from './installing.js'
import {DemoPackages} from './some-world.js'

const temporary = temporaryFolder()
const DEPLOYMENT = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: {namespace: 'crossplane-system', name: 'demo-sql-controller'},
}

describe('the runtime and the history of an install', () => {
  describeCluster('current', 'of a package with a controller', cluster => {
    const world = new DemoPackages()
    const runtime = join(writeTree(mkdtempSync(join(temporary, 'a-')), {'a.yaml': FULL_RUNTIME}), 'a.yaml')
    const flags = () => ['--packages', world.folder, '--no-wait', '--yes']
    const run = (command: string, ...args: string[]) =>
      runIn(cluster(), 'package', command, ...args, ...flags())
    const install = [
      'demo/sql:v1.0.0',
      '--base',
      '--create-namespace',
      '--runtime',
      runtime,
      '--replicas',
      '3',
    ]
    const controller = async () => (await cluster().kube.get(DEPLOYMENT)).body

    beforeAll(async () => {
      world.publish('sql', 'v1.0.0').publish('sql', 'v2.0.0')
      expect(await run('install', ...install)).toMatchObject({status: 0})
    }, 60_000)

    it('is accepted by the API server, with every field', async () => {
      expect(await controller()).toMatchObject({
        spec: {
          replicas: 3,
          template: {
            spec: {
              nodeSelector: {'kubernetes.io/os': 'linux'},
              securityContext: {fsGroup: 65532, runAsNonRoot: true},
              containers: [{resources: {limits: {cpu: '500m'}}, securityContext: {privileged: false}}],
            },
          },
        },
      })
    })

    it('is applied once, and is no drift', async () => {
      const {status, stderr} = await run('install', ...install)
      expect({status, stderr}).toMatchObject({status: 0, stderr: expect.stringContaining('unchanged')})
      const {stdout} = await runIn(cluster(), 'package', 'status', '--all-namespaces', '-o', 'json')
      expect(JSON.parse(stdout)).toMatchObject({installs: [{name: 'demo-sql', drift: []}]})
    })

    it('stays on an upgrade', async () => {
      expect(await run('upgrade', 'demo/sql:v2.0.0')).toMatchObject({status: 0})
      expect(await controller()).toMatchObject({
        spec: {
          replicas: 3,
          template: {spec: {containers: [{image: 'registry.example.org/demo/sql:v2.0.0'}]}},
        },
      })
    })
  })
})
