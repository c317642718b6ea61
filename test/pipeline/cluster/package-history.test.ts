import {describe, expect, it} from '@jest/globals'
import {rollbackPackage} from '../../../src/pipeline/cluster/core/package-history.js'
import type {InstallPorts} from '../../../src/pipeline/cluster/install.js'
import type {JsonObject} from '../../../src/yaml/json-value.js'
import {json, scriptedApi, servedKinds, statusOf} from '../../cluster/api/scripted-api.js'

const GROUP = '/apis/pkg.crossplane.io/v1'
const KINDS = servedKinds({
  'pkg.crossplane.io/v1': {providers: 'Provider', providerrevisions: 'ProviderRevision'},
})

const revision = (number: number, image: string) => ({
  metadata: {name: `helm-${number}`, labels: {'pkg.crossplane.io/package': 'helm'}},
  spec: {image, desiredState: 'Inactive', revision: number},
})
const request = (name: string, image: string) => ({metadata: {name}, spec: {package: image}})

/** Rolls back helm, which moved from one registry to another; the first one has another package now. */
async function rolledBack(number?: number) {
  const lists: Readonly<Record<string, readonly JsonObject[]>> = {
    [`${GROUP}/providers`]: [
      request('helm', 'new.example.org/helm:v2'),
      request('other', 'old.example.org/helm:v1'),
    ],
    [`${GROUP}/providerrevisions`]: [
      revision(1, 'old.example.org/helm:v1'),
      revision(2, 'new.example.org/helm:v2'),
    ],
  }
  const {api} = scriptedApi(
    ({url: {pathname}}) => {
      const items = lists[pathname]
      return items === undefined ? statusOf(404, 'NotFound', 'none') : json({metadata: {}, items})
    },
    undefined,
    KINDS,
  )
  const query = {
    ...{text: 'helm', selectsPackages: true, ...(number === undefined ? {} : {revision: number})},
    settings: {
      ...{owners: [], assume: {crds: [], files: []}, crossplane: {release: 'v0.12', isGiven: false}},
      ...{allowVersionMismatch: false, solveTimeout: 1000},
    },
    options: {toolVersion: '1', adopt: false, forceConflicts: false, replaceCrds: false},
  }
  const packages = () => Promise.reject(new Error('nothing is read'))
  return await rollbackPackage(query, {api, requests: {packages}} as unknown as InstallPorts)
}

describe('a rollback of a package in a cluster', () => {
  it.each([undefined, 1])('never returns to another repository, revision %s', async number => {
    await expect(rolledBack(number)).rejects.toMatchObject({
      code: 'conflict',
      message:
        'cannot roll back provider.pkg.crossplane.io/helm: revision 1 is from old.example.org/helm, but the package is from new.example.org/helm now',
    })
  })
})
