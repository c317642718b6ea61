import {describe, expect, it} from '@jest/globals'
import {waitText} from '../../../src/cli/cluster/wait-text.js'

const deployment = {
  object: {apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'team', name: 'db'},
  reason: '0 of 1 replicas are available',
}
const crd = {
  object: {apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', name: 'dbs.sql.org'},
  reason: 'it is not established',
}

describe('waitText', () => {
  it.each([
    {in: [deployment], want: 'Waiting for Deployment team/db: 0 of 1 replicas are available'},
    {
      in: [crd, deployment, crd],
      want: 'Waiting for CustomResourceDefinition dbs.sql.org (and 2 more): it is not established',
    },
  ])('$want', ({in: pending, want}) => {
    expect(waitText(pending)).toBe(want)
  })
})
