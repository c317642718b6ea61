import {describe, expect, it} from '@jest/globals'
import type {ClusterApi} from '../../../src/cluster/api/cluster-api.js'
import {failureOf} from '../../../src/cluster/api/cluster-failure.js'
import {CrossplaneError} from '../../../src/errors.js'
import {asObject, asObjects} from '../../../src/yaml/json-value.js'
import {describeCluster} from '../describe-cluster.js'
import {until} from '../kube.js'
import {openApi} from '../open-api.js'
import type {KubernetesVersion} from '../servers.js'

const versions: readonly {version: KubernetesVersion; minor: number}[] = [
  {version: 'current', minor: 36},
  {version: '1.20', minor: 20},
]

describe.each(versions)('the client and Kubernetes $version', ({version, minor}) => {
  describeCluster(version, `client of ${version}`, cluster => {
    let opened: ClusterApi | undefined
    const api = () => (opened ??= openApi(cluster()))

    it('reads the version', async () => {
      expect(await api().version()).toMatchObject({major: 1, minor})
    })

    it('discovers resources, and kinds of CRDs created later', async () => {
      const found = await api().discover()
      const kinds = [
        found.find('apps/v1', 'Deployment'),
        found.find('v1', 'Namespace'),
        found.find('v1', 'No'),
      ]
      expect(kinds).toEqual([
        expect.objectContaining({group: 'apps', plural: 'deployments', namespaced: true}),
        expect.objectContaining({group: '', plural: 'namespaces', namespaced: false}),
        undefined,
      ])
      expect([found.versions('apps'), found.versions('nothing.example.org'), found.unavailable]).toEqual([
        ['v1'],
        [],
        [],
      ])
      await api().apply(crd, {manager: 'suite'})
      const widget = {apiVersion: 'example.org/v1', kind: 'Widget'}
      await until(
        () => api().resource(widget, true),
        resource => resource !== undefined,
      )
      expect(await api().resource(widget)).toMatchObject({plural: 'widgets', namespaced: true})
      expect((await api().discover(true)).find('example.org/v1', 'Widget')).toBeDefined()
    })

    it('keeps every field of a CRD that is applied', async () => {
      const applied = await api().get(name('apiextensions.k8s.io/v1', crd.kind, crd.metadata.name))
      const [stored] = asObjects(asObject(applied?.spec).versions)
      expect(stored?.schema).toEqual({openAPIV3Schema: schema})
    })

    it('keeps integers that a double cannot hold', async () => {
      const widget = {
        ...named('example.org/v1', 'Widget', 'large'),
        spec: {size: 9007199254740993n, note: '9007199254740993'},
      }
      const {object} = await api().apply(widget, {manager: 'suite'})
      expect(object.spec).toEqual(widget.spec)
    })

    it('distinguishes created from configured, and changes nothing in a dry run', async () => {
      const of = (value: string) => ({...config, data: {key: value}})
      const first = await api().apply(of('one'), {manager: 'suite', dryRun: true})
      expect([first.created, await api().get(configName)]).toEqual([true, undefined])
      const [second, third] = [
        await api().apply(of('one'), {manager: 'suite'}),
        await api().apply(of('two'), {manager: 'suite'}),
      ]
      expect([second.created, third.created, third.warnings]).toEqual([true, false, []])
      expect(await api().get(configName)).toMatchObject({data: {key: 'two'}})
    })

    it('names the manager and the fields of a conflict, and takes them over with force', async () => {
      const other = {...config, data: {key: 'other'}}
      const error = await api()
        .apply(other, {manager: 'other'})
        .catch((caught: unknown) => caught)
      expect((error as CrossplaneError).code).toBe('conflict-with-manager')
      expect(failureOf(error)).toMatchObject({
        status: 409,
        conflicts: [{manager: 'suite', field: '.data.key'}],
      })
      const {object} = await api().apply(other, {manager: 'other', force: true})
      expect(object).toMatchObject({data: {key: 'other'}})
    })

    it('creates once, patches, replaces with a precondition, and deletes with one', async () => {
      const options = {manager: 'suite'}
      const secret = {...named('v1', 'Secret', 'once'), stringData: {key: 'value'}}
      const created = await api().create(secret, options)
      expect([created, await api().create(secret, options)]).toEqual([
        expect.objectContaining({created: true}),
        'exists',
      ])
      const once = name('v1', 'Secret', 'once', 'default')
      const {object} = await api().mergePatch(once, {metadata: {labels: {a: 'b'}}}, options)
      const replaced = await api().update({...object, data: {}}, options)
      expect(replaced.object.data).toBeUndefined()
      await expect(codeOf(api().update({...object, data: {}}, options))).resolves.toEqual([
        'cluster-rejected',
        'Conflict',
      ])
      const {uid} = replaced.object.metadata as {uid?: string}
      await expect(codeOf(api().delete(once, {uid: 'another'}))).resolves.toEqual([
        'cluster-rejected',
        'Conflict',
      ])
      expect([await api().delete(once, {uid}), await api().delete(once)]).toEqual(['deleted', 'absent'])
    })

    it('lists in pages, by label and namespace, whole or metadata only', async () => {
      const names = Array.from({length: 1100}, (_, index) => `many-${index}`)
      await Promise.all(
        [0, 1, 2, 3].map(async lane => {
          for (const each of names.filter((_, index) => index % 4 === lane)) {
            const labels = {half: Number(each.slice(5)) < 550 ? 'first' : 'second'}
            const object = {...named('v1', 'ConfigMap', each), data: {key: each}}
            await api().create({...object, metadata: {...object.metadata, labels}}, {manager: 'suite'})
          }
        }),
      )
      const kind = {apiVersion: 'v1', kind: 'ConfigMap'}
      const all = await all_(api().list(kind, {namespace: 'default', metadataOnly: true}))
      expect(all.filter(({metadata}) => metadata.name.startsWith('many-'))).toHaveLength(names.length)
      expect(all.filter(each => each.data !== undefined || each.kind !== 'ConfigMap')).toEqual([])
      const half = await all_(api().list(kind, {labelSelector: 'half=first'}))
      expect([half.length, half[0]]).toEqual([550, expect.objectContaining({data: expect.anything()})])
      const nowhere = await all_(api().list({apiVersion: 'nothing.example.org/v1', kind: 'Nothing'}))
      expect(nowhere).toEqual([])
    }, 60_000)

    it('watches existing objects and changes', async () => {
      const stop = new AbortController()
      const seen: string[] = []
      const kind = {apiVersion: 'v1', kind: 'ConfigMap'}
      const options = {namespace: 'default', fieldSelector: 'metadata.name=watched', signal: stop.signal}
      await api().create(named('v1', 'ConfigMap', 'watched'), {manager: 'suite'})
      const watched = name('v1', 'ConfigMap', 'watched', 'default')
      for await (const {type, object} of api().watch(kind, options)) {
        seen.push(`${type} ${object.kind} ${JSON.stringify(object.data ?? null)}`)
        if (seen.length === 1) await api().mergePatch(watched, {data: {a: 'b'}}, {manager: 'suite'})
        if (seen.length === 2) await api().delete(watched)
        if (seen.length === 3) stop.abort()
      }
      expect(seen).toEqual([
        'ADDED ConfigMap null',
        'MODIFIED ConfigMap {"a":"b"}',
        'DELETED ConfigMap {"a":"b"}',
      ])
    })

    it('reports denied permissions, and how to check them', async () => {
      const nobody = openApi(cluster(), 'nobody')
      const error = await nobody
        .get(name('v1', 'Secret', 'any', 'default'))
        .catch((caught: unknown) => caught)
      expect(error).toBeInstanceOf(CrossplaneError)
      const {code, message, suggestions} = error as CrossplaneError
      expect([code, message]).toEqual([
        'cluster-denied',
        'cannot read Secret default/any: permission denied: user "nobody" cannot get secrets in namespace "default"',
      ])
      expect(suggestions).toEqual([
        'Request the permission, and check it: kubectl auth can-i get secrets -n default',
      ])
      const reviews = ['get', 'list', 'create'].map(verb => ({verb, group: '', resource: 'secrets'}))
      expect((await nobody.allowed(reviews)).map(({allowed}) => allowed)).toEqual([false, false, false])
      expect((await api().allowed(reviews)).map(({allowed}) => allowed)).toEqual([true, true, true])
    })

    it('fails for invalid objects, kinds that are not served, and missing namespaces', async () => {
      const options = {manager: 'suite'}
      const invalid = {...named('example.org/v1', 'Widget', 'invalid'), spec: {size: 'three'}}
      const elsewhere = {apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: 'a', namespace: 'missing'}}
      const unserved = named('nothing.example.org/v1', 'Nothing', 'a')
      expect([
        await codeOf(api().create(invalid, options)),
        await codeOf(api().apply(elsewhere, options)),
        await codeOf(api().apply(unserved, options)),
        await codeOf(api().apply(named('v1', 'ConfigMap', 'Not_Valid'), options)),
        await codeOf(api().delete(name('v1', 'ConfigMap', 'config/status', 'default'))),
      ]).toEqual([
        ['cluster-rejected', 'Invalid'],
        ['not-found', 'NotFound'],
        ['not-found', undefined],
        ['cluster-rejected', 'Invalid'],
        ['cluster-rejected', undefined],
      ])
      expect(await api().get(name('v1', 'ConfigMap', 'config/status', 'default'))).toBeUndefined()
    })
  })
})

