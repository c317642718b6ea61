import {describe, expect, it} from '@jest/globals'
import {claimManager} from '../../../../src/cluster/claims.js'
import type {SetInstall, SetPackage} from '../../../../src/render/install-set.js'
import {CRD, DB, inventoryOf, live, plan, rules, setOf, SHARED} from '../install-world.js'

const packageOf = (identity: string): SetPackage => ({
  ...{identity, tag: 'v1.0.0', version: 'v1.0.0', summaryHash: 'sha256:0'},
})
const OWN: SetInstall = {...DB, package: packageOf('p/own')}
const SET = {...setOf(SHARED), installs: [OWN]}

const world = (install: SetInstall, manager?: string) => {
  const crd = live(CRD, manager === undefined ? {} : {manager})
  return {live: [crd], inventories: [inventoryOf(SET, [crd], {install})]}
}
const OTHER: SetInstall = {...DB, namespace: 'other', name: 'x', package: packageOf('p/other')}

describe('a CRD of another install', () => {
  it('is not taken over by another package', () => {
    const {rejections} = plan(SET, world(OTHER))
    expect(rejections).toEqual([
      {
        severity: 'error',
        rule: 'ownership-conflict',
        message:
          'p/own and p/other both own dbs.sql.org, and a CRD can have only one owner: other/x is installed',
        subject: {object: 'CustomResourceDefinition dbs.sql.org'},
        suggestions: [
          'kubectl crossplane package status other/x',
          'To use the other package, uninstall other/x first.',
        ],
      },
    ])
  })

  it.each([
    {name: 'an install of the same package', in: world({...OTHER, package: packageOf('p/own')})},
    {name: 'this install, of another package before', in: world({...OWN, package: packageOf('p/other')})},
    {name: 'a record that a user wrote', in: world({...DB, namespace: 'other', name: 'x'})},
    {name: 'a package that shares it already', in: world(OTHER, claimManager(OWN))},
  ])('is shared with $name', ({in: existing}) => {
    expect(rules(plan(SET, existing))).not.toContain('ownership-conflict')
  })
})
