import {afterEach, beforeAll, expect, it} from '@jest/globals'
import {auditOf, isWrite} from '../../cluster/audit.js'
import {describeCluster} from '../../cluster/describe-cluster.js'
import {disturbedIn, objectsIn, ownEntries, runIn} from './installing.js'
import {DemoPackages, ownedBy} from './some-world.js'

const world = new DemoPackages().publish('sql', 'v1.0.0').publish('app', 'v1.0.0', 'sqls')
const PACKAGE = [
  'demo/app:v1.0.0',
  '--packages',
  world.folder,
  ...ownedBy('sql'),
  '--with-package-api',
  '--create-namespace',
]
const INSTALL = ['package', 'install', ...PACKAGE, '--timeout', '60s', '--yes']

describeCluster({version: 'current', pods: true}, 'an API server that is restarted', cluster => {
  const installed = async () => (await objectsIn(cluster())).filter(name => !isOfPod(name))
  const uninstall = async () => {
    for (const name of ['app', 'sql']) {
      const args = ['package', 'uninstall', `crossplane-system/demo-${name}`, '--yes']
      expect(await runIn(cluster(), ...args)).toMatchObject({status: 0})
    }
  }

  let undisturbed: string[] = []
  beforeAll(async () => {
    expect(await runIn(cluster(), ...INSTALL)).toMatchObject({status: 0})
    undisturbed = await installed()
    await uninstall()
  }, 120_000)

  afterEach(uninstall)

  it.each([
    {name: 'while objects are applied', at: /^ServiceAccount .* created$/},
    {name: 'while Deployments become available', at: /^Deployment .* created$/},
  ])(
    '$name: the install continues, or fails and is completed by the same command',
    async ({at}) => {
      const disturb = () =>
        cluster().withoutApiServer(() => new Promise(resolve => setTimeout(resolve, 1000)))
      const {status, stderr} = await disturbedIn(cluster(), {at, disturb}, ...INSTALL)
      if (status !== 0) {
        // The server is away, or answers before it serves everything again.
        const errors = stderr.split('\n').filter(line => line.startsWith('Error: '))
        expect({status, errors}).toEqual({status: 1, errors: [expect.stringMatching(/^Error: cannot .*: ./)]})
      }
      expect(await runIn(cluster(), ...INSTALL)).toMatchObject({status: 0})
      expect(await installed()).toEqual(undisturbed)
      const mark = await auditOf(cluster()).mark()
      expect(await runIn(cluster(), ...INSTALL)).toMatchObject({status: 0})
      expect(ownEntries(await auditOf(cluster()).since(mark)).filter(isWrite)).toEqual([])
      expect(await runIn(cluster(), 'package', 'diff', ...PACKAGE)).toMatchObject({status: 0})
    },
    240_000,
  )
})

/** The names of Pods and ReplicaSets are random. */
function isOfPod(name: string): boolean {
  return /^(?:Pod|ReplicaSet)[.]/.test(name)
}
