import {describe, expect, it} from '@jest/globals'
import {setFlagsFromString} from 'node:v8'
import {runInNewContext} from 'node:vm'
import {inventoryConfigMaps} from '../../../src/cluster/inventory/inventory-config-maps.js'
import type {Inventory} from '../../../src/cluster/inventory/inventory.js'
import {NamespaceInventories} from '../../../src/cluster/inventory/namespace-inventories.js'
import {CrossplaneError} from '../../../src/errors.js'
import type {KubernetesObject} from '../../../src/kubernetes/kubernetes-object.js'
import {asObject} from '../../../src/yaml/json-value.js'

const inventoryOf = (name: string, objects: number): Inventory => ({
  install: {namespace: 'team', name, era: 'packages', scope: 'Namespaced', mode: 'requested', for: {}},
  phase: 'complete',
  toolVersion: '1',
  objects: Array.from({length: objects}, (_, index) => ({
    apiVersion: 'v1',
    kind: 'Secret',
    name: `s-${index}`,
  })),
})

/** Collects garbage, and returns the bytes that are still in use. */
function liveHeap(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc()')
  return process.memoryUsage().heapUsed
}

/** What is read of each inventory: its number of objects, or why it cannot be read. */
function read(configMaps: readonly KubernetesObject[]): readonly (number | string)[] {
  const parts = new NamespaceInventories('team')
  for (const each of configMaps) parts.add(each)
  return parts.firsts.map(first => {
    try {
      return parts.read(first).inventory.objects.length
    } catch (error) {
      if (error instanceof CrossplaneError) return error.message.replace(/^.*: /, '')
      throw error
    }
  })
}

function withText(configMap: KubernetesObject, text: string): KubernetesObject {
  return {...configMap, data: {...asObject(configMap.data), 'inventory.json': text}}
}

const [small] = inventoryConfigMaps(inventoryOf('small', 1))
const large = inventoryConfigMaps(inventoryOf('large', 9000))

describe('the inventories of a namespace', () => {
  it('are read from ConfigMaps in any order', () => {
    expect(large.length).toBeGreaterThan(2)
    expect(read([...large, small!])).toEqual([9000, 1])
    expect(read([small!, ...large.toReversed()])).toEqual([1, 9000])
  })

  it('are rejected with a part that is larger than any that is written', () => {
    const reason = 'one of its ConfigMaps exceeds 256 KiB'
    expect(read([withText(small!, ' '.repeat(300_000)), ...large])).toEqual([reason, 9000])
    const [more, ...others] = large
    expect(read([withText(more!, ' '.repeat(300_000)), ...others])).toEqual([reason])
  })

  it('are rejected beyond a total size, those before it are not', () => {
    const padding = Array.from({length: 32}, (_, index) => ({
      ...withText(large[0]!, ' '.repeat(256 * 1024)),
      metadata: {...large[0]!.metadata, name: `padding-${index}`},
    }))
    const reason = 'the inventories of its namespace exceed 8 MiB'
    expect(read([small!, ...padding, ...large])).toEqual([1, reason])
  })

  it.each(['first', 'more'])('keep nothing of a ConfigMap (%s) that inventories are not read from', label => {
    const MiB = 1024 * 1024
    const text = () => Buffer.alloc(MiB, 'x').toString('latin1')
    const parts = new NamespaceInventories('team')
    const before = liveHeap()
    for (let index = 0; index < 40; index++) {
      parts.add({
        ...small!,
        metadata: {
          name: `other-${index}`,
          labels: {'kubectl-crossplane/inventory': label},
          annotations: {'example.org/note': text()},
        },
        data: {other: text(), continuedIn: text()},
        binaryData: {other: text()},
      })
    }
    expect(liveHeap() - before).toBeLessThan(10 * MiB)
    parts.add(small!)
    const readable = parts.firsts.filter(({metadata}) => metadata.name === small!.metadata.name)
    expect(readable.map(first => parts.read(first).inventory.objects.length)).toEqual([1])
  })

  it('do not share a part', () => {
    const first = large.at(-1)!
    const again = {...first, metadata: {...first.metadata}}
    expect(read([...large, again])).toEqual([9000, 'its parts do not match'])
  })
})
