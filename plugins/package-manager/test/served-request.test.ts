import {describe, expect, it} from '@jest/globals'
import type {JsonObject, KubernetesObject, PlannedChange, PlannedObject} from 'kubectl-crossplane/plugin'
import {managerPolicy} from '../src/run/manager-policy.js'
import {hostAccess, whyNotAllowed, whyNotDeleted, whyNotServed} from '../src/run/served-request.js'

const API = 'packages.crossplane.io/v1alpha1'
const HEAD = 'apiVersion: packages.kubectl-crossplane.dev/v1alpha1\nkind: Policy\n'

function placeWith(text?: string) {
  const metadata = {name: 'kubectl-crossplane-policy', namespace: 'system'}
  const map = {apiVersion: 'v1', kind: 'ConfigMap', metadata, data: {'policy.yaml': HEAD + (text ?? '')}}
  return {systemNamespace: 'system', policy: managerPolicy(text === undefined ? undefined : map)}
}

const IDENTITY = {spec: {package: 'docker.io/x/y:v1', serviceAccount: {annotations: {a: 'b'}}}}
const SOURCE = {spec: {package: 'docker.io/x/y:v1', source: 'registry.example.org'}}

function request(namespace: string, kind = 'PackageInstall', runtime?: string): KubernetesObject {
  const annotations: Record<string, string> =
    runtime === undefined ? {} : {'kubectl-crossplane.dev/runtime': runtime}
  return {apiVersion: API, kind, metadata: {name: 'app', namespace, annotations}}
}

const POLICY =
  'owners: {"*.example.org": example/app}\nmanager: {namespaces: [team], clusterNamespaces: [infra]}\n'

describe('whyNotServed', () => {
  it.each([
    {
      name: 'the own namespace',
      in: request('system', 'ClusterPackageInstall'),
      policy: undefined,
      want: undefined,
    },
    {name: 'another without a policy', in: request('team'), policy: undefined, want: 'PolicyRefused'},
    {name: 'a listed one', in: request('team'), policy: POLICY, want: undefined},
    {name: 'one that is not listed', in: request('other'), policy: POLICY, want: 'PolicyRefused'},
    {
      name: 'a Cluster package of a team',
      in: request('team', 'ClusterPackageInstall'),
      policy: POLICY,
      want: 'PolicyRefused',
    },
    {
      name: 'a runtime of a team',
      in: request('team', 'PackageInstall', '{"replicas":2}'),
      policy: POLICY,
      want: 'PolicyRefused',
    },
    {
      name: 'a runtime of administrators',
      in: request('infra', 'PackageInstall', '{"replicas":2}'),
      policy: POLICY,
      want: undefined,
    },
    {
      name: 'annotations of a service account of a team',
      in: {...request('team'), ...IDENTITY},
      policy: POLICY,
      want: 'PolicyRefused',
    },
    {
      name: 'annotations of a service account of administrators',
      in: {...request('infra'), ...IDENTITY},
      policy: POLICY,
      want: undefined,
    },
    {
      name: 'a source of a team where the policy lists none',
      in: {...request('team'), ...SOURCE},
      policy: POLICY,
      want: 'PolicyRefused',
    },
    {
      name: 'a source of a team where the policy lists sources, which images are compared with',
      in: {...request('team'), ...SOURCE},
      policy: `sources: [registry.example.org]\n${POLICY}`,
      want: undefined,
    },
    {
      name: 'a source of administrators',
      in: {...request('infra'), ...SOURCE},
      policy: POLICY,
      want: undefined,
    },
    {
      name: 'a Cluster package of administrators',
      in: request('infra', 'ClusterPackageInstall'),
      policy: POLICY,
      want: undefined,
    },
    {
      name: 'the own namespace under an unreadable policy',
      in: request('system'),
      policy: 'ownres: {}\n',
      want: 'PolicyRefused',
    },
  ])('$name: $want', ({in: object, policy, want}) => {
    expect(whyNotServed(object, placeWith(policy))?.reason).toBe(want)
  })

  it('says what else a namespace gets that may annotate service accounts', () => {
    const {message} = whyNotServed({...request('team'), ...IDENTITY}, placeWith(POLICY)) ?? {}
    expect(message).toMatch(/: remove it, or .* which also allows Cluster packages and runtimes$/)
  })
})

const OWN = {namespace: 'team', name: 'app'}
const OTHER = {namespace: 'system', name: 'queue'}

function change(objects: readonly PlannedObject[], identity = 'example/app'): PlannedChange {
  const selected = {identity, tag: 'v1', version: 'v1', summaryHash: ''}
  const install = {
    ...OWN,
    era: 'packages',
    scope: 'Namespaced',
    mode: 'requested',
    for: {},
    package: selected,
  } as const
  const rest = {changed: [], size: 1, rejections: [], risks: [], notes: []}
  return {
    ...rest,
    installs: [install],
    objects,
    before: [],
    diff: () => Promise.resolve({objects: [], unchanged: 0, rejections: []}),
    overwritten: () => Promise.resolve([]),
    apply: () => Promise.resolve(),
  }
}

