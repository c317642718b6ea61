import {beforeAll, expect, it} from '@jest/globals'
import {describeCluster} from '../../cluster/describe-cluster.js'
import {listener} from '../../listening.js'
import {objectsIn, runIn} from './installing.js'
import {releaseLease} from './interrupted-lives.js'
import {gated, interrupted, type RunGated} from './interrupted-run.js'
import {DemoPackages} from './some-world.js'
import type {Write} from './write-gate.js'

const world = new DemoPackages().publish('sql', 'v1.0.0')
const INSTALL = [
  'package',
  'install',
  'demo/sql',
  '--packages',
  world.folder,
  '--namespace',
  'crossplane-system',
]
const UNINSTALL = ['package', 'uninstall', 'crossplane-system/demo-sql', '--yes']

describeCluster('current', 'an uninstall that is interrupted', cluster => {
  const listen = listener()
  let run: RunGated
  beforeAll(async () => {
    run = await gated(cluster(), listen)
    const install = [...INSTALL, '--with-package-api', '--create-namespace', '--no-wait', '--yes']
    expect(await runIn(cluster(), ...install)).toMatchObject({status: 0})
    expect(await listed()).toMatch(/^crossplane-system +demo-sql .* Complete +inventory$/m)
  }, 120_000)

  const listed = async () => (await runIn(cluster(), 'package', 'list', '--all-namespaces')).stdout
  const expectInterrupted = async () => {
    expect(await listed()).toMatch(/^crossplane-system +demo-sql .* Interrupted +inventory$/m)
  }

  it('is listed as Interrupted from its first deletion on', async () => {
    const at = ({line}: Write) => line.startsWith('DELETE ')
    const {isInterrupted} = await interrupted(run, UNINSTALL, {signal: 'SIGKILL', at, isAnswered: false})
    expect(isInterrupted).toBe(true)
    await expectInterrupted()
    await releaseLease(cluster())
  }, 120_000)

  it('does not repeat a failed request after SIGINT', async () => {
    const attempts: string[] = []
    const {status, stderr} = await run(UNINSTALL, child => ({
      before: ({line}) => {
        if (!line.includes('/deployments/')) return true
        if (attempts.push(line) === 1) child.kill('SIGINT')
        return false
      },
      after: () => undefined,
    }))
    expect({status, stderr}).toEqual({status: 130, stderr: expect.stringMatching(/interrupted by SIGINT/)})
    expect(attempts.length).toBeLessThan(5)
    await expectInterrupted()
  }, 120_000)

  it('is completed by the same command', async () => {
    expect(await runIn(cluster(), ...UNINSTALL)).toMatchObject({status: 0})
    expect((await objectsIn(cluster())).filter(name => name.includes('demo-sql'))).toEqual([])
  }, 120_000)
})
