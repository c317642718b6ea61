import {describe, expect, it} from '@jest/globals'
import type {KubernetesObject} from 'kubectl-crossplane/plugin'
import {formatDot, formatText} from '../src/show-trace.js'
import {traceObjects} from '../src/trace-objects.js'
import {kind, memoryReader} from './memory-reader.js'

const GROUP = 'db.example.org'
const resources = [
  kind('', 'Secret', {hasStatus: false}),
  kind('', 'ConfigMap', {hasStatus: false}),
  kind(GROUP, 'Database'),
  kind(GROUP, 'Table'),
  kind('example.org', 'Provider', {namespaced: false, hasStatus: false}),
]
const database = resources[2]!

function object(of: string, name: string, more: object = {}, metadata: object = {}): KubernetesObject {
  const group = of === 'Secret' || of === 'ConfigMap' ? '' : of === 'Provider' ? 'example.org/' : `${GROUP}/`
  const place = of === 'Provider' ? {} : {namespace: 'a'}
  const uid = `${of} ${name}`
  return {
    apiVersion: `${group}v1`,
    kind: of,
    metadata: {name, uid, ...place, ...metadata},
    ...more,
  } as KubernetesObject
}

const working = {status: {conditions: [{type: 'Ready', status: 'True'}]}}
const ownedBy = (name: string) => ({
  ownerReferences: [{apiVersion: `${GROUP}/v1`, kind: 'Database', name, uid: `Database ${name}`}],
})
const plain = (_: string, text: string) => text

async function trace(objects: readonly KubernetesObject[], denied: readonly string[] = []) {
  const ports = memoryReader(resources, objects, denied)
  const found = await traceObjects({resource: database, namespace: 'a', name: 'one'}, ports)
  return {...found, text: formatText(found, plain).split('\n').slice(0, -1), requests: ports.requests}
}

