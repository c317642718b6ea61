import {describe, expect, it} from '@jest/globals'
import {BREAK_KINDS} from '../../src/health/break-kinds.js'
import {judgeHealth} from '../../src/health/judge-health.js'
import {nameOf, objectKey} from '../../src/kubernetes/object-key.js'
import {
  changed,
  container,
  crd,
  DELETED,
  deployment,
  inventory,
  LIVE,
  record,
  request,
  snapshotWith,
  unavailable,
} from './some-install.js'

describe('an install', () => {
  it('is healthy if everything is as its record says', () => {
    expect(judgeHealth(snapshotWith())).toEqual({state: 'healthy', findings: [], denials: [], drift: []})
  })

  it('without replicas is healthy if its record has none', () => {
    const none = changed(record, {
      spec: {controller: {deployment: {spec: {replicas: 0, template: {spec: {containers: []}}}}}},
    })
    const Deployment = changed(deployment, {spec: {replicas: 0}})
    expect(judgeHealth(snapshotWith({record: none, Deployment}))).toMatchObject({state: 'healthy'})
  })

  it.each([
    {
      name: 'while a CRD becomes established',
      in: snapshotWith({crd: changed(crd, {status: {conditions: []}})}),
    },
    {name: 'while its Pods start', in: unavailable([container({waiting: {reason: 'ContainerCreating'}})])},
    {name: 'while a container is not ready yet', in: unavailable([container({running: {}})])},
    {
      name: 'while a run of this program creates its objects',
      in: snapshotWith(
        {record: null, Deployment: null, crd: null},
        {inventory: inventory('changing', [nameOf(crd)]), isBeingChanged: true},
      ),
    },
    {
      name: 'while a package manager carries out its request',
      in: snapshotWith({record: null}, {request, isManaged: true}),
    },
    {
      name: 'while a package manager expands its record',
      in: snapshotWith(
        {
          record: changed(record, {metadata: {creationTimestamp: '1970-01-01T00:00:00Z'}}),
          Deployment: null,
        },
        {isManaged: true, now: 1000},
      ),
    },
    {
      name: 'while a package manager may run, which cannot be read',
      in: snapshotWith(
        {
          record: changed(record, {metadata: {creationTimestamp: '1970-01-01T00:00:00Z'}}),
          Deployment: null,
        },
        {isManaged: undefined, now: 1000},
      ),
    },
  ])('is starting $name', ({in: snapshot}) => {
    expect(judgeHealth(snapshot)).toMatchObject({state: 'starting'})
  })

  it('whose record a package manager did not expand is broken after a while', () => {
    const old = changed(record, {metadata: {creationTimestamp: '1970-01-01T00:00:00Z'}})
    const snapshot = snapshotWith({record: old, Deployment: null}, {isManaged: true, now: 1e6})
    expect(judgeHealth(snapshot)).toMatchObject({state: 'broken'})
  })

  it.each([
    {key: objectKey(nameOf(deployment)), without: 'Deployment'},
    {key: objectKey(nameOf(LIVE.ServiceAccount!)), without: 'ServiceAccount'},
    {key: 'record', without: 'record'},
    {key: 'crds', without: 'crd'},
    {key: 'lease', without: 'Deployment', more: {inventory: inventory('changing')}},
    {key: 'manager', without: 'record', more: {request, isManaged: undefined}},
  ])(
    'is unknown if its $key cannot be read, and broken if something else is',
    ({key, without, more = {}}) => {
      const denials = new Map([[key, {message: 'permission denied', suggestions: []}]])
      expect(judgeHealth(snapshotWith({[without]: null}, {denials, ...more}))).toMatchObject({
        state: 'unknown',
      })
      const namespace = changed({...crd, kind: 'Namespace', apiVersion: 'v1'}, {metadata: DELETED})
      expect(judgeHealth(snapshotWith({[without]: null}, {denials, namespace, ...more}))).toMatchObject({
        state: 'broken',
      })
    },
  )

  it('with an invalid record is judged without an error', () => {
    const odd = changed(record, {spec: {permissions: 1, controller: [], customresourcedefinitions: {}}})
    expect(judgeHealth(snapshotWith({record: odd}))).toMatchObject({state: 'healthy'})
  })
})

it('every kind of break has a remedy', () => {
  for (const {meaning, remedy} of Object.values(BREAK_KINDS)) {
    expect([meaning, remedy]).toEqual([
      expect.stringMatching(/^[A-Z].*\.$/),
      expect.stringMatching(/^[A-Z].*\.$/),
    ])
  }
})
