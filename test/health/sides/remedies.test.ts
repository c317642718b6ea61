import {describe, expect, it} from '@jest/globals'
import {syncCommand} from '../../../src/plan/cluster/state/git-sources.js'
import {remediesOf} from '../../../src/health/sides/remedies.js'
import {driftOfSides} from '../../../src/health/sides/side-drift.js'
import {SIDES} from '../../../src/health/sides/sided-object.js'
import type {KubernetesObject} from '../../../src/kubernetes/kubernetes-object.js'

const NAME = {apiVersion: 'pkg.crossplane.io/v1', kind: 'Provider', name: 'aws'}
const INSTALL = 'kubectl crossplane package install --declaration packages.yaml --locked'

function request(tag: string, manager?: string): KubernetesObject {
  const fields = {
    managedFields: [
      {
        manager: manager ?? '',
        operation: 'Update',
        time: '2026-01-01T00:00:00Z',
        fieldsV1: {'f:spec': {'f:package': {}}},
      },
    ],
  }
  return {
    apiVersion: NAME.apiVersion,
    kind: NAME.kind,
    metadata: {name: NAME.name, ...(manager === undefined ? {} : fields)},
    spec: {package: `registry.example.org/example/aws:${tag}`},
  }
}

describe('remediesOf', () => {
  it.each([
    {name: 'of this program', isForeign: false, manager: 'crossplane-packages', want: INSTALL},
    {
      name: 'that another program changed',
      isForeign: false,
      manager: 'kubectl-edit',
      want: `${INSTALL} --force-conflicts`,
    },
    {
      name: 'that another program made',
      isForeign: true,
      manager: 'kubectl-create',
      want: `${INSTALL} --adopt --force-conflicts`,
    },
  ])('installs over a request $name', ({isForeign, manager, want}) => {
    const on = {lock: request('v2'), cluster: request('v1', manager)}
    const [object] = driftOfSides([{name: NAME, isCreatedOnce: false, on}], SIDES)
    const remedies = remediesOf(object!, {install: INSTALL, isForeign: () => isForeign})
    expect(remedies.filter(({side}) => side === 'cluster').map(({command}) => command)).toEqual([want])
  })

  it.each([
    {
      source: {kind: 'Kustomization', name: 'apps', namespace: 'flux-system'},
      state: 'syncing' as const,
      want: ['flux reconcile kustomization apps --namespace flux-system --with-source'],
    },
    {
      source: {kind: 'Application', name: 'apps', namespace: 'argocd'},
      state: 'syncing' as const,
      want: [
        'kubectl annotate applications.argoproj.io apps --namespace argocd --overwrite argocd.argoproj.io/refresh=normal',
      ],
    },
    {
      source: {kind: 'Application', name: 'apps', namespace: 'argocd'},
      state: 'paused' as const,
      want: ['argocd app sync argocd/apps'],
    },
    {source: undefined, state: 'unread' as const, want: [INSTALL]},
  ])('syncs what $source.kind applies ($state), and installs nothing over it', ({source, state, want}) => {
    const on = {lock: request('v2'), cluster: request('v1', 'crossplane-packages')}
    const [object] = driftOfSides([{name: NAME, isCreatedOnce: false, on}], SIDES)
    const sync = () => syncCommand({program: 'x', state, ...(source && {source})})
    const remedies = remediesOf(object!, {install: INSTALL, sync})
    expect(remedies.filter(({side}) => side === 'cluster').map(({command}) => command)).toEqual(want)
  })
})
