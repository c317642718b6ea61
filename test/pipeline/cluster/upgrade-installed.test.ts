import {describe, expect, it} from '@jest/globals'
import {prepareUpgrade} from '../../../src/pipeline/cluster/upgrade-installed.js'
import {json, scriptedApi, servedKinds, statusOf} from '../../cluster/api/scripted-api.js'
import {withoutPackages} from '../memory-packages.js'

const DENIED = 'providers.pkg.crossplane.io is forbidden: User "dev" cannot list resource'
const KINDS = servedKinds({'pkg.crossplane.io/v1': {providers: 'Provider'}})

/** Upgrades packages of a cluster with Crossplane without the permission to list Providers. */
async function upgraded(...names: readonly string[]) {
  const {api} = scriptedApi(
    ({url: {pathname}}) =>
      pathname.endsWith('/providers')
        ? statusOf(403, 'Forbidden', DENIED)
        : pathname.endsWith('/configmaps')
          ? json({metadata: {}, items: []})
          : statusOf(404, 'NotFound', 'none'),
    undefined,
    KINDS,
  )
  const unread = () => Promise.reject(new Error('nothing is read'))
  const requests = {
    inputs: {read: unread, readOptional: unread},
    budget: () => ({isSpent: () => false}),
    packages: () => Promise.resolve(withoutPackages()),
    ...{signatures: {}, rules: unread, usage: {}},
  } as unknown as Parameters<typeof prepareUpgrade>[1]['requests']
  const options = {toolVersion: '1', adopt: false, forceConflicts: false, replaceCrds: false}
  const choices = {flags: {}, defaults: {}, tree: {}}
  const settings = {
    ...{owners: [], assume: {crds: [], files: []}, crossplane: {release: 'v0.12', isGiven: false}},
    ...{allowVersionMismatch: false, solveTimeout: 1000},
  }
  return await prepareUpgrade({names, settings, choices, options, xpkgs: {}}, {api, requests})
}

describe('an upgrade without the permission to list packages of a current Crossplane', () => {
  it('says that it does not upgrade them', async () => {
    const {set, decision} = await upgraded()
    expect(decision.plan.operations).toEqual([])
    expect(set.warnings).toMatchObject([
      {rule: 'not-listed', message: expect.stringContaining('cannot list providers.pkg.crossplane.io')},
    ])
  })

  it('reports the permission for a package that it cannot find otherwise', async () => {
    await expect(upgraded('xpkg.example.org/team/sql')).rejects.toMatchObject({code: 'cluster-denied'})
  })
})
