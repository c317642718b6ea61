import {describe, expect, it} from '@jest/globals'
import type {Inventory} from '../../../src/cluster/inventory/inventory.js'
import {
  continuationsOf,
  hashedInventoryOf,
  inventoryConfigMaps,
} from '../../../src/cluster/inventory/inventory-config-maps.js'
import {formatInventory, readInventory} from '../../../src/cluster/inventory/inventory-document.js'
import {CrossplaneError} from '../../../src/errors.js'
import {asObject, asText, type JsonObject} from '../../../src/yaml/json-value.js'

const INVENTORY: Inventory = {
  install: {
    namespace: 'team',
    name: 'db',
    era: 'packages',
    scope: 'Namespaced',
    mode: 'requested',
    for: {'team/app': ['databases.sql.org']},
    acceptedMismatches: [{crd: 'nets.net.org/v2', owner: 'x/net'}],
    package: {identity: 'x/db', tag: 'v1', version: '1', digest: 'sha256:aa', summaryHash: 'sha256:bb'},
    request: {
      package: 'x/db:v1',
      imagePullPolicy: 'Always',
      imagePullSecrets: ['pull'],
      serviceAccountAnnotations: {'example.org/role': 'lecteur é'},
      runtime: {replicas: 2, env: [{name: 'A', value: 'b'}]},
    },
  },
  phase: 'changing',
  toolVersion: '1.0.0',
  objects: [
    {apiVersion: 'v1', kind: 'ServiceAccount', namespace: 'team', name: 'db', uid: 'u', sent: 's', read: 'r'},
    {apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', name: 'a.b', created: true},
  ],
  left: [{name: 'old.b', uid: 'u'}],
}

/** An inventory of so many objects. */
function large(objects: number): Inventory {
  const names = Array.from({length: objects}, (_, index) => `object-${index}`)
  return {
    ...INVENTORY,
    objects: names.map(name => ({apiVersion: 'v1', kind: 'Secret', namespace: 'team', name})),
  }
}

function codeOf(act: () => unknown): string {
  try {
    act()
    return 'none'
  } catch (error) {
    if (error instanceof CrossplaneError) return error.code
    throw error
  }
}

describe('an inventory', () => {
  it('is read as it was written', () => {
    expect(readInventory(formatInventory(INVENTORY), 'team/a')).toEqual(INVENTORY)
  })

  it.each<[string, (document: JsonObject) => unknown]>([
    ['not JSON', () => '{'],
    ['a list', () => []],
    ['another kind', document => ({...document, kind: 'Other'})],
    ['a newer format', document => ({...document, format: 2})],
    ['no install', ({install: _install, ...document}) => document],
    ['an unknown era', document => ({...document, install: {...asObject(document.install), era: 'x'}})],
    ['an unknown scope', document => ({...document, install: {...asObject(document.install), scope: 'x'}})],
    [
      'a runtime with privileges',
      document => {
        const install = asObject(document.install)
        const request = {...asObject(install.request), runtime: {securityContext: {privileged: true}}}
        return {...document, install: {...install, request}}
      },
    ],
    ['objects that are no list', document => ({...document, objects: {}})],
    ['an object without a name', document => ({...document, objects: [{apiVersion: 'v1', kind: 'A'}]})],
    ['an object that is text', document => ({...document, objects: ['a']})],
  ])('with %s is rejected', (_name, change) => {
    const changed = change(JSON.parse(formatInventory(INVENTORY)) as JsonObject)
    const text = typeof changed === 'string' ? changed : JSON.stringify(changed)
    expect(codeOf(() => readInventory(text, 'team/a'))).toBe('inventory-invalid')
  })
})

describe('the ConfigMaps of an inventory', () => {
  it.each([0, 1, 3000, 9000])('are read back, with %d objects', objects => {
    const inventory = large(objects)
    const [first, ...more] = inventoryConfigMaps(inventory).toReversed()
    const byName = new Map(more.map(each => [each.metadata.name, each]))
    const continuations = continuationsOf(first!).map(name => byName.get(name)!)
    expect(hashedInventoryOf(first!, continuations).inventory).toEqual(inventory)
    expect(continuations).toHaveLength(more.length)
    for (const each of [first!, ...more]) {
      expect(Buffer.byteLength(asText(asObject(each.data)['inventory.json']))).toBeLessThanOrEqual(256 * 1024)
    }
  })

  it('are rejected if one is missing, or belongs to another inventory', () => {
    const [first, ...more] = inventoryConfigMaps(large(9000)).toReversed()
    expect(more.length).toBeGreaterThan(1)
    expect(codeOf(() => hashedInventoryOf(first!, more.slice(1)))).toBe('inventory-invalid')
  })

  it('are rejected in another namespace, or under another name', () => {
    const [only] = inventoryConfigMaps(INVENTORY)
    for (const metadata of [{namespace: 'other'}, {name: 'other'}]) {
      const moved = {...only!, metadata: {...only!.metadata, ...metadata}}
      expect(codeOf(() => hashedInventoryOf(moved, []))).toBe('inventory-invalid')
    }
  })

  it('do not have the names of ConfigMaps of others', () => {
    const [first] = inventoryConfigMaps(INVENTORY)
    const name = first!.metadata.name
    const data = {continuedIn: 'other secret', sha256: '1234567890'}
    expect(continuationsOf({...first!, data})).toEqual([`${name}.12345678.1`, `${name}.12345678.2`])
  })

  it('are not written for an inventory that would not be read again', () => {
    expect(codeOf(() => inventoryConfigMaps({...INVENTORY, toolVersion: 'x'.repeat(9 * 1024 * 1024)}))).toBe(
      'limit-exceeded',
    )
  })
})
