import {describe, expect, it} from '@jest/globals'
import {packageReadiness} from '../../../src/health/core/package-readiness.js'

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
})
