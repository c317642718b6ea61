import {describe, expect, it} from '@jest/globals'
import {asObject} from '../../src/yaml/json-value.js'
import {objects, servedRequests} from './served-requests.js'

describe('two requests for one package', () => {
  const served = servedRequests()

  function twice({inLock = false} = {}) {
    const {name, digests, request, inCluster} = served()
    const own = request('base', name('base:v1.0.0'), {digest: digests.base, skips: false})
    const object = objects.get(`providers/${own}`) ?? {}
    const managedFields = [
      {manager: 'crossplane', operation: 'Update', fieldsV1: {'f:spec': {'f:package': {}}}},
    ]
    const metadata = {...asObject(object.metadata), name: 'copy', uid: 'copy', managedFields}
    objects.set('providers/copy', {...object, metadata})
    const entry = {kind: 'Provider', source: name('base'), version: 'v1.0.0', dependencies: []}
    objects.set('locks/lock', {
      ...{apiVersion: 'pkg.crossplane.io/v1beta1', kind: 'Lock', metadata: {name: 'lock', uid: 'lock'}},
      packages: (inLock ? ['a', 'b'] : ['a']).map(text => ({...entry, name: text})),
    })
    return {own, inCluster, repository: name('base')}
  }

  it('are named by status, with the command that removes the one of Crossplane', async () => {
    const {own, inCluster, repository} = twice()
    const {status, stderr} = await inCluster('status')
    expect({status, stderr}).toEqual({
      status: 0,
      stderr: expect.stringContaining(
        `provider/copy requests ${repository}, as provider/${own} does: Crossplane can install only one of them`,
      ),
    })
    expect(stderr).toContain('kubectl crossplane package uninstall provider.pkg.crossplane.io/copy')
  })

  it('are repaired by doctor where they stop all packages', async () => {
    const {inCluster} = twice({inLock: true})
    const {stderr} = await inCluster('status')
    expect(stderr).toContain('which stops all packages')
    expect(stderr).toContain('kubectl crossplane doctor --repair')
  })
})
