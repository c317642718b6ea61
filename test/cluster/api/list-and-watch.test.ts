import {describe, expect, it} from '@jest/globals'
import type {ListOptions, WatchEvent} from '../../../src/cluster/api/cluster-api.js'
import type {KubernetesObject} from '../../../src/kubernetes/kubernetes-object.js'
import type {JsonValue} from '../../../src/yaml/json-value.js'
import {errorOf, json, scriptedApi, statusOf} from './scripted-api.js'
import type {ScriptedApi} from './scripted-api.js'

const kind = {apiVersion: 'v1', kind: 'ConfigMap'}
const item = (name: string, resourceVersion = '1') => ({
  metadata: {name, namespace: 'default', resourceVersion},
})
const page = (names: readonly string[], token = '', resourceVersion = '10') =>
  json({items: names.map(name => item(name)), metadata: {continue: token, resourceVersion}})
const expired = statusOf(410, 'Expired', 'too old')

async function namesOf({api}: ScriptedApi, options: ListOptions = {}): Promise<readonly string[]> {
  const names: string[] = []
  for await (const {metadata} of api.list(kind, options)) names.push(metadata.name)
  return names
}

describe('an object', () => {
  it('can be read without its content', async () => {
    const metadata = {name: 'a', namespace: 'default'}
    const scripted = scriptedApi(() =>
      json({kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata}),
    )
    expect(await scripted.api.get({...kind, name: 'a'}, {metadataOnly: true})).toEqual({...kind, metadata})
    expect(scripted.requests().map(({headers}) => headers.accept)).toEqual([
      expect.stringContaining('as=PartialObjectMetadata;'),
    ])
  })
})

describe('a list', () => {
  it('is read page by page', async () => {
    const scripted = scriptedApi(({url}) =>
      url.searchParams.get('continue') === 'next' ? page(['b']) : page(['a'], 'next'),
    )
    expect(await namesOf(scripted)).toEqual(['a', 'b'])
    expect(scripted.asked()).toEqual([
      'GET /api/v1/configmaps?limit=500',
      'GET /api/v1/configmaps?limit=500&continue=next',
    ])
  })

  it('can be read with the managers of fields, without the fields', async () => {
    const managers = [{manager: 'kubectl', operation: 'Apply'}]
    const {metadata} = item('a')
    const written = managers.map(each => ({...each, fieldsType: 'FieldsV1', fieldsV1: {'f:data': {}}}))
    const scripted = scriptedApi(() =>
      json({items: [{metadata: {...metadata, managedFields: written}, data: {key: 'value'}}], metadata: {}}),
    )
    const objects: KubernetesObject[] = []
    for await (const object of scripted.api.list(kind, {managersOnly: true})) objects.push(object)
    expect(objects).toEqual([
      {...kind, metadata: {...metadata, managedFields: managers}, data: {key: 'value'}},
    ])
  })

  it('has smaller pages after one of too many bytes', async () => {
    const large = json({items: [item('x'.repeat(4096))], metadata: {}})
    const scripted = scriptedApi(({url: {searchParams}}) => {
      if (!searchParams.has('continue')) return page(['a'], 'next')
      if (searchParams.get('limit') === '200') return large
      return searchParams.get('continue') === 'next' ? page(['b'.repeat(4096)], 'last') : page(['c'])
    })
    const options = {pageSize: 200, ifLarge: {pageBytes: 4096, pageSize: 25}}
    expect(await namesOf(scripted, options)).toEqual(['a', 'b'.repeat(4096), 'c'])
    expect(scripted.asked()).toEqual([
      'GET /api/v1/configmaps?limit=200',
      'GET /api/v1/configmaps?limit=200&continue=next',
      'GET /api/v1/configmaps?limit=25&continue=next',
      'GET /api/v1/configmaps?limit=25&continue=last',
    ])
  })

  it('reports other failures of a page', async () => {
    const scripted = scriptedApi(() => statusOf(403, 'Forbidden', 'no'))
    const options = {ifLarge: {pageBytes: 4096, pageSize: 25}}
    expect(await errorOf(namesOf(scripted, options))).toMatchObject({code: 'cluster-rejected'})
    expect(scripted.asked()).toHaveLength(1)
  })

  it('that expires is started again, and has each object once', async () => {
    const scripted = scriptedApi((_, number) => {
      if (number === 1) return page(['a', 'b'], 'next')
      return number === 2 ? expired : page(['a', 'b', 'c'])
    })
    expect(await namesOf(scripted)).toEqual(['a', 'b', 'c'])
  })

  it('fails if it always expires', async () => {
    const scripted = scriptedApi(({url}) =>
      url.searchParams.has('continue') ? expired : page(['a'], 'next'),
    )
    expect((await errorOf(namesOf(scripted))).code).toBe('cluster-failed')
    expect(scripted.asked()).toHaveLength(8)
  })

  it('is empty for a kind that is no longer served', async () => {
    const gone = statusOf(404, 'NotFound', 'the server could not find the requested resource')
    expect(await namesOf(scriptedApi(() => gone))).toEqual([])
  })

  it('fails for a required kind that is no longer served', async () => {
    const gone = statusOf(404, 'NotFound', 'the server could not find the requested resource')
    expect(
      (
        await errorOf(
          namesOf(
            scriptedApi(() => gone),
            {mustBeServed: true},
          ),
        )
      ).code,
    ).toBe('not-found')
  })

  it('fails if it does not end', async () => {
    const scripted = scriptedApi(() => page([], 'next'))
    expect((await errorOf(namesOf(scripted))).code).toBe('limit-exceeded')
  })

  it('is empty for null, which Go writes for an empty list', async () => {
    expect(await namesOf(scriptedApi(() => json({items: null})))).toEqual([])
  })
})

