import {expect, it} from '@jest/globals'
import {requiredKinds} from '../../src/init/depends-on.js'

it('names kinds by group and version, once, but none that every controller may use', () => {
  const {dependsOn, notes} = requiredKinds(
    [
      {apiVersion: 'v1', kind: 'ConfigMap'},
      {apiVersion: 'v1', kind: 'Service'},
      {apiVersion: 'apps/v1', kind: 'Deployment'},
      {apiVersion: 'net.example.org/v1', kind: 'Gateway'},
      {apiVersion: 'net.example.org/v1', kind: 'Gateway'},
    ],
    [],
  )
  expect(dependsOn).toEqual(['deployments.apps/v1', 'gateways.net.example.org/v1', 'services/v1'])
  expect(notes.map(({rule, message}) => [rule, message])).toEqual([
    ['init-core-permissions', expect.stringContaining('Service')],
    ['init-plurals', expect.stringContaining('the plurals of Gateway')],
  ])
})
