import {describe, expect, it} from '@jest/globals'
import {packageReadiness} from '../../../src/health/readiness/package-readiness.js'
import {revisionOf, rolledBack} from '../core/rolled-back.js'

const API = 'pkg.crossplane.io/v1'
const condition = (type: string, status: string, message = '') => ({type, status, message})

describe('the readiness of a package', () => {
  it('says why a revision is not healthy that the package does not know of yet', () => {
    const request = {
      ...{apiVersion: API, kind: 'Provider', metadata: {name: 'sql'}, spec: {package: 'h.io/sql:v1'}},
      status: {
        currentIdentifier: 'h.io/sql:v1',
        conditions: [condition('Installed', 'True'), condition('Healthy', 'True')],
      },
    }
    const revision = (...conditions: readonly ReturnType<typeof condition>[]) => ({
      ...{apiVersion: API, kind: 'ProviderRevision', metadata: {name: 'sql-1'}},
      spec: {desiredState: 'Active'},
      status: {conditions: [...conditions]},
    })
    const cause = condition('RuntimeHealthy', 'False', 'cannot apply its Deployment: forbidden')
    expect(packageReadiness(request, revision(condition('Healthy', 'False'), cause))).toEqual({
      state: 'starting',
      reason: 'its revision sql-1 is not healthy: cannot apply its Deployment: forbidden',
    })
    expect(packageReadiness(request, revision(condition('Healthy', 'True')))).toEqual({state: 'healthy'})
  })

  it('gives the cause, and not what only waits for it', () => {
    const request = {
      ...{apiVersion: API, kind: 'Provider', metadata: {name: 'sql'}, spec: {package: 'h.io/sql:v1'}},
      status: {
        currentIdentifier: 'h.io/sql:v1',
        conditions: [condition('Installed', 'True'), condition('Healthy', 'False', 'waiting for the secret')],
      },
    }
    const revision = (...conditions: readonly ReturnType<typeof condition>[]) => ({
      ...{apiVersion: API, kind: 'ProviderRevision', metadata: {name: 'sql-1'}},
      spec: {desiredState: 'Active'},
      status: {conditions: [...conditions]},
    })
    const symptom = condition('RevisionHealthy', 'False', 'waiting for the secret')
    const cause = condition('RuntimeHealthy', 'False', '"helm" not found')
    const reason = (...all: readonly ReturnType<typeof condition>[]) =>
      packageReadiness(request, undefined, revision(...all))
    expect(reason(symptom, cause)).toEqual({
      state: 'broken',
      reason: "it is not healthy: 'helm' not found",
    })
    expect(reason(symptom)).toMatchObject({reason: 'it is not healthy: waiting for the secret'})
    expect(reason()).toMatchObject({reason: 'it is not healthy: waiting for the secret'})
  })

  it.each([
    {
      name: 'it is still inactive, as one that Crossplane activates again for a rollback',
      revision: {desiredState: 'Inactive', generation: 1, observed: 1, healthy: 'True'},
      want: 'its revision sql-1 is not active yet',
    },
    {
      name: 'its conditions are of the time before it was activated again',
      revision: {desiredState: 'Active', generation: 2, observed: 1, healthy: 'True'},
      want: 'Crossplane has not read its revision sql-1 yet',
    },
    {
      name: 'what it requires now is missing',
      revision: {desiredState: 'Active', generation: 2, observed: 2, healthy: 'False'},
      want: 'its revision sql-1 is not healthy: it requires another version',
    },
    {
      name: 'nothing of this is so',
      revision: {desiredState: 'Active', generation: 2, observed: 2, healthy: 'True'},
      want: 'healthy',
    },
  ])('is that of its current revision: $name', ({revision, want}) => {
    const readiness = packageReadiness(rolledBack(), revisionOf(revision))
    expect(readiness.state === 'healthy' ? 'healthy' : readiness.reason).toBe(want)
  })
})
