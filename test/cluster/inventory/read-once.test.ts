import {describe, expect, it} from '@jest/globals'
import type {Inventory} from '../../../src/cluster/inventory/inventory.js'
import {formatInventory} from '../../../src/cluster/inventory/inventory-document.js'
import {readOnce} from '../../../src/cluster/inventory/read-once.js'
import {inventoryHash} from '../../../src/cluster/inventory/witness.js'

const inventoryOf = (name: string, objects = 0): Inventory => ({
  install: {namespace: 'team', name, era: 'packages', scope: 'Namespaced', mode: 'requested', for: {}},
  phase: 'complete',
  toolVersion: '1',
  objects: Array.from({length: objects}, (_, index) => ({
    apiVersion: 'v1',
    kind: 'Secret',
    name: `s-${index}`,
  })),
})

const read = (inventory: Inventory) => readOnce(formatInventory(inventory), 'team/a')

describe('the text of an inventory', () => {
  it('is read once', () => {
    const inventory = inventoryOf('once', 3)
    const first = read(inventory)
    expect(first).toEqual({inventory, hash: inventoryHash(inventory)})
    expect(read(inventory)).toBe(first)
  })

  it('that differs in any character is read by itself', () => {
    const inventory = inventoryOf('changed', 3)
    const changed = {...inventory, phase: 'changing' as const}
    expect(read(inventory).inventory.phase).toBe('complete')
    expect(read(changed).inventory.phase).toBe('changing')
    const text = formatInventory(inventory)
    const later = readOnce(text.replace('{', '{"unknown": 1,'), 'team/a')
    expect(later.hash).not.toBe(read(inventory).hash)
  })

  it('is not kept if it is large, or after many others', () => {
    const large = inventoryOf('large', 3000)
    expect(read(large)).not.toBe(read(large))
    const first = read(inventoryOf('first'))
    for (let index = 0; index < 300; index++) read(inventoryOf(`other-${index}`, 500))
    expect(read(inventoryOf('first'))).not.toBe(first)
  })

  it('that is invalid is rejected each time, with its place', () => {
    for (const place of ['team/a', 'team/b']) {
      const reading = () => readOnce('{"format": 0}', place)
      expect(reading).toThrow(expect.objectContaining({code: 'inventory-invalid'}))
      expect(reading).toThrow(place)
    }
  })
})
