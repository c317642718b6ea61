import {describe, expect, it} from '@jest/globals'
import type {Lock, LockedPackage} from '../../src/declaration/lock.js'
import {commitMessage} from '../../src/inspect/commit-message.js'
import {folderSummary} from '../../src/inspect/folder-summary.js'
import type {Operation} from '../../src/plan/plan.js'
import type {ChangedXpkg} from '../../src/plan/git/xpkg-losses.js'
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
function messageOf(files: readonly FileChange[], newLock: Lock = EMPTY, oldLock?: Lock): string {
  const before = new Map(
    files.flatMap(({path, old}) => (old === undefined ? [] : [[path, writeYaml([old])] as const])),
  )
  const summary = folderSummary({operations: files.map(operationOf), before, oldLock, newLock, owners: []})
  return commitMessage({subject: 'Update packages', summary, oldLock, newLock, assumesNoInstances: false})
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
      'BINDING  ClusterRoleBinding x  none -> ClusterRole admin for Group crossplane:masters',
      ...['a', 'b', 'c'].map(name => `BASE  ${name}  ClusterRole added`),
    ],
  },
]

describe('a commit message names', () => {
  it.each(CASES)('$name', ({in: files, want}) => {
    const blanks = (line: string) => line.replace(/ {2,}/g, '  ')
    expect(rowsOf(messageOf(files))?.map(blanks)).toEqual(want.map(blanks))
  })
})

const lockedApp = (index: number): LockedPackage => ({
  ...APP,
  identity: `${APP.identity}-${String(index).padStart(2, '0')}`,
  installs: [
    {namespace: 'team', name: `app-${index}`, mode: 'requested', for: {}, requestedFor: []},
  ] as never,
})
const deployment = (name: string, image: string): JsonObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: {namespace: 'team', name},
  spec: {template: {spec: {containers: [{name: 'a', image}]}}},
})

it('a commit message names the objects of an install whose package does not change', () => {
  const lock = {...EMPTY, packages: [lockedApp(1), lockedApp(2)]}
  const path = 'p/installs/team.app-1/deployment.yaml'
  const changed = {
    ...deployment('app-1', 'a:v1'),
    metadata: {namespace: 'team', name: 'app-1', labels: {a: 'b'}},
  }
  const message = messageOf([{path, old: deployment('app-1', 'a:v1'), new: changed}], lock, lock)
  expect(rowsOf(message)).toEqual(['INSTALL  team/app-1  changed: Deployment team/app-1'])
  expect(message.split('\n').filter(line => line.startsWith('Crossplane-Package: '))).toEqual([
    `Crossplane-Package: ${lockedApp(1).identity}:${APP.tag}`,
  ])
})

it('a commit message of ninety installs has bounded rows and trailers, and names what was lost', () => {
  const packages = Array.from({length: 90}, (_, index) => lockedApp(index))
  const files = packages.flatMap((_, index): FileChange[] => {
    const at = (name: string) => `p/installs/team.app-${index}/${name}.yaml`
    const rules = [{apiGroups: [`g${index}.example.org`], resources: ['*'], verbs: ['*']}]
    return [
      {path: at('deployment'), new: deployment(`app-${index}`, 'registry.example.org/app:v1')},
      {path: at('role'), new: {...role(`package:team:app-${index}:system`), rules}},
      {path: at('binding'), old: binding(ADMIN), new: binding({...ADMIN, name: `edit-${index}`})},
      {path: at('crd'), new: crd(`kinds${index}`, version('v1'))},
    ]
  })
  const base = Array.from({length: 20}, (_, index) => ({
    path: `p/base/${index}.yaml`,
    new: role(`crossplane-package-manager-ns-team-${index}-admin`),
  }))
  const lost = {
    path: 'p/crds/z.yaml',
    old: crd('zs', version('v1alpha3')),
    new: crd('zs', version('v1beta1')),
  }
  const message = messageOf([...files, ...base, lost], {...EMPTY, packages})
  const lines = message.split('\n')
  expect(rowsOf(message)?.length).toBeLessThanOrEqual(80)
  expect(lines.length).toBeLessThan(150)
  expect(lines.filter(line => line.length > 100)).toEqual([])
  expect(message).toContain('\nCrossplane-Packages-Omitted: 70; the lock has all\n')
  const titles = [...new Set(rowsOf(message)?.map(line => /^[A-Z]*/.exec(line)?.[0] ?? ''))].filter(
    title => title !== '',
  )
  expect(titles).toEqual(['PACKAGE', 'IMAGE', 'GAINS', 'BINDING', 'BASE', 'CRD'])
  expect(message).toMatch(/^CRD +zs\.example\.org +changed: loses v1alpha3, adds v1beta1$/m)
  expect(message).toMatch(/^IMAGE +registry\.example\.org\/app:v1 +90 Deployments$/m)
})

describe('the CRDs of packages for a current Crossplane', () => {
  const object = (plural: string, ...served: readonly string[]) => ({
    ...{
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      name: `${plural}.example.org`,
    },
    crds: [
      {group: 'example.org', kind: plural, plural, scope: 'Cluster', served, stored: served.at(-1) ?? ''},
    ],
  })
  const version = (...objects: readonly object[]) => ({kind: 'Provider', capabilities: [], objects})
  const change = (before: object) =>
    ({
      ...{repository: 'r.example.org/p', versions: 'v1 -> v2', kept: new Map(), before},
      after: version(object('new', 'v1'), object('wide', 'v1'), object('same', 'v1')),
    }) as unknown as ChangedXpkg
  const crdsOf = (before: object) =>
    folderSummary({
      ...{operations: [], before: new Map(), newLock: EMPTY, owners: []},
      xpkgs: {set: {changes: [change(before)]}},
    }).crds

  it('are named where they come, go, or have other versions; removed ones first', () => {
    const before = version(object('gone', 'v1'), object('wide', 'v1alpha1', 'v1'), object('same', 'v1'))
    expect(crdsOf(before)).toEqual([
      {name: 'gone.example.org', change: 'removed'},
      {name: 'wide.example.org', change: 'changed', difference: 'loses v1alpha1'},
      {name: 'new.example.org', change: 'added'},
    ])
  })

  it('are unknown of a version that cannot be read', () => {
    expect(crdsOf({reason: 'offline'})).toEqual([])
  })
})
