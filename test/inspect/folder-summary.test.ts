import {describe, expect, it} from '@jest/globals'
import type {Lock, LockedPackage} from '../../src/declaration/lock.js'
import {commitMessage} from '../../src/inspect/commit-message.js'
import {folderSummary} from '../../src/inspect/folder-summary.js'
import type {Operation} from '../../src/plan/plan.js'
import {nameOf} from '../../src/kubernetes/object-key.js'
import type {JsonObject} from '../../src/yaml/json-value.js'
import {writeYaml} from '../../src/yaml/write-yaml.js'
import {APP, LOCK} from '../declaration/locks.js'

interface FileChange {
  readonly path: string
  readonly old?: JsonObject
  readonly new?: JsonObject
}

function operationOf({path, old, new: next}: FileChange): Operation {
  const action = old === undefined ? 'create-only' : next === undefined ? 'delete' : 'replace'
  const content = next === undefined ? {} : {content: writeYaml([next])}
  const object = nameOf(next ?? old ?? {})
  return {
    action,
    target: 'output folder',
    path,
    object,
    reason: 'test',
    risks: [],
    ...content,
  } as unknown as Operation
}

const EMPTY: Lock = {...LOCK, packages: [], acceptedMismatches: []}

/** The message of a commit that changes these files. */
function messageOf(files: readonly FileChange[], newLock: Lock = EMPTY): string {
  const before = new Map(
    files.flatMap(({path, old}) => (old === undefined ? [] : [[path, writeYaml([old])] as const])),
  )
  const summary = folderSummary({operations: files.map(operationOf), before, newLock, owners: []})
  return commitMessage({subject: 'Update packages', summary, newLock, assumesNoInstances: false})
}

const rowsOf = (message: string) => message.split('\n\n')[1]?.split('\n')

const crd = (name: string, ...versions: readonly JsonObject[]): JsonObject => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: {name: `${name}.example.org`},
  spec: {group: 'example.org', scope: 'Cluster', versions},
})
const version = (name: string, schema: JsonObject = {type: 'object'}): JsonObject => ({
  name,
  served: true,
  schema: {openAPIV3Schema: schema},
})
const described = (description: string, properties: JsonObject = {}): JsonObject => ({
  type: 'object',
  description,
  properties: {description: {type: 'string', description}, ...properties},
})

const ADMIN = {kind: 'ClusterRole', name: 'admin'}
const binding = (roleRef: JsonObject, subject = {kind: 'ServiceAccount', name: 'x'}): JsonObject => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRoleBinding',
  metadata: {name: 'x'},
  roleRef,
  subjects: [subject],
})
const role = (name: string): JsonObject => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRole',
  metadata: {name},
})

const CASES: readonly {name: string; in: readonly FileChange[]; want: readonly string[]}[] = [
  {
    name: 'changes of CRDs: lost versions first, then schemas, and descriptions last',
    in: [
      {
        path: 'p/crds/a.yaml',
        old: crd('as', version('v1')),
        new: {...crd('as', version('v1')), metadata: {name: 'as.example.org', labels: {a: 'b'}}},
      },
      {
        path: 'p/crds/b.yaml',
        old: crd('bs', version('v1', described('old'))),
        new: crd('bs', version('v1', described('new'))),
      },
      {
        path: 'p/crds/c.yaml',
        old: crd('cs', version('v1', described('old'))),
        new: crd('cs', version('v1', described('new', {size: {type: 'integer'}}))),
      },
      {path: 'p/crds/d.yaml', old: crd('ds', version('v1alpha3')), new: crd('ds', version('v1beta1'))},
      {path: 'p/crds/e.yaml', new: crd('es', version('v1'))},
      {
        path: 'p/crds/f.yaml',
        old: crd('fs', version('v1')),
        new: {...crd('fs', {...version('v1'), served: false})},
      },
    ],
    want: [
      'CRD  ds.example.org  changed: loses v1alpha3, adds v1beta1',
      'CRD  cs.example.org  changed: schema of v1',
      'CRD  fs.example.org  changed: fields beside schemas',
      'CRD  es.example.org  added',
      'CRD  as.example.org  changed: metadata only',
      'CRD  bs.example.org  changed: descriptions only',
    ],
  },
  {
    name: 'another role of a binding, but not the binding of a new install',
    in: [
      {path: 'p/installs/a.b/x.yaml', old: binding(ADMIN), new: binding({...ADMIN, name: 'edit'})},
      {path: 'p/installs/a.c/x.yaml', new: binding(ADMIN)},
    ],
    want: ['BINDING  ClusterRoleBinding x  ClusterRole admin -> ClusterRole edit'],
  },
  {
    name: 'the roles of the base, and what it binds',
    in: [
      ...['a', 'b', 'c'].map(name => ({path: `p/base/${name}.yaml`, new: role(name)})),
      {path: 'p/base/x.yaml', new: binding(ADMIN, {kind: 'Group', name: 'crossplane:masters'})},
    ],
    want: [
      'BINDING  ClusterRoleBinding x                none -> ClusterRole admin for Group crossplane:masters',
      'BASE  ClusterRoles for users  3 added',
    ],
  },
]

describe('a commit message names', () => {
  it.each(CASES)('$name', ({in: files, want}) => {
    const blanks = (line: string) => line.replace(/ {2,}/g, '  ')
    expect(rowsOf(messageOf(files))?.map(blanks)).toEqual(want.map(blanks))
  })
})

it('a commit message of ninety installs has bounded rows and trailers', () => {
  const packages = Array.from({length: 90}, (_, index): LockedPackage => ({
    ...APP,
    identity: `${APP.identity}-${String(index).padStart(2, '0')}`,
    installs: [
      {namespace: 'team', name: `app-${index}`, mode: 'requested', for: {}, requestedFor: []},
    ] as never,
  }))
  const message = messageOf([], {...EMPTY, packages})
  const lines = message.split('\n')
  expect(rowsOf(message)).toHaveLength(21)
  expect(lines.length).toBeLessThan(100)
  expect(lines.filter(line => line.length > 100)).toEqual([])
  expect(message).toContain('\nPACKAGE  and 70 more\n')
  expect(message).toContain('\nCrossplane-Packages-Omitted: 70; the lock has all\n')
})
