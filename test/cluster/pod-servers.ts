import {writeFileSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {accepted, until} from './kube.js'
import type {Answer, Kube} from './kube.js'
import type {ServerGroup} from './server-group.js'
import {asObject, asObjects} from '../../src/yaml/json-value.js'
import type {JsonObject} from '../../src/yaml/json-value.js'

/** A cluster that serves, with the programs by their names. */
interface Started {
  readonly group: ServerGroup
  readonly programs: ReadonlyMap<string, string>
  readonly kubeconfig: string
  readonly kube: Kube
}

/**
 * What makes Pods of a cluster run: controllers, a scheduler, and a node whose kubelet is kwok, which says of each Pod
 * what a kubelet would and runs nothing. Resolves when the namespace `default` can have Pods and the node is ready.
 */
export async function startPodServers(
  {group, programs, kubeconfig, kube}: Started,
  stages: string | undefined,
): Promise<void> {
  const kwok = programs.get('kwok')!
  const configured = `--kubeconfig=${kubeconfig}`
  await group.start('kube-controller-manager', programs.get('kube-controller-manager')!, [
    configured,
    `--service-account-private-key-file=${join(group.folder, 'service-account.key')}`,
    '--use-service-account-credentials=true',
    '--leader-elect=false',
    '--controllers=*,-node-ipam-controller,-cloud-node-lifecycle-controller',
    '--secure-port=0',
  ])
  await group.start('kube-scheduler', programs.get('kube-scheduler')!, [
    configured,
    '--leader-elect=false',
    '--secure-port=0',
  ])
  const configs = [join(dirname(kwok), 'stages.yaml'), ...writeStages(group.folder, stages)]
  const stageFlags = configs.map(path => `--config=${path}`)
  await group.start('kwok', kwok, [configured, '--manage-all-nodes=true', ...stageFlags])
  accepted(await kube.create(node))
  const running = (object: JsonObject) => () => {
    group.assertRunning()
    return kube.get(object)
  }
  await until(running(node), isReady, 60)
  // Without it, the first Pod of a suite would be refused.
  await until(running(account), ({code}) => code === 200, 60)
}

function writeStages(folder: string, stages: string | undefined): readonly string[] {
  if (stages === undefined) return []
  const path = join(folder, 'stages.yaml')
  writeFileSync(path, stages)
  return [path]
}

const amounts = {cpu: '32', memory: '64Gi', pods: '110'}
const node = {
  apiVersion: 'v1',
  kind: 'Node',
  metadata: {name: 'node', labels: {'kubernetes.io/os': 'linux', 'kubernetes.io/hostname': 'node'}},
  status: {allocatable: amounts, capacity: amounts},
}

const account = {apiVersion: 'v1', kind: 'ServiceAccount', metadata: {name: 'default'}}

function isReady({body}: Answer): boolean {
  const ready = asObjects(asObject(body.status).conditions).find(({type}) => type === 'Ready')
  const taints = asObjects(asObject(body.spec).taints)
  return ready?.status === 'True' && taints.length === 0
}
