import {expect, it} from '@jest/globals'
import {requiredKinds} from '../../src/init/depends-on.js'

it('names kinds by group and version, once, but none that every controller may use', () => {
  const created = [
    {apiVersion: 'v1', kind: 'ConfigMap'},
    {apiVersion: 'v1', kind: 'Service'},
    {apiVersion: 'apps/v1', kind: 'Deployment'},
    {apiVersion: 'net.example.org/v1', kind: 'Gateway'},
    {apiVersion: 'net.example.org/v1', kind: 'Gateway'},
  ]
  const {dependsOn, notes} = requiredKinds({created, named: created}, [])
  expect(dependsOn).toEqual(['deployments.apps/v1', 'gateways.net.example.org/v1', 'services/v1'])
  expect(notes.map(({rule, message}) => [rule, message])).toEqual([
    ['init-core-permissions', expect.stringContaining('Service')],
    ['init-plurals', expect.stringContaining('the plurals of Gateway')],
  ])
})

it('requires kinds that no example has only if they are those of Kubernetes', () => {
  const created = [{apiVersion: 'apps/v1', kind: 'Deployment'}]
  const named = [
    ...created,
    {apiVersion: 'networking.k8s.io/v1', kind: 'Ingress'},
    {apiVersion: 'monitoring.example.org/v1', kind: 'Monitor'},
  ]
  const {dependsOn, notes} = requiredKinds({created, named}, [])
  expect(dependsOn).toEqual(['deployments.apps/v1', 'ingresses.networking.k8s.io/v1'])
  expect(notes.map(({rule, message}) => [rule, message])).toEqual([
    ['init-core-permissions', expect.stringContaining('Deployment and Ingress')],
    ['init-optional-kinds', expect.stringContaining('monitors.monitoring.example.org/v1')],
  ])
})
