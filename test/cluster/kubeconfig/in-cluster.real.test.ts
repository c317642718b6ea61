import {expect, it} from '@jest/globals'
import {mkdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {programWords} from '../../built-program.js'
import {describeReal} from '../../real-parts.js'
import {type ProgramResult, runProgram} from '../../run-program.js'
import type {TestCluster} from '../api-server.js'
import {auditOf} from '../audit.js'
import {describeCluster} from '../describe-cluster.js'
import {missingMounts, podVariables, withPodFiles} from '../pod-files.js'

interface Case {
  readonly name: string
  readonly without?: string
  readonly env?: Readonly<Record<string, string>>
  readonly args?: readonly string[]
}

const CASES: readonly Case[] = [
  {name: 'the namespace of the service account'},
  {name: 'POD_NAMESPACE', env: {POD_NAMESPACE: 'default'}},
  {name: '--namespace', args: ['--namespace', 'kube-system'], env: {POD_NAMESPACE: 'default'}},
  {name: 'no namespace', without: 'namespace'},
]

/** `status` is that of this program; of kubectl it is 1. */
const REJECTED: readonly (Case & {readonly status: number})[] = [
  {name: 'no certificate authority', without: 'ca.crt', status: 4},
  {name: 'no token', without: 'token', status: 1},
  {name: 'no port', env: {KUBERNETES_SERVICE_PORT: ''}, status: 1},
]

describeReal('in a Pod, compared with kubectl', missingMounts(), () => {
  describeCluster('current', 'with the files of a service account', cluster => {
    it.each(CASES)('the same objects are requested by the same user: $name', async given => {
      const [theirs, ours] = await both(cluster(), given)
      expect(theirs.end).toMatchObject({status: 0})
      expect(ours.end).toMatchObject({status: 0})
      expect(ours.requests).toEqual(theirs.requests)
      expect(theirs.requests).toHaveLength(1)
    })

    it.each(REJECTED)('both fail: $name', async given => {
      const [theirs, ours] = await both(cluster(), given)
      expect([theirs.end.status, ours.end.status]).toEqual([1, given.status])
      expect([...theirs.requests, ...ours.requests]).toEqual([])
    })
  })
})

/** Lists ConfigMaps with kubectl, and the installs in them. */
async function both(cluster: TestCluster, given: Case) {
  const folder = serviceAccount(cluster, given)
  const {args = []} = given
  const theirs = await inPod(cluster, folder, given, ['kubectl', 'get', 'configmaps', ...args])
  const list = [...programWords(), 'package', 'list', ...args]
  return [theirs, await inPod(cluster, folder, given, list)] as const
}

function serviceAccount({folder, ca, tokens}: TestCluster, {name, without}: Case): string {
  const path = join(folder, name.replaceAll(' ', '-'))
  mkdirSync(path)
  const files = {token: tokens.admin, 'ca.crt': ca, namespace: 'kube-public'}
  for (const [file, content] of Object.entries(files)) {
    if (file !== without) writeFileSync(join(path, file), content)
  }
  return path
}

async function inPod(
  cluster: TestCluster,
  folder: string,
  {env}: Case,
  command: readonly string[],
): Promise<{readonly end: ProgramResult; readonly requests: readonly object[]}> {
  const audit = auditOf(cluster)
  const mark = await audit.mark()
  const [program, ...args] = withPodFiles(command)
  const end = await runProgram(program, args, {
    env: {...podVariables(folder, cluster.url), HOME: folder, ...env},
  })
  const entries = (await audit.since(mark)).filter(({resource}) => resource === 'configmaps')
  return {end, requests: entries.map(({verb, namespace, user}) => ({verb, namespace, user}))}
}
