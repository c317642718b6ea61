import {describe, expect, it} from '@jest/globals'
import type {KubernetesObject, PlannedPackages, SetInstall} from 'kubectl-crossplane/plugin'
import {installPass} from '../src/run/install-pass.js'
import {installTogether} from '../src/run/joint-install.js'
import {managerPolicy} from '../src/run/manager-policy.js'
import type {PassPorts} from '../src/run/pass-ports.js'
import {Stopped} from '../src/run/problem.js'
import {removalPass} from '../src/run/removal-pass.js'
import {settingsOfOthers} from '../src/run/settings-of-others.js'

const API = 'packages.crossplane.io/v1alpha1'
const FINALIZER = 'finalizer.packageinstall.crossplane.io'
const POLICY = managerPolicy({
  ...{
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {name: 'kubectl-crossplane-policy', namespace: 'system'},
  },
  data: {
    'policy.yaml':
      'apiVersion: packages.kubectl-crossplane.dev/v1alpha1\nkind: Policy\nmanager: {namespaces: [team], clusterNamespaces: [infra]}\n',
  },
})
const PLACE = {systemNamespace: 'system', policy: POLICY}
const ANNOTATED = {serviceAccountAnnotations: {'eks.amazonaws.com/role-arn': 'arn:aws:iam::1:role/admin'}}
const RUNTIME = {serviceAccountAnnotations: {}, runtime: {replicas: 2}}

function request(status?: KubernetesObject['status'], namespace = 'team', name = 'app'): KubernetesObject {
  return {
    ...{apiVersion: API, kind: 'PackageInstall', spec: {package: 'example/app:v1'}},
    metadata: {name, namespace, uid: name, finalizers: [FINALIZER]},
    ...(status === undefined ? {} : {status}),
  }
}

/** An install as an administrator made it. */
function install(settings: object, namespace = 'team', name = 'app'): SetInstall {
  const parameters = {name, namespace, scope: 'Namespaced', imagePullSecrets: [], ...settings}
  return {namespace, name, mode: 'requested', for: {}, request: parameters} as unknown as SetInstall
}

const FULFILLED = {resolved: {package: 'example/app:v1', version: 'v1'}}

describe('the settings of an install', () => {
  it.each([
    {name: 'without any', in: [install({serviceAccountAnnotations: {}})], want: undefined},
    {name: 'that does not exist', in: [], want: undefined},
    {name: 'of another name', in: [install(RUNTIME, 'team', 'other')], want: undefined},
    {name: 'of another namespace', in: [install(RUNTIME, 'infra')], want: undefined},
    {name: 'with a runtime', in: [install(RUNTIME)], want: /^the install team\/app exists, with a runtime /},
    {
      name: 'with annotations of its service account',
      in: [install(ANNOTATED)],
      want: /^the install team\/app exists, with annotations of its service account that an administrator gave it$/,
    },
    {
      name: 'of administrators, for whom it is theirs',
      in: [install(ANNOTATED, 'infra')],
      request: request(undefined, 'infra'),
      want: undefined,
    },
    {
      name: 'that the request was fulfilled with: what an administrator adds later is not kept',
      in: [install(ANNOTATED)],
      request: request(FULFILLED),
      want: undefined,
    },
  ])('$name: $want', ({in: installed, request: object = request(), want}) => {
    const problem = settingsOfOthers(object, PLACE, installed)
    expect(problem?.reason).toBe(want && 'PolicyRefused')
    expect(problem?.message).toEqual(want && expect.stringMatching(want))
  })
})

/** The ports of passes during which an administrator makes an install, right before the change that was planned. */
function portsWith(installedThen: readonly SetInstall[]) {
  const applied: string[] = []
  const change = (installs: readonly SetInstall[]) => ({
    ...{installs, objects: [], before: [], notes: [], rejections: [], risks: [], size: 1, changed: installs},
  })
  const planned = (...objects: readonly KubernetesObject[]) =>
    change(objects.map(({metadata: {namespace, name}}) => install({}, namespace, name)))
  const installer = {
    installed: () => Promise.resolve([]),
    planInstall: (objects: readonly KubernetesObject[]) => Promise.resolve(planned(...objects)),
    renderInstalls: (objects: readonly KubernetesObject[]) => Promise.resolve(planned(...objects)),
    planUninstall: () => Promise.resolve(change([])),
    health: () => Promise.resolve(undefined),
    healths: () => Promise.resolve([]),
    read: () => Promise.resolve(undefined),
  }
  const ports = {
    ...{installer, systemNamespace: 'system', policy: () => Promise.resolve(POLICY)},
    ...{isStopping: () => false, requests: () => Promise.resolve([]), read: () => Promise.resolve(undefined)},
    writes: {event: () => Promise.resolve()},
    apply: (packages: PlannedPackages, gate?: (packages: PlannedPackages) => void) => {
      gate?.({...packages, before: installedThen})
      applied.push(...packages.installs.map(({name}) => name), 'applied')
      return Promise.resolve()
    },
  }
  return {applied, ports: ports as unknown as PassPorts}
}

const OTHERS = [
  {name: 'a runtime', settings: RUNTIME},
  {name: 'annotations of its service account', settings: ANNOTATED},
]

describe('an install that an administrator makes while a package is read', () => {
  it.each(OTHERS)('with $name is not taken over by a pass over a request', async ({name, settings}) => {
    const {applied, ports} = portsWith([install(settings)])
    const {state} = await installPass(request(), ports)
    expect(applied).toEqual([])
    expect(state.synced).toMatchObject({status: 'False', reason: 'PolicyRefused'})
    expect(state.synced.message).toContain(name)
  })

  it.each(OTHERS)('with $name is not taken over by a pass over several', async ({settings}) => {
    const {applied, ports} = portsWith([install(settings, 'team', 'second')])
    const requests = [request(), request(undefined, 'team', 'second')] as const
    await expect(installTogether(requests, ports)).rejects.toThrow(Stopped)
    expect(applied).toEqual([])
  })

  it.each(OTHERS)('with $name is not uninstalled', async ({settings}) => {
    const {applied, ports} = portsWith([install(settings)])
    const state = await removalPass(request(), ports)
    expect(applied).toEqual([])
    expect(state?.synced).toMatchObject({status: 'False', reason: 'PolicyRefused'})
  })

  it('without such settings is taken over', async () => {
    const {applied, ports} = portsWith([install({serviceAccountAnnotations: {}})])
    await installPass(request(), ports)
    await installTogether([request(), request(undefined, 'team', 'second')], ports)
    await removalPass(request(), ports)
    expect(applied).toEqual(['app', 'applied', 'app', 'second', 'applied', 'applied'])
  })
})
