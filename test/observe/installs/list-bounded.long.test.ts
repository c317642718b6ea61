import {describe, expect, it} from '@jest/globals'
import type {ClusterApi, ListOptions} from '../../../src/cluster/api/cluster-api.js'
import type {KubernetesObject} from '../../../src/kubernetes/kubernetes-object.js'
import type {ObjectName} from '../../../src/kubernetes/object-name.js'
import {listBounded} from '../../../src/observe/installs/list-bounded.js'
import type {InstallId} from '../../../src/reference/install-id.js'

const KIND = {apiVersion: 'packages.crossplane.io/v1alpha1', kind: 'PackageInstall'}

const request = (namespace: string, name: string, spec = {}): KubernetesObject => ({
  ...KIND,
  metadata: {namespace, name},
  spec,
})

const many = (namespace: string, number: number, spec = {}) =>
  Array.from({length: number}, (_, index) => request(namespace, `r-${String(index).padStart(5, '0')}`, spec))

/** A server of objects, which it lists by namespace and name, and the number that it sent. */
class FakeApi implements Pick<ClusterApi, 'list' | 'get'> {
  sent = 0
  readonly #objects: readonly KubernetesObject[]

  constructor(objects: readonly KubernetesObject[]) {
    this.#objects = objects
  }

  // oxlint-disable-next-line typescript/require-await -- the port is asynchronous
  async *list(_: unknown, {namespace, fieldSelector = ''}: ListOptions = {}) {
    const without = fieldSelector.split(',').map(term => term.replace('metadata.namespace!=', ''))
    for (const object of this.#objects) {
      const {namespace: place = ''} = object.metadata
      if ((namespace ?? place) !== place || without.includes(place)) continue
      this.sent++
      yield object
    }
  }

  get({namespace, name}: ObjectName): Promise<KubernetesObject | undefined> {
    this.sent++
    return Promise.resolve(
      this.#objects.find(({metadata}) => metadata.namespace === namespace && metadata.name === name),
    )
  }
}

async function listed(
  objects: readonly KubernetesObject[],
  {proven = [], namespace}: {readonly proven?: readonly InstallId[]; readonly namespace?: string} = {},
) {
  const api = new FakeApi(objects)
  const crowded: string[] = []
  const bounds = {proven: () => Promise.resolve(proven), exceeded: (place: string) => crowded.push(place)}
  const names: string[] = []
  for await (const {metadata} of listBounded(api, KIND, namespace, bounds))
    names.push(`${metadata.namespace ?? ''}/${metadata.name}`)
  return {names, crowded, sent: api.sent}
}

describe('requests that anyone with access to one namespace can create', () => {
  it('are all listed within the limits', async () => {
    const {names, crowded} = await listed([...many('team-a', 1000), request('team-b', 'db')])
    expect({number: names.length, crowded}).toEqual({number: 1001, crowded: []})
  })

  it.each([
    {name: 'too many', reason: 'a count', spec: {}, number: 50_000, want: 1000},
    {name: 'too large', reason: 'bytes', spec: {package: 'x'.repeat(1024 * 1024)}, number: 300, want: 7},
  ])('$name: those of other namespaces are listed, each once ($reason)', async ({spec, number, want}) => {
    const flood = many('team-b', number, spec)
    const {names, crowded, sent} = await listed([
      request('team-a', 'db'),
      ...flood,
      request('team-b', 'web'),
      request('team-c', 'cache'),
    ])
    expect(crowded).toEqual(['team-b'])
    expect(names).toHaveLength(want + 2)
    expect(new Set(names).size).toBe(names.length)
    expect(names).toEqual(expect.arrayContaining(['team-a/db', 'team-c/cache']))
    expect(sent).toBeLessThan(want + 10)
  })

  it('do not hide the request of an install with a system role', async () => {
    const proven = [
      {namespace: 'team-b', name: 'web'},
      {namespace: 'team-b', name: 'gone'},
      {namespace: 'team-b', name: 'r-00003'},
    ]
    const objects = [...many('team-b', 5000), request('team-b', 'web')]
    for (const namespace of [undefined, 'team-b']) {
      const {names} = await listed(objects, {proven, ...(namespace === undefined ? {} : {namespace})})
      expect(names.filter(text => text === 'team-b/web')).toHaveLength(1)
      expect(names.filter(text => text === 'team-b/r-00003')).toHaveLength(1)
      expect(names).toHaveLength(1001)
    }
  })

  it('in many namespaces end the list, except those of installs with a system role', async () => {
    const places = Array.from({length: 30}, (_, index) => `team-${String(index).padStart(2, '0')}`)
    const flood = places.flatMap(place => many(place, 1001))
    const objects = [...flood, request('web', 'web'), request('web', 'other')]
    const {names, crowded} = await listed(objects, {proven: [{namespace: 'web', name: 'web'}]})
    expect(crowded).toHaveLength(20)
    expect(names).toHaveLength(20 * 1000 + 1)
    expect(names.at(-1)).toBe('web/web')
  })
})
