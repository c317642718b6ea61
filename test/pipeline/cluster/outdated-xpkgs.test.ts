import {expect, it} from '@jest/globals'
import {CONTENT_MANAGER} from '../../../src/cluster/claims.js'
import type {XpkgClosure} from '../../../src/package/xpkg/closure.js'
import {othersNotes, unreadWarnings} from '../../../src/pipeline/cluster/core/outdated-xpkgs.js'
import {coreRequest} from '../../../src/plan/cluster/core/read-core-object.js'

function request(name: string, manager: string) {
  const managedFields = [{manager, operation: 'Apply', fieldsV1: {'f:spec': {'f:package': {}}}}]
  const metadata = {name, uid: name, managedFields}
  const spec = {package: `h.io/${name}:v1`}
  return coreRequest('Provider', {apiVersion: 'pkg.crossplane.io/v1', kind: 'Provider', metadata, spec})
}

const REQUESTS = [
  request('ours', CONTENT_MANAGER),
  request('team', 'kubectl-client-side-apply'),
  request('flux', 'kustomize-controller'),
  request('argo', 'argocd-controller'),
  request('core', 'crossplane'),
]

const fitting = (version: string) => ({
  packages: REQUESTS.map(({repository}) => ({repository, version})) as unknown as XpkgClosure['packages'],
})

it('says that upgrade leaves alone what other programs requested, and how it does not', () => {
  const [others] = othersNotes(fitting('v2'), REQUESTS)
  expect(others).toMatchObject({
    severity: 'note',
    message: expect.stringContaining('other programs requested h.io/team: change its request there'),
    suggestions: ['kubectl crossplane package upgrade h.io/team:v2 --adopt'],
  })
  expect(othersNotes(fitting('v1'), REQUESTS)).toEqual([])
})

it('upgrades in Git what a controller applies from there', () => {
  expect(othersNotes(fitting('v2'), REQUESTS).slice(1)).toMatchObject([
    {
      message: expect.stringContaining('Flux applies h.io/flux from Git'),
      suggestions: ['kubectl crossplane package upgrade h.io/flux:v2 --git .'],
    },
    {
      message: expect.stringContaining('Argo CD applies h.io/argo from Git'),
      suggestions: ['kubectl crossplane package upgrade h.io/argo:v2 --git .'],
    },
  ])
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
