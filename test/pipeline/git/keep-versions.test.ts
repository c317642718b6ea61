import {describe, expect, it} from '@jest/globals'
import {keptVersions} from '../../../src/declaration/kept-versions.js'
import type {Lock} from '../../../src/declaration/lock.js'
import type {KubernetesObject} from '../../../src/kubernetes/kubernetes-object.js'
import {keepVersions} from '../../../src/pipeline/git/keep-versions.js'
import {versionSteps} from '../../../src/plan/git/version-steps.js'
import {servingVersions} from '../../../src/render/kept-versions.js'
import type {JsonObject} from '../../../src/yaml/json-value.js'
import {writeYaml} from '../../../src/yaml/write-yaml.js'

const INSTALL = {namespace: 'team', name: 'db'}
const version = (name: string, storage = false): JsonObject => ({name, served: true, storage})

function crd(versions: readonly JsonObject[], more: JsonObject = {}): KubernetesObject {
  const names = {kind: 'Db', plural: 'dbs'}
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {name: 'dbs.sql.org'},
    spec: {group: 'sql.org', names, scope: 'Namespaced', versions, ...more},
  }
}

const set = (object: KubernetesObject) => ({
  installs: [],
  warnings: [],
  objects: [{phase: 'crds', shared: 'crd', ownedBy: [INSTALL], object}] as const,
})

const LOCK: Lock = {
  requestHash: '',
  renderVersion: 1,
  packages: [
    {
      identity: 'x/db',
      tag: 'v2',
      version: 'v2',
      summaryHash: '',
      installs: [{...INSTALL, mode: 'requested', requestedFor: [], for: {}, more: {}}],
      more: {other: 1},
    },
  ],
  acceptedMismatches: [],
  assumptions: {},
  more: {},
}

const V1 = crd([version('v1', true)])
const V2 = crd([version('v2', true)])
const before = (object: JsonObject) => ({before: () => Promise.resolve([writeYaml([object])])})
const namesIn = (lock: Lock) =>
  Object.fromEntries(
    [...keptVersions(lock)].map(([name, versions]) => [name, versions.map(each => each.name)]),
  )

describe('keepVersions', () => {
  it('keeps the versions that a tree would lose, with the package that owns the CRD', async () => {
    const lock = await keepVersions(set(V2), LOCK, before(V1))
    expect(lock.packages[0]?.more).toEqual({other: 1, keptVersions: {'dbs.sql.org': [version('v1', true)]}})
    const [only] = servingVersions(set(V2), keptVersions(lock)).objects
    expect(only.object.spec).toMatchObject({versions: [version('v2', true), version('v1')]})
  })

  it('keeps them in later commits, until the package has them', async () => {
    const lock = await keepVersions(set(V2), LOCK, before(V1))
    expect(namesIn(await keepVersions(set(V2), lock, {}))).toEqual({'dbs.sql.org': ['v1']})
    expect(namesIn(await keepVersions(set(V1), lock, {}))).toEqual({})
  })

  it('keeps nothing unless that is requested', async () => {
    expect(await keepVersions(set(V2), LOCK, {})).toBe(LOCK)
  })

  it.each([
    ['the scope changes', crd([version('v2', true)], {scope: 'Cluster'})],
    ['a webhook converts', crd([version('v2', true)], {conversion: {strategy: 'Webhook'}})],
  ])('keeps nothing if %s', async (_, after) => {
    expect(namesIn(await keepVersions(set(after), LOCK, before(V1)))).toEqual({})
  })

  it('tells reviewers what to do, once', async () => {
    const kept = keptVersions(await keepVersions(set(V2), LOCK, before(V1)))
    expect(versionSteps(new Map(), kept)).toHaveLength(5)
    expect(versionSteps(kept, kept)).toEqual([])
    expect(versionSteps(kept, new Map())).toEqual(['Nothing is stored in v1 of 1 CRD: this commit drops it.'])
    expect(versionSteps(new Map(), kept).filter(line => line.length > 100)).toEqual([])
  })
})
