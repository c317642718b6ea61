import {expect, it} from '@jest/globals'
import fc from 'fast-check'
import {randomInt} from 'node:crypto'
import {privilegedReasons, workloads} from '../../../src/inspect/policy/workloads.js'
import {asText, type JsonObject} from '../../../src/yaml/json-value.js'
import {describeCluster} from '../../cluster/describe-cluster.js'
import {accepted, type Kube} from '../../cluster/kube.js'

/** Changes of a Pod, the first of each group being none: forbidden and allowed values of all that `baseline` judges. */
type Change = Readonly<{pod?: JsonObject; context?: JsonObject; container?: JsonObject; annotation?: string}>

const contexts = (...values: readonly JsonObject[]): readonly Change[] =>
  values.flatMap(context => [{context}, {container: {securityContext: context}}])
const inContainer = (...values: readonly JsonObject[]): readonly Change[] =>
  values.map(securityContext => ({container: {securityContext}}))
const sysctl = (name: string): Change => ({context: {sysctls: [{name, value: '1'}]}})
const handler = (host: string) => ({httpGet: {port: 80, ...(host === '' ? {} : {host})}})

const CAPABILITIES = [
  ...[
    'AUDIT_CONTROL',
    'AUDIT_WRITE',
    'BPF',
    'CAP_CHOWN',
    'CHOWN',
    'DAC_OVERRIDE',
    'DAC_READ_SEARCH',
    'FOWNER',
  ],
  ...['FSETID', 'KILL', 'MKNOD', 'NET_ADMIN', 'NET_BIND_SERVICE', 'NET_RAW', 'SETFCAP', 'SETGID', 'SETPCAP'],
  ...['SETUID', 'SYS_ADMIN', 'SYS_CHROOT', 'SYS_PTRACE', 'ALL', 'chown'],
]
const SYSCTLS = [
  ...['kernel.shm_rmid_forced', 'net.ipv4.ip_local_port_range', 'net.ipv4.tcp_syncookies'],
  ...['net.ipv4.ping_group_range', 'net.ipv4.ip_unprivileged_port_start', 'net.ipv4.ip_local_reserved_ports'],
  ...['net.ipv4.tcp_keepalive_time', 'net.ipv4.tcp_fin_timeout', 'net.ipv4.tcp_keepalive_intvl'],
  ...['net.ipv4.tcp_keepalive_probes', 'net.ipv4.tcp_rmem', 'net.ipv4.tcp_wmem', 'net.core.somaxconn'],
  ...['kernel.msgmax', 'net/ipv4/tcp_syncookies'],
]
const CHANGES: readonly Change[] = [
  {},
  ...['hostNetwork', 'hostPID', 'hostIPC'].map(field => ({pod: {[field]: true}})),
  {pod: {hostPID: false}},
  {pod: {volumes: [{name: 'v', hostPath: {path: '/'}}]}},
  {pod: {volumes: [{name: 'v', emptyDir: {}}]}},
  ...[0, 8080].map(hostPort => ({container: {ports: [{containerPort: 8080, hostPort}]}})),
  ...inContainer({privileged: true}, {privileged: false}, {procMount: 'Default'}),
  {pod: {hostUsers: false}, container: {securityContext: {procMount: 'Unmasked'}}},
  ...CAPABILITIES.flatMap(name => inContainer({capabilities: {add: [name]}})),
  ...inContainer(
    {capabilities: {drop: ['ALL'], add: ['CHOWN', 'SYS_TIME']}},
    {capabilities: {drop: ['ALL']}},
  ),
  ...SYSCTLS.map(sysctl),
  ...['Unconfined', 'RuntimeDefault'].flatMap(type =>
    contexts({seccompProfile: {type}}, {appArmorProfile: {type}}),
  ),
  ...contexts({seccompProfile: {type: 'Localhost', localhostProfile: 'a.json'}}),
  ...contexts({appArmorProfile: {type: 'Localhost', localhostProfile: 'a'}}),
  ...['unconfined', 'runtime/default', 'localhost/a'].map(annotation => ({annotation})),
  ...['container_t', 'container_init_t', 'container_kvm_t', 'container_engine_t', 'spc_t'].flatMap(type =>
    contexts({seLinuxOptions: {type}}),
  ),
  ...contexts(
    {seLinuxOptions: {user: 'system_u'}},
    {seLinuxOptions: {role: 'r'}},
    {seLinuxOptions: {level: 's0'}},
  ),
  ...contexts({windowsOptions: {runAsUserName: 'ContainerUser'}}),
  {pod: {hostNetwork: true}, context: {windowsOptions: {hostProcess: true}, runAsNonRoot: true}},
  ...['', '127.0.0.1', 'example.org'].flatMap(host => [
    ...['livenessProbe', 'readinessProbe', 'startupProbe'].map(name => ({
      container: {[name]: handler(host)},
    })),
    ...['postStart', 'preStop'].map(name => ({container: {lifecycle: {[name]: handler(host)}}})),
  ]),
  {container: {livenessProbe: {tcpSocket: {port: 80, host: 'example.org'}}}},
  // What other standards and `inspect` mind, and this one does not.
  ...inContainer({allowPrivilegeEscalation: true}, {runAsUser: 0}, {runAsNonRoot: false}),
]

