import {expect, it} from '@jest/globals'
import {CONTENT_MANAGER} from '../../../src/cluster/claims.js'
import type {OutdatedPackage} from '../../../src/package/reports.js'
import {othersNotes, unreadWarnings} from '../../../src/pipeline/cluster/core/outdated-xpkgs.js'
import {coreRequest} from '../../../src/plan/cluster/core/read-core-object.js'

function request(name: string, manager: string) {
  const managedFields = [{manager, operation: 'Apply', fieldsV1: {'f:spec': {'f:package': {}}}}]
  const metadata = {name, uid: name, managedFields}
  const spec = {package: `h.io/${name}:v1`}
  return coreRequest('Provider', {apiVersion: 'pkg.crossplane.io/v1', kind: 'Provider', metadata, spec})
}

it('says that upgrade leaves alone what other programs requested, and how it does not', () => {
  const requests = [request('ours', CONTENT_MANAGER), request('flux', 'flux'), request('core', 'crossplane')]
  const rows = (status: OutdatedPackage['status']) =>
    requests.map(({repository}): OutdatedPackage => ({
      ...{package: repository, locked: 'v1', fits: 'v2', newest: 'v2', status},
    }))
  expect(othersNotes(rows('outdated'), requests)).toMatchObject([
    {
      severity: 'note',
      message: expect.stringContaining('other programs requested h.io/flux: change its request there'),
      suggestions: ['kubectl crossplane package upgrade h.io/flux:v2 --adopt'],
    },
  ])
  expect(othersNotes(rows('held-back'), requests)).toEqual([])
})

it('names the requests that Crossplane has not read, and does not compare them', () => {
  const read = {...request('read', CONTENT_MANAGER), revision: 'read-0123'}
  expect(unreadWarnings([read, request('vault', 'kubectl')])).toMatchObject([
    {
      severity: 'warning',
      message: 'provider.pkg.crossplane.io/vault is not installed yet, and is not compared',
      suggestions: ['kubectl crossplane package status provider.pkg.crossplane.io/vault'],
    },
  ])
})
