import {expect, it} from '@jest/globals'
import type {KubernetesObject} from 'kubectl-crossplane/plugin'
import type {JointState} from '../src/run/joint-state.js'
import type {PassPorts} from '../src/run/pass-ports.js'
import {reconcileRequest} from '../src/run/reconcile-request.js'

const REQUEST: KubernetesObject = {
  apiVersion: 'packages.crossplane.io/v1alpha1',
  kind: 'PackageInstall',
  metadata: {namespace: 'team', name: 'app', uid: 'own', resourceVersion: '1'},
}

/** The ports of a pass that has read a request before a pass with others changed it, and what it writes. */
function portsOf(hasChanged: boolean) {
  const written: object[] = []
  const installer = {forPass: () => installer, original: () => Promise.resolve(undefined)}
  const ports = {
    installer,
    joint: new Map<string, JointState>([['own', 'alone']]),
    now: () => '1970-01-01T00:00:00Z',
    isStopping: () => false,
    hasChanged: () => hasChanged,
    writes: {
      patch: (_request: KubernetesObject, patch: object) => {
        written.push(patch)
        return Promise.reject(new Error('written'))
      },
    },
  }
  return {written, ports: ports as unknown as PassPorts}
}

it('a pass writes nothing to a request that a pass with others gave a finalizer since it was read', async () => {
  const {written, ports} = portsOf(true)
  expect(await reconcileRequest(REQUEST, ports)).toEqual({result: 'requeue', again: 1000})
  expect(written).toEqual([])
})

it('a pass gives a finalizer to a request that has not changed', async () => {
  const {written, ports} = portsOf(false)
  await expect(reconcileRequest(REQUEST, ports)).rejects.toThrow('written')
  expect(written).toEqual([{finalizers: ['finalizer.packageinstall.crossplane.io']}])
})
