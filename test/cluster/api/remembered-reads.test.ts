import {describe, expect, it} from '@jest/globals'
import type {ClusterApi, ListOptions} from '../../../src/cluster/api/cluster-api.js'
import {rememberedReads} from '../../../src/cluster/api/remembered-reads.js'
import type {JsonObject} from '../../../src/yaml/json-value.js'
import {json, scriptedApi, statusOf} from './scripted-api.js'

const kind = {apiVersion: 'v1', kind: 'ConfigMap'}
const a = {...kind, namespace: 'default', name: 'a'}
const PATH = '/api/v1/namespaces/default/configmaps/a'

/** A server of one ConfigMap with a text of some length; it counts its answers in the text of `number`. */
function openApi(length = 0) {
  const metadata = {name: 'a', namespace: 'default', resourceVersion: '1'}
  const scripted = scriptedApi(({url}, number) => {
    if (url.pathname.startsWith('/apis/')) return statusOf(404, 'NotFound', 'no such group')
    const item = {...kind, metadata, data: {number: String(number), text: 'x'.repeat(length)}}
    return json(url.pathname === PATH ? item : {items: [item], metadata: {}})
  })
  return {...rememberedReads(scripted.api), asked: scripted.asked}
}

async function listed(api: ClusterApi, of = kind, options: ListOptions = {}): Promise<number> {
  const names: string[] = []
  for await (const {metadata} of api.list(of, options)) names.push(metadata.name)
  return names.length
}

describe('remembered reads', () => {
  it('read an object and a list once', async () => {
    const {api, asked} = openApi()
    expect(await api.get(a)).toBe(await api.get(a))
    expect([await listed(api), await listed(api)]).toEqual([1, 1])
    expect(asked()).toEqual([`GET ${PATH}`, 'GET /api/v1/configmaps?limit=500'])
  })

  it('find the objects of a namespace in a list of all, not the other way around', async () => {
    const {api, asked} = openApi()
    expect(await listed(api, kind, {namespace: 'default'})).toBe(1)
    expect(await listed(api)).toBe(1)
    expect(asked()).toHaveLength(2)
    expect(await listed(api, kind, {namespace: 'default'})).toBe(1)
    expect(await listed(api, kind, {namespace: 'other'})).toBe(0)
    expect(asked()).toHaveLength(2)
  })

  it('tell what is read in different ways apart', async () => {
    const {api, asked} = openApi()
    await api.list(kind)[Symbol.asyncIterator]().next()
    await listed(api)
    await listed(api, kind, {labelSelector: 'x'})
    expect(asked()).toHaveLength(3)
  })

  it('are forgotten by a write, not by a dry run', async () => {
    const {api, asked} = openApi()
    const object = {...kind, metadata: {name: 'a', namespace: 'default'}}
    for (const dryRun of [true, false]) {
      await api.get(a)
      await api.apply(object, {manager: 'suite', dryRun})
    }
    await api.get(a)
    expect(asked().map(text => text.split(' ')[0])).toEqual(['GET', 'PATCH', 'PATCH', 'GET'])
  })

  it('are not used while work is done afresh, nor after it', async () => {
    const {api, afresh, asked} = openApi()
    await api.get(a)
    await afresh(async () => {
      await api.get(a)
      await api.get(a)
    })
    await api.get(a)
    await api.get(a)
    expect(asked()).toHaveLength(4)
    const failure = new Error('no')
    await expect(afresh(async () => await Promise.reject(failure))).rejects.toBe(failure)
    await api.get(a)
    await api.get(a)
    expect(asked()).toHaveLength(5)
  })

  it('answer after work that was done afresh with what it wrote, but not with what the cluster changes by itself', async () => {
    const names: Readonly<Record<string, {readonly status?: JsonObject}>> = {
      a: {},
      b: {status: {}},
      c: {},
      d: {},
    }
    const scripted = scriptedApi(({url}) => {
      const name = url.pathname.split('/').pop() ?? ''
      return json({...kind, metadata: {name, namespace: 'default'}, ...names[name]})
    })
    const {api, afresh} = rememberedReads(scripted.api)
    const write = async (name: string, metadataOnly = false) =>
      await api.apply({...kind, metadata: {name, namespace: 'default'}}, {manager: 'suite', metadataOnly})
    await afresh(async () => {
      for (const name of Object.keys(names)) await write(name)
      await write('c', true)
      await api.delete({...a, name: 'd'})
      expect(await api.get(a)).toBeDefined()
    })
    const before = scripted.asked().length
    for (const name of Object.keys(names)) await api.get({...a, name})
    const read = scripted.asked().slice(before)
    expect(read.map(text => text.split('/').pop())).toEqual(['b', 'c', 'd'])
  })

  it('ask once for a group that is not served', async () => {
    const {api, afresh, asked} = openApi()
    const stack = {apiVersion: 'stacks.example.org/v1', kind: 'Stack'}
    const read = async () => [await listed(api, stack), await api.get({...a, ...stack, kind: 'Other'})]
    expect([await read(), await read()]).toEqual([
      [0, undefined],
      [0, undefined],
    ])
    expect(asked()).toHaveLength(1)
    await afresh(read)
    expect(asked()).toHaveLength(3)
  })

  it('take no more than a size', async () => {
    const {api, asked} = openApi(9 * 1024 * 1024)
    expect([await listed(api), await listed(api)]).toEqual([1, 1])
    expect(asked()).toHaveLength(2)
  })
})
