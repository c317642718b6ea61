import {expect, it} from '@jest/globals'
import {resolve} from 'node:path'
import type {TestCluster} from '../../../../test/cluster/api-server.js'
import {runProgram} from '../../../../test/run-program.js'
import {managerSuite, named, request, SYSTEM} from './manager-suite.js'

const PROGRAM = resolve('bin/run.js')

/** The exit codes of one pass, without a manager that runs. */
export function onceCases(cluster: () => TestCluster, packages: string): void {
  const {kube, apply, remove, gone} = managerSuite(cluster)
  const run = async (...flags: readonly string[]) => {
    const {kubeconfig} = cluster()
    const args = ['manager', 'run', '--packages', packages, '--kubeconfig', kubeconfig, '--no-cache']
    const {status, stdout, stderr} = await runProgram(process.execPath, [PROGRAM, ...args, ...flags])
    return {status, text: `${stdout}${stderr}`}
  }
  const queue = request(SYSTEM, 'queue', {package: 'example/queue:v1.0.0'})
  const account = named('ServiceAccount', 'queue', SYSTEM)

  it('exits with 0 for one pass over no requests', async () => {
    expect((await run('--once')).status).toBe(0)
    expect((await run('--dry-run')).status).toBe(0)
  })

  it('exits with 1 for a dry run that shows changes, and changes nothing', async () => {
    await apply(queue)
    const {status, text} = await run('--dry-run')
    expect({status, text}).toEqual({status: 1, text: expect.stringContaining('ServiceAccount')})
    expect((await kube().get(account)).code).toBe(404)
  })

  it('exits with 0 for one pass that applies all, and then for a dry run', async () => {
    expect(await run('--once')).toMatchObject({status: 0})
    expect((await kube().get(account)).code).toBe(200)
    expect(await run('--dry-run')).toMatchObject({status: 0})
  })

  it('exits with 5 while a request is not fulfilled, and names it', async () => {
    const lonely = request(SYSTEM, 'lonely', {package: 'example/lonely:v1.0.0'})
    await apply(lonely)
    const once = await run('--once')
    expect(once).toEqual({status: 5, text: expect.stringContaining('1 of 2 requests')})
    expect(once.text).toMatch(/ClusterPackageInstall crossplane-system\/lonely: .*things\.nowhere/)
    const shown = await run('--dry-run')
    expect({...shown, once: once.status}).toEqual({
      status: 5,
      text: expect.stringContaining('things.nowhere'),
      once: 5,
    })
    for (const each of [lonely, queue]) await remove(each)
    expect(await run('--once')).toMatchObject({status: 0})
    for (const each of [lonely, queue, account]) await gone(each)
  })
}