async function codeOf(attempt: Promise<unknown>): Promise<readonly [string, string | undefined]> {
  const error = await attempt.then(
    () => undefined,
    (caught: unknown) => caught,
  )
  return [error instanceof CrossplaneError ? error.code : String(error), failureOf(error)?.reason]
}

async function all_<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}

function named(apiVersion: string, kind: string, name: string) {
  return {apiVersion, kind, metadata: {name}}
}

function name(apiVersion: string, kind: string, name: string, namespace?: string) {
  return {apiVersion, kind, name, ...(namespace === undefined ? {} : {namespace})}
}

const configName = name('v1', 'ConfigMap', 'config', 'default')
const config = {apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: 'config', namespace: 'default'}}

/** With what clients that know only their own types drop. */
const schema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      'x-kubernetes-preserve-unknown-fields': true,
      properties: {
        size: {type: 'integer', format: 'int64', enum: [1, 2, 3, 9007199254740993n]},
        note: {type: 'string', default: 'none'},
        either: {'x-kubernetes-int-or-string': true},
        parts: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
          items: {type: 'object', required: ['name'], properties: {name: {type: 'string'}}},
        },
      },
    },
  },
}
const crd = {
  ...named('apiextensions.k8s.io/v1', 'CustomResourceDefinition', 'widgets.example.org'),
  spec: {
    group: 'example.org',
    names: {kind: 'Widget', plural: 'widgets'},
    scope: 'Namespaced',
    versions: [{name: 'v1', served: true, storage: true, schema: {openAPIV3Schema: schema}}],
  },
}