describe('a trace', () => {
  it('follows references, and finds what objects own', async () => {
    const {text, warnings, gaps} = await trace([
      object('Database', 'one', {
        spec: {providerRef: {name: 'cloud'}, writeTo: {secretRef: {name: 's'}}},
        ...working,
      }),
      object('Provider', 'cloud', {spec: {credentialsSecretRef: {name: 'lost', namespace: 'b'}}}),
      object('Secret', 's'),
      object('Table', 'users', {status: {phase: 'Failed'}}, ownedBy('one')),
      object('ConfigMap', 'other'),
    ])
    expect({warnings, gaps}).toEqual({warnings: [], gaps: []})
    expect(text).toEqual([
      'Database a/one: Ready',
      '├── spec.providerRef: Provider cloud: Ready',
      '│   └── spec.credentialsSecretRef: Secret b/lost: Missing',
      '├── spec.writeTo.secretRef: Secret a/s: Ready',
      '└── owned: Table a/users: Not ready: phase is Failed',
    ])
  })

  it('shows what is not served as missing, and names references that it cannot follow', async () => {
    const {text, warnings} = await trace([
      object('Database', 'one', {
        spec: {
          backupRef: {apiVersion: 'gone.example.org/v1', kind: 'Backup', name: 'old', namespace: 'a'},
          oddityRef: {name: 'odd'},
          providerRef: {name: 'cloud'},
        },
        ...working,
      }),
      object('Provider', 'cloud', {spec: {secretRef: {name: 's'}}}),
    ])
    expect(text).toEqual([
      'Database a/one: Ready',
      '├── spec.backupRef: Backup a/old: Missing: Backup of gone.example.org/v1 is not served by the cluster',
      '└── spec.providerRef: Provider cloud: Ready',
    ])
    expect(warnings).toEqual([
      'Database.db.example.org a/one: spec.oddityRef odd is not followed: no served kind matches the field spec.oddityRef',
      'Provider.example.org cloud: spec.secretRef s is not followed: it has no namespace',
    ])
  })

  it('ends at cycles, and shows each object once', async () => {
    const {text} = await trace([
      object('Database', 'one', {spec: {peerRefs: [to('two'), to('three')]}, ...working}),
      object('Database', 'two', {spec: {peerRef: to('one'), selfRef: to('two')}, ...working}),
      object('Database', 'three', {spec: {peerRef: to('two')}, ...working}),
    ])
    expect(text).toEqual([
      'Database a/one: Ready',
      '├── spec.peerRefs: Database a/two: Ready',
      '│   └── spec.peerRef: Database a/one (cycle)',
      '└── spec.peerRefs: Database a/three: Ready',
      '    └── spec.peerRef: Database a/two (as above)',
    ])
  })

  it('shows owners without their other children', async () => {
    const {text} = await trace([
      object('Database', 'one', working, ownedBy('parent')),
      object('Database', 'parent', working),
      object('Table', 'sibling', working, ownedBy('parent')),
    ])
    expect(text).toEqual(['Database a/one: Ready', '└── owner: Database a/parent: Ready'])
  })

  it('shows what cannot be read, and is not complete then', async () => {
    const {text, warnings, gaps} = await trace(
      [object('Database', 'one', {spec: {secretRef: {name: 's'}}, ...working})],
      ['Secret', 'Table'],
    )
    expect(text[1]).toBe('└── spec.secretRef: Secret a/s: Unknown: cannot get Secret: permission denied')
    expect({warnings, gaps}).toEqual({
      warnings: ['cannot find owned objects in namespace a: permission denied to list secrets, tables'],
      gaps: ['cannot get Secret: permission denied', 'cannot list Table: permission denied'],
    })
  })

  it('never reads more of a Secret than its metadata', async () => {
    const {requests} = await trace([
      object('Database', 'one', {spec: {secretRef: {name: 's'}}}),
      object('Secret', 's'),
    ])
    expect(requests.filter(each => each.startsWith('get Secret'))).toEqual(['get Secret a/s (metadata)'])
  })

  it('is limited for an object with endless references, and is not complete then', async () => {
    const peers = Array.from({length: 10_000}, (_, index) => to(`peer-${index}`))
    const {nodes, warnings, gaps} = await trace([
      object('Database', 'one', {spec: {peerRefs: peers}, ...working}),
    ])
    expect(nodes).toHaveLength(201)
    expect(warnings).toEqual(['Database.db.example.org a/one has 10000 references; 200 are followed'])
    expect(gaps).toEqual(warnings)
  })

  it('is limited for an object with endless owners, and is not complete then', async () => {
    const ownerReferences = Array.from(
      {length: 201},
      (_, index) => ownedBy(`owner-${index}`).ownerReferences[0],
    )
    const {nodes, warnings, gaps} = await trace([object('Database', 'one', working, {ownerReferences})])
    expect(nodes).toHaveLength(201)
    expect(warnings).toEqual(['Database.db.example.org a/one has 201 owners; 200 are followed'])
    expect(gaps).toEqual(warnings)
  })

  it('is limited for an object with endless children, and is not complete then', async () => {
    const tables = Array.from({length: 6000}, (_, index) =>
      object('Table', `t-${index}`, working, ownedBy('one')),
    )
    const {nodes, gaps} = await trace([object('Database', 'one', working), ...tables])
    expect(nodes).toHaveLength(500)
    expect(gaps).toEqual([
      'cannot search all tables in namespace a: more than 5000',
      'the trace has more than 500 objects; the others are not shown',
    ])
  })

  it('shows hostile text of the cluster as one line', async () => {
    const message = 'a\u001b[31m\nb\u202e'
    const {text, nodes, edges} = await trace([
      object('Database', 'one', {status: {conditions: [{type: 'Ready', status: 'False', message}]}}),
    ])
    expect(text).toEqual(['Database a/one: Not ready: Ready is False: a\\u001b[31m b\\u202e'])
    expect(formatDot({nodes, edges, warnings: [], gaps: []})).toContain(
      '"Database.db.example.org a/one" [label="Database a/one: Not ready", color=orange]',
    )
  })
})

function to(name: string) {
  return {apiVersion: `${GROUP}/v1`, kind: 'Database', name}
}
