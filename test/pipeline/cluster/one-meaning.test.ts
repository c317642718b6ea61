import {describe, expect, it} from '@jest/globals'
import {clusterWhy} from '../../../src/pipeline/cluster/cluster-graph.js'
import type {InstallPorts} from '../../../src/pipeline/cluster/install.js'
import {prepareRollback, readHistory} from '../../../src/pipeline/cluster/named-in-cluster.js'
import {prepareRemoval} from '../../../src/pipeline/cluster/removal.js'
import {prepareUpgrade} from '../../../src/pipeline/cluster/upgrade-installed.js'
import type {JsonValue} from '../../../src/yaml/json-value.js'
import {json, scriptedApi, servedKinds, statusOf} from '../../cluster/api/scripted-api.js'

const KINDS = servedKinds(
  {
    'pkg.crossplane.io/v1': {providers: 'Provider'},
    'packages.crossplane.io/v1alpha1': {packages: 'Package'},
  },
  ['packages'],
)
const listOf = (...items: readonly JsonValue[]) => json({metadata: {}, items})
const RECORD = {
  metadata: {namespace: 'default', name: 'sql'},
  spec: {controller: {}, title: 'SQL', version: 'v1.0.0', permissionScope: 'Namespaced'},
}

/** A cluster in which an install of Crossplane v0.12 and a Provider have one name. */
function cluster({isDenied = false} = {}) {
  return scriptedApi(
    ({url: {pathname}}) => {
      if (pathname.endsWith('/configmaps')) return listOf()
      if (pathname.endsWith('/packages')) return listOf(RECORD)
      if (!pathname.endsWith('/providers')) return statusOf(404, 'NotFound', 'none')
      return isDenied
        ? statusOf(403, 'Forbidden', 'providers is forbidden: User "dev" cannot list resource')
        : listOf({metadata: {name: 'sql'}, spec: {package: 'xpkg.example.org/team/sql:v1.0.0'}})
    },
    undefined,
    KINDS,
  ).api
}

const NAMED = {text: 'sql', install: {namespace: 'default', name: 'sql'}, selectsPackages: true}
const SETTINGS = {
  ...{owners: [], assume: {crds: [], files: []}, crossplane: {release: 'v0.12', isGiven: false}},
  ...{allowVersionMismatch: false, solveTimeout: 1000},
}
const OPTIONS = {toolVersion: '1', adopt: false, forceConflicts: false, replaceCrds: false}
const REMOVAL = {...NAMED, options: {}, ignoresNotFound: true} as unknown as Parameters<
  typeof prepareRemoval
>[0]

describe('a name that an install and a package for a current Crossplane have', () => {
  const ports = {api: cluster(), requests: {}} as unknown as InstallPorts
  it.each([
    {name: 'uninstall', act: () => prepareRemoval(REMOVAL, ports.api)},
    {name: 'list the revisions of', act: () => readHistory(NAMED, ports.api)},
    {
      name: 'roll back',
      act: () => prepareRollback({...NAMED, settings: SETTINGS, options: OPTIONS}, ports),
    },
    {name: 'explain', act: () => clusterWhy({text: 'sql', action: 'explain'}, ports.api)},
    {
      name: 'upgrade',
      act: () => {
        const choices = {flags: {}, defaults: {}, tree: {}}
        const query = {names: ['sql:v2.0.0'], settings: SETTINGS, choices, options: OPTIONS, xpkgs: {}}
        return prepareUpgrade(query, ports)
      },
    },
  ])('is an error of a command that would $name one of them', async ({name, act}) => {
    await expect(act()).rejects.toMatchObject({
      code: 'usage',
      message: `cannot ${name} "sql": it names default/sql and provider.pkg.crossplane.io/sql`,
      suggestions: ['Use default/sql or provider.pkg.crossplane.io/sql.'],
    })
  })

  // The record has no inventory, so that it has no history.
  it.each([
    {name: 'for a user who may not read packages', api: cluster({isDenied: true}), query: NAMED},
    {name: 'in a namespace', api: cluster(), query: {...NAMED, selectsPackages: false}},
  ])('is the install $name', async ({api, query}) => {
    await expect(readHistory(query, api)).rejects.toMatchObject({
      code: 'not-found',
      message: 'install "default/sql" not found',
    })
  })
})