const NAMESPACE = 'baseline'
const APPARMOR = 'container.apparmor.security.beta.kubernetes.io/'

/** The change is of the container or, if there is one, of the init container. */
function podOf(name: string, {pod, context, container, annotation}: Change, isInit: boolean) {
  const plain = {name: 'plain', image: 'x'}
  const changed = {...container, name: 'changed', image: 'x'}
  const annotations: Readonly<Record<string, string>> =
    annotation === undefined ? {} : {[`${APPARMOR}changed`]: annotation}
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {name, namespace: NAMESPACE, annotations},
    spec: {
      ...pod,
      ...(context === undefined ? {} : {securityContext: context}),
      ...(isInit ? {initContainers: [changed], containers: [plain]} : {containers: [plain, changed]}),
    },
  }
}

/** Undefined where the server rejects the Pod for another reason, which no standard is asked about. */
async function isForbidden(kube: Kube, pod: JsonObject): Promise<boolean | undefined> {
  const {code, body} = await kube.create(pod, {dryRun: true})
  if (code === 201) return false
  return code === 403 && asText(body.message).includes('violates PodSecurity') ? true : undefined
}

describeCluster('current', 'Pod Security admission', cluster => {
  const isPrivileged = (pod: ReturnType<typeof podOf>) => privilegedReasons(workloads([pod])).length > 0

  it('forbids what privilegedDeployments forbids, and nothing else', async () => {
    const {kube} = cluster()
    const labels = {'pod-security.kubernetes.io/enforce': 'baseline'}
    accepted(await kube.create({apiVersion: 'v1', kind: 'Namespace', metadata: {name: NAMESPACE, labels}}))
    const verdicts = new Map<boolean | undefined, number>()
    for (const [index, change] of CHANGES.entries()) {
      for (const isInit of [false, true]) {
        const pod = podOf(`pod-${index}`, change, isInit)
        const verdict = await isForbidden(kube, pod)
        verdicts.set(verdict, (verdicts.get(verdict) ?? 0) + 1)
        if (verdict !== undefined) expect([pod, isPrivileged(pod)]).toEqual([pod, verdict])
      }
    }
    // Hooks and probes of init containers, and sysctls with other values, are rejected by validation.
    expect(verdicts.get(true)).toBeGreaterThan(60)
    expect(verdicts.get(false)).toBeGreaterThan(60)
    expect(verdicts.get(undefined) ?? 0).toBeLessThan(60)
  }, 120_000)

  it('has the same verdict on generated Pods', async () => {
    const {kube} = cluster()
    const pods = fc
      .array(fc.constantFrom(...CHANGES), {minLength: 2, maxLength: 4})
      .map((changes): Change => Object.assign({}, ...changes) as Change)
    let judged = 0
    await fc.assert(
      fc.asyncProperty(pods, fc.boolean(), async (change, isInit) => {
        const pod = podOf('generated', change, isInit)
        const verdict = await isForbidden(kube, pod)
        if (verdict === undefined) return
        judged += 1
        expect(isPrivileged(pod)).toBe(verdict)
      }),
      {seed: randomInt(2 ** 31), numRuns: 150},
    )
    expect(judged).toBeGreaterThan(75)
  }, 120_000)
})
