import {asObject, asObjects, asText, type JsonObject} from '../../../src/yaml/json-value.js'
import type {TestCluster} from '../../cluster/api-server.js'
import {accepted, until} from '../../cluster/kube.js'
import {
  deletePods,
  deploymentPath,
  install,
  NAMESPACE,
  patch,
  podsPath,
  remove,
  within,
} from './install-paths.js'

/** Breaks an install of `demo/NAME` in some way. */
type Break = (name: string, cluster: TestCluster) => Promise<void>

/** Ways to break an install, by the name of its package, with the id of the first broken link. */
export type Breaks = Readonly<Record<string, {readonly id: string; readonly with: Break}>>

const template = (spec: JsonObject): JsonObject => ({spec: {template: {spec}}})

/** Those that break the Deployment of a controller or its Pods. */
export const CONTROLLER_BREAKS: Breaks = {
  uncontrolled: {id: 'controller-missing', with: (name, cluster) => remove(cluster, deploymentPath(name))},
  impersonating: {
    id: 'controller-other-account',
    with: (name, cluster) => patch(cluster, deploymentPath(name), template({serviceAccountName: 'default'})),
  },
  stopped: {
    id: 'controller-scaled-to-zero',
    with: (name, cluster) => patch(cluster, deploymentPath(name), {spec: {replicas: 0}}),
  },
  homeless: {
    id: 'pod-unschedulable',
    with: (name, cluster) => patch(cluster, deploymentPath(name), template({nodeSelector: {disk: 'none'}})),
  },
  // The stages of kwok choose these by their image.
  unpullable: {id: 'image-pull', with: () => Promise.resolve()},
  crashing: {id: 'container-crash', with: () => Promise.resolve()},
  unconfigured: {id: 'container-start', with: () => Promise.resolve()},
  rejected: {id: 'pods-rejected', with: rejectPods},
  overquota: {
    id: 'pods-over-quota',
    with: async (name, cluster) => {
      const metadata = {name: 'none', namespace: NAMESPACE}
      const quota = {apiVersion: 'v1', kind: 'ResourceQuota', metadata, spec: {hard: {pods: '0'}}}
      accepted(await cluster.kube.create(quota))
      // The quota counts once its controller has seen it.
      await until(
        () => cluster.kube.get(quota),
        ({body}) => asObject(asObject(body.status).hard).pods === '0',
        60,
      )
      await deletePods(name, cluster)
    },
  },
  paused: {
    id: 'controller-paused',
    with: (name, cluster) => patch(cluster, deploymentPath(name), {spec: {paused: true}}),
  },
  // Runs at this moment, as between two crashes.
  flapping: {id: 'container-crash', with: () => Promise.resolve()},
  lost: {id: 'controller-unavailable', with: loseLongAgo},
  // Waits by its image, and an event says for what.
  unmounted: {id: 'pod-blocked', with: failMount},
}

/** Waits for the Pod of an install. */
async function podOf(name: string, {kube}: TestCluster): Promise<JsonObject> {
  const find = async () => asObjects((await kube.send('GET', podsPath(name))).body.items)
  const [pod = {}] = await until(find, pods => pods.length > 0, 60)
  return pod
}

/** The container of an install that worked stops being ready; the time of it is set back. */
async function loseLongAgo(name: string, cluster: TestCluster): Promise<void> {
  const read = async () => asObject((await cluster.kube.send('GET', deploymentPath(name))).body.status)
  await until(read, status => status.availableReplicas === 1, 60)
  const pod = await podOf(name, cluster)
  const path = within(`/api/v1/NS/pods/${asText(asObject(pod.metadata).name)}/status`)
  const {conditions, containerStatuses} = asObject(pod.status)
  await patch(cluster, path, {
    status: {
      conditions: asObjects(conditions).map(each =>
        each.type === 'Ready' ? {...each, status: 'False'} : each,
      ),
      containerStatuses: asObjects(containerStatuses).map(each => ({...each, ready: false})),
    },
  })
  const lost = await until(read, status => available(status).status === 'False', 60)
  const lastTransitionTime = new Date(Date.now() - 120_000).toISOString().replace(/\.\d+/, '')
  const others = asObjects(lost.conditions).filter(({type}) => type !== 'Available')
  await patch(cluster, `${deploymentPath(name)}/status`, {
    status: {conditions: [...others, {...available(lost), lastTransitionTime}]},
  })
}

function available({conditions}: JsonObject): JsonObject {
  return asObjects(conditions).find(({type}) => type === 'Available') ?? {}
}

/** What a kubelet writes about a Pod whose volume is missing, and about another Pod. */
async function failMount(name: string, cluster: TestCluster): Promise<void> {
  const {kind, apiVersion, metadata} = await podOf(name, cluster)
  const {name: podName, uid} = asObject(metadata)
  const event = (reason: string, message: string, seconds: number, of: JsonObject) => ({
    apiVersion: 'v1',
    kind: 'Event',
    metadata: {generateName: `${asText(podName)}.`, namespace: NAMESPACE},
    type: 'Warning',
    reason,
    message,
    lastTimestamp: new Date(Date.now() + seconds * 1000).toISOString().replace(/\.\d+/, ''),
    involvedObject: {
      apiVersion: apiVersion ?? 'v1',
      kind: kind ?? 'Pod',
      namespace: NAMESPACE,
      name: podName ?? '',
      ...of,
    },
  })
  const path = within('/api/v1/NS/events')
  for (const body of [
    event('FailedMount', 'secret "cloud" not found', 60, {uid: uid ?? ''}),
    event('Pulling', 'a', 0, {uid: uid ?? ''}),
    event('Pulling', 'b', 120, {uid: 'of-another'}),
  ])
    accepted(await cluster.kube.send('POST', path, body))
}

const POLICY = 'admissionregistration.k8s.io/v1'

/** Lets the API server reject the Pods of an install by an admission policy. */
async function rejectPods(name: string, cluster: TestCluster): Promise<void> {
  const expression = `object.metadata.labels["app"] != "${install(name)}-controller"`
  const rule = {apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods']}
  const policy = {
    apiVersion: POLICY,
    kind: 'ValidatingAdmissionPolicy',
    metadata: {name: 'no-pods'},
    spec: {
      matchConstraints: {resourceRules: [rule]},
      validations: [{expression, message: 'the image is not signed'}],
    },
  }
  const binding = {
    apiVersion: POLICY,
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata: {name: 'no-pods'},
    spec: {policyName: 'no-pods', validationActions: ['Deny']},
  }
  const path = `/apis/${POLICY}/`
  accepted(await cluster.kube.send('POST', `${path}validatingadmissionpolicies`, policy))
  accepted(await cluster.kube.send('POST', `${path}validatingadmissionpolicybindings`, binding))
  const labels = {app: `${install(name)}-controller`}
  const probe = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {name: 'probe', namespace: NAMESPACE, labels},
    spec: {containers: [{name: 'a', image: 'a'}]},
  }
  // A policy takes effect a moment later.
  await until(
    () => cluster.kube.create(probe, {dryRun: true}),
    ({code}) => code === 422,
    60,
  )
  await deletePods(name, cluster)
}