describe('a watch', () => {
  const event = (type: string, object: JsonValue) => `${JSON.stringify({type, object})}\n`

  /** The events until `count` were seen, or the error. */
  async function watched({api}: ScriptedApi, count: number): Promise<readonly string[]> {
    const stop = new AbortController()
    const seen: string[] = []
    for await (const each of api.watch(kind, {signal: stop.signal})) {
      seen.push(shown(each))
      if (seen.length >= count) stop.abort()
    }
    return seen
  }

  const shown = ({type, object: {metadata}}: WatchEvent) => `${type} ${metadata.name}`

  it('continues after the last received event or bookmark', async () => {
    const scripted = scriptedApi((_, number) => {
      if (number === 1) return page(['a'])
      const bookmark = event('BOOKMARK', {metadata: {resourceVersion: '12', creationTimestamp: null}})
      return number === 2
        ? {body: event('MODIFIED', item('a', '11')) + bookmark}
        : {body: event('DELETED', item('a', '13'))}
    })
    expect(await watched(scripted, 3)).toEqual(['ADDED a', 'MODIFIED a', 'DELETED a'])
    expect(
      scripted
        .requests()
        .slice(1)
        .map(({url}) => url.searchParams.get('resourceVersion')),
    ).toEqual(['10', '12'])
    expect(scripted.slept).toEqual([1000])
  })

  it('reports the changes that it missed if its events expired', async () => {
    const tooOld = event('ERROR', {kind: 'Status', code: 410, reason: 'Expired', message: 'too old'})
    const scripted = scriptedApi((_, number) => {
      if (number === 1) return page(['same', 'gone', 'changed'])
      if (number === 2) return {body: tooOld}
      const items = [item('same'), item('changed', '2'), item('new')]
      return number === 3
        ? json({items, metadata: {resourceVersion: '20'}})
        : {body: event('DELETED', item('new', '21'))}
    })
    expect((await watched(scripted, 7)).slice(3)).toEqual([
      'ADDED changed',
      'ADDED new',
      'DELETED gone',
      'DELETED new',
    ])
  })

  it('remembers and reports only the part of objects that is wanted', async () => {
    const whole = (name: string, resourceVersion: string) => ({
      ...item(name, resourceVersion),
      data: {a: 'b'},
    })
    const tooOld = event('ERROR', {kind: 'Status', code: 410, reason: 'Expired', message: 'too old'})
    const scripted = scriptedApi((_, number) => {
      if (number === 1) return json({items: [whole('a', '1')], metadata: {resourceVersion: '10'}})
      return number === 2
        ? {body: event('MODIFIED', whole('a', '11')) + tooOld}
        : json({items: [], metadata: {resourceVersion: '20'}})
    })
    const stop = new AbortController()
    const kept = ({apiVersion, kind: name, metadata}: KubernetesObject) => ({
      apiVersion,
      kind: name,
      metadata,
    })
    const events: WatchEvent[] = []
    for await (const each of scripted.api.watch(kind, {signal: stop.signal, kept})) {
      events.push(each)
      if (each.type === 'DELETED') stop.abort()
    }
    expect(events).toEqual([
      {type: 'ADDED', object: {...kind, ...item('a', '1')}},
      {type: 'MODIFIED', object: {...kind, ...item('a', '11')}},
      {type: 'DELETED', object: {...kind, ...item('a', '11')}},
    ])
  })

  it.each([
    {name: 'a line that is not JSON', body: 'nothing\n', want: 'cluster-failed'},
    {name: 'a value that is not an object', body: event('ADDED', 1), want: 'cluster-failed'},
    {name: 'a line of 17 MiB', body: Buffer.alloc(17 * 1024 * 1024, 0x20), want: 'limit-exceeded'},
    {
      name: 'a lasting failure',
      body: event('ERROR', {code: 403, reason: 'Forbidden'}),
      want: 'cluster-denied',
    },
    {name: 'an ever lasting failure', body: event('ERROR', {code: 500}), want: 'cluster-failed'},
    {name: 'events that always expired', body: event('ERROR', {code: 410}), want: 'cluster-failed'},
  ])('fails for $name', async ({body, want}) => {
    const scripted = scriptedApi(({url}) => (url.searchParams.has('watch') ? {body} : page([])))
    expect((await errorOf(watched(scripted, 1))).code).toBe(want)
  })

  it('can be stopped while no event arrives', async () => {
    const stop = new AbortController()
    const scripted = scriptedApi(({url, signal}) => {
      if (!url.searchParams.has('watch')) return page(['a'])
      const quiet = async function* (): AsyncGenerator<Uint8Array> {
        await new Promise((_, reject) =>
          signal?.addEventListener('abort', () => reject(new Error('aborted'))),
        )
        yield new Uint8Array()
      }
      return {body: quiet()}
    })
    const seen: string[] = []
    for await (const each of scripted.api.watch(kind, {signal: stop.signal})) {
      seen.push(shown(each))
      setImmediate(() => stop.abort())
    }
    expect(seen).toEqual(['ADDED a'])
  })
})
