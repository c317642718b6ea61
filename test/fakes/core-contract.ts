import {expect, it} from '@jest/globals'
import type {ClusterApi} from '../../src/cluster/api/cluster-api.js'
import {readCore, readImageConfigs} from '../../src/observe/core/read-core.js'
import type {CoreState} from '../../src/plan/cluster/state/core-state.js'
import {asObject, asObjects, asText} from '../../src/yaml/json-value.js'

/** A cluster with a current Crossplane, in which one Configuration without dependencies is installed. */
export interface InstalledCore {
  readonly api: ClusterApi
  /** `HOST/PATH` */
  readonly repository: string
  readonly tag: string
}

const API = 'pkg.crossplane.io/v1'
const MANAGER = 'contract'

/** States what the program relies on of a core with a package that is installed and healthy, whether it is a real one or not. */
export function coreContract(core: () => InstalledCore, timeout?: number): void {
  const nameOf = ({repository}: InstalledCore) => repository.split('/').slice(1).join('-')
  const request = (given: InstalledCore) => ({apiVersion: API, kind: 'Configuration', name: nameOf(given)})
  const state = async ({api}: InstalledCore) => {
    const read = await readCore(api)
    expect(read).toBeDefined()
    return read as CoreState
  }
  const conditions = (status: unknown) =>
    asObjects(asObject(status as never).conditions).map(({type, status: is, reason}) =>
      [type, is, reason].map(asText).join(' '),
    )

  it(
    'serves the kinds of packages, with the verbs that they are read and changed by',
    async () => {
      const kinds = await core().api.discover()
      for (const kind of ['Provider', 'Configuration', 'Function', 'ConfigurationRevision'])
        expect(kinds.find(API, kind)).toMatchObject({
          namespaced: false,
          verbs: expect.arrayContaining(['get', 'list', 'patch', 'delete']),
        })
      for (const kind of ['Lock', 'ImageConfig', 'DeploymentRuntimeConfig'])
        expect(kinds.find('pkg.crossplane.io/v1beta1', kind)?.namespaced).toBe(false)
      expect(kinds.find(API, 'Stack')).toBeUndefined()
      expect(await readImageConfigs(core().api)).toEqual([])
    },
    timeout,
  )

  it(
    'shows a healthy request and its only revision as they refer to each other',
    async () => {
      const {repository, tag} = core()
      const {requests, revisions} = await state(core())
      const [installed, ...others] = requests
      expect(others).toEqual([])
      expect(installed).toMatchObject({
        ...{kind: 'Configuration', name: nameOf(core()), repository, tag, reference: `${repository}:${tag}`},
        ...{isResolved: true, isTerminating: false, revision: expect.stringMatching(`^${nameOf(core())}-`)},
      })
      expect(asText(asObject(installed?.object.status).currentIdentifier)).toBe(`${repository}:${tag}`)
      expect(conditions(installed?.object.status)).toEqual(
        expect.arrayContaining([
          'Installed True ActivePackageRevision',
          'Healthy True HealthyPackageRevision',
        ]),
      )
      expect(revisions).toEqual([
        expect.objectContaining({
          ...{kind: 'Configuration', name: installed?.revision, request: nameOf(core()), repository, tag},
          ...{number: 1, isActive: true, isTerminating: false},
        }),
      ])
      const [revision] = revisions
      expect(conditions(revision?.object.status)).toContain('RevisionHealthy True HealthyPackageRevision')
      expect(revision?.object.metadata).toMatchObject({
        labels: {'pkg.crossplane.io/package': nameOf(core())},
        ownerReferences: [
          expect.objectContaining({kind: 'Configuration', uid: installed?.uid, controller: true}),
        ],
      })
    },
    timeout,
  )

  it(
    'answers dry runs with what would be stored, and stores nothing',
    async () => {
      const {api, repository, tag} = core()
      const name = nameOf(core())
      const before = await api.get(request(core()))
      const applied = {
        ...{apiVersion: API, kind: 'Configuration', metadata: {name}},
        spec: {package: `${repository}:${tag}-next`},
      }
      const {object, created} = await api.apply(applied, {manager: MANAGER, dryRun: true, force: true})
      expect({created, package: asObject(object.spec).package}).toEqual({
        created: false,
        package: `${repository}:${tag}-next`,
      })
      expect(object.metadata.uid).toBe(before?.metadata.uid)
      expect((await api.get(request(core())))?.spec).toEqual(before?.spec)
    },
    timeout,
  )

  it(
    'has no object of another name',
    async () => {
      expect(await core().api.get({...request(core()), name: 'absent'})).toBeUndefined()
    },
    timeout,
  )
}