function crd(change_: PlannedObject['change'], spec = {}, installs = [OWN]): PlannedObject {
  const object = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {name: 'apps.app.example.org'},
    spec: {group: 'app.example.org', ...spec},
  }
  return {object, installs, change: change_}
}

function role(installs: PlannedObject['installs'], change_: PlannedObject['change']): PlannedObject {
  const apiVersion = 'rbac.authorization.k8s.io/v1'
  return {object: {apiVersion, kind: 'ClusterRole', metadata: {name: 'x'}}, installs, change: change_}
}

describe('whyNotAllowed', () => {
  it.each([
    {name: 'a new CRD of a group that the policy gives', in: change([crd('create')]), want: undefined},
    {name: 'one of another package', in: change([crd('create')], 'example/fork'), want: 'PolicyRefused'},
    {
      name: 'one with a webhook',
      in: change([crd('create', {conversion: {strategy: 'Webhook'}})]),
      want: 'PolicyRefused',
    },
    {name: 'a CRD that others use too', in: change([crd('update')]), want: 'Conflict'},
    {name: 'a CRD that only gets a claim', in: change([crd('none')]), want: undefined},
    {name: 'another install that stays', in: change([role([OTHER], 'none')]), want: undefined},
    {
      name: 'another install that changes',
      in: change([role([OTHER], 'update')]),
      want: 'WaitingForDependency',
    },
    {name: 'a new install elsewhere', in: change([role([OTHER], 'create')]), want: 'WaitingForDependency'},
  ])('$name: $want', ({in: planned, want}) => {
    expect(whyNotAllowed(request('team'), planned, placeWith(POLICY))?.reason).toBe(want)
  })

  it('lets administrators do what the commands do', () => {
    const planned = change([role([OTHER], 'create'), crd('update')])
    expect(whyNotAllowed(request('infra'), planned, placeWith(POLICY))).toBeUndefined()
  })
})

describe('hostAccess', () => {
  it.each<{name: string; in: JsonObject; want: readonly RegExp[]}>([
    {name: 'nothing', in: {containers: [{name: 'a', ports: [{containerPort: 1}]}]}, want: []},
    {
      name: 'namespaces',
      in: {hostPID: true, hostNetwork: true},
      want: [/ hostPID sees/, / hostNetwork uses/],
    },
    {name: 'a folder', in: {volumes: [{name: 'x', hostPath: {path: '/'}}]}, want: [/volumes\[x\].hostPath/]},
    {
      name: 'processes of a Windows node',
      in: {containers: [{name: 'a', securityContext: {windowsOptions: {hostProcess: true}}}]},
      want: [/container a: securityContext.windowsOptions/],
    },
    {
      name: 'a port of an init container',
      in: {initContainers: [{name: 'a', ports: [{hostPort: 80}]}]},
      want: [/container a: ports\[0\].hostPort/],
    },
    {
      name: 'capabilities',
      in: {containers: [{name: 'a', securityContext: {capabilities: {add: ['CHOWN', 'SYS_ADMIN']}}}]},
      want: [/adds capabilities of root: SYS_ADMIN$/],
    },
    {
      name: 'the label of another container engine',
      in: {securityContext: {seLinuxOptions: {type: 'spc_t'}}},
      want: [/securityContext.seLinuxOptions is not confined/],
    },
  ])('$name', ({in: pod, want}) => {
    const object = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: {name: 'x'},
      spec: {template: {spec: pod}},
    }
    const problem = hostAccess(change([{object, installs: [OWN], change: 'create'}]))
    expect(problem?.reason).toBe(want.length === 0 ? undefined : 'PermissionRefused')
    for (const text of want) expect(problem?.message).toMatch(text)
  })
})

describe('whyNotDeleted', () => {
  it.each([
    {name: 'a number by administrators', in: ['infra', 'delete=2'], want: undefined},
    {name: 'a number in the own namespace', in: ['system', 'delete=2'], want: undefined},
    {name: 'a number by a team', in: ['team', 'delete=2'], want: 'PolicyRefused'},
    {name: 'to keep all, by a team', in: ['team', 'keep'], want: undefined},
    {name: 'without the annotation', in: ['team', ''], want: undefined},
  ])('judges $name', ({in: [namespace = '', value = ''], want}) => {
    const annotations = {'kubectl-crossplane.dev/custom-resources': value}
    const {metadata, ...object} = request(namespace)
    const annotated = {...object, metadata: {...metadata, annotations}}
    expect(whyNotDeleted(annotated, placeWith(POLICY))?.reason).toBe(want)
  })
})
