import {describe, expect, it} from '@jest/globals'
import {asObject, asObjects, asTexts} from 'kubectl-crossplane/plugin'
import {managerObjects} from '../src/manifests/manager-objects.js'

const OBJECTS = managerObjects({
  image: 'example.org/x:v1',
  namespace: 'packages',
  flags: ['--index', 'example.org/i'],
})

describe('managerObjects', () => {
  it('are in the order in which they are created', () => {
    expect(
      OBJECTS.map(({kind, metadata}) => `${kind} ${metadata.namespace ?? '-'}/${metadata.name}`),
    ).toEqual([
      'Namespace -/packages',
      'ServiceAccount packages/kubectl-crossplane-manager',
      'ClusterRole -/kubectl-crossplane-manager',
      'ClusterRole -/kubectl-crossplane-manager:instances',
      'ClusterRoleBinding -/kubectl-crossplane-manager',
      'ClusterRoleBinding -/kubectl-crossplane-manager:instances',
      'PodDisruptionBudget packages/kubectl-crossplane-manager',
      'Deployment packages/kubectl-crossplane-manager',
    ])
  })

  it('run the flags in a Pod without rights on its node', () => {
    const pod = asObject(asObject(asObject(OBJECTS.at(-1)?.spec).template).spec)
    const [container = {}] = asObjects(pod.containers)
    expect(asTexts(container.args)).toEqual([
      ...['manager', 'run', '--leader-elect', '--metrics-address', ':8080', '--log-format', 'json'],
      ...['--cache-dir', '/cache', '--index', 'example.org/i', '--system-namespace', 'packages'],
    ])
    expect([pod.securityContext, container.securityContext]).toEqual([
      {runAsNonRoot: true, runAsUser: 65_532, seccompProfile: {type: 'RuntimeDefault'}},
      {allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: {drop: ['ALL']}},
    ])
  })

  it('never give access to Secrets, or to all resources of a group but that of packages', () => {
    const rules = OBJECTS.flatMap(({rules: all}) => asObjects(all))
    const resources = rules.flatMap(rule =>
      asTexts(rule.resources).map(each => [asTexts(rule.apiGroups).join(), each]),
    )
    expect(resources.filter(([, resource]) => resource === 'secrets' || resource === '*')).toEqual([
      ['packages.crossplane.io,stacks.crossplane.io', '*'],
    ])
  })
})
