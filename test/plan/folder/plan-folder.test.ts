import {createHash} from 'node:crypto'
import {describe, expect, it} from '@jest/globals'
import type {OutputFile} from '../../../src/plan/folder/file-tree.js'
import {pathsToObserve, pathsToRead, planFolder} from '../../../src/plan/folder/plan-folder.js'
import type {FolderEntry, FolderSnapshot} from '../../../src/plan/folder/folder-snapshot.js'
import {ARGOCD_OPTIONS, FLUX_FORCE, FLUX_PRUNE} from '../../../src/kubernetes/controller-annotations.js'
import {formatOwnedFiles, OWNED_FILES} from '../../../src/plan/folder/owned-files.js'
import type {Operation, Plan} from '../../../src/plan/plan.js'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const file = (text: string): FolderEntry => ({kind: 'file', sha256: sha256(text)})
const folder: FolderEntry = {kind: 'folder'}
const link: FolderEntry = {kind: 'link'}

type Contents = Readonly<Record<string, string>>
const filesFrom = (contents: Contents): OutputFile[] =>
  Object.entries(contents).map(([path, content]) => ({path, content}))
const ownedFrom = (contents: Contents) =>
  new Map(Object.entries(contents).map(([path, content]) => [path, [sha256(content)]]))
const listOf = (contents: Contents) =>
  formatOwnedFiles(new Map(Object.entries(contents).map(([path, content]) => [path, sha256(content)])))

const create = (path: string, content: string, reason = 'the file does not exist'): Operation => ({
  ...{action: 'create-only', target: 'folder', path, object: undefined},
  ...{reason, content, precondition: {absent: true}},
})
const replace = (
  path: string,
  before: string,
  content: string,
  reason = 'the content changes',
): Operation => ({
  ...{action: 'replace', target: 'folder', path, object: undefined},
  ...{reason, content, precondition: {sha256: sha256(before)}},
})
const remove = (path: string, before: string): Operation => ({
  ...{action: 'delete', target: 'folder', path, object: undefined},
  ...{reason: 'the install set no longer has the file', precondition: {sha256: sha256(before)}},
})
const newList = (after: Contents) => create(OWNED_FILES, listOf(after))
const changedList = (before: Contents, after: Contents) => replace(OWNED_FILES, listOf(before), listOf(after))

interface Case {
  readonly name: string
  readonly reason: string
  readonly want: Contents
  readonly owned?: Contents
  readonly entries?: Readonly<Record<string, FolderEntry>>
  readonly texts?: Contents
}

function snapshotOf({owned, entries, texts}: Case): FolderSnapshot {
  const list: [string, FolderEntry][] = owned ? [[OWNED_FILES, file(listOf(owned))]] : []
  return {
    entries: new Map([...list, ...Object.entries(entries ?? {})]),
    owned: ownedFrom(owned ?? {}),
    texts: new Map(Object.entries(texts ?? {})),
  }
}

const plans: readonly (Case & {readonly plan: Omit<Plan, 'rejections'>})[] = [
  {
    name: 'a folder without anything',
    reason: 'all files are new, and listed as managed',
    want: {'a.yaml': 'A', 'crds/b.yaml': 'B'},
    plan: {
      operations: [
        create('a.yaml', 'A'),
        create('crds/b.yaml', 'B'),
        newList({'a.yaml': 'A', 'crds/b.yaml': 'B'}),
      ],
      unchanged: 0,
    },
  },
  {
    name: 'a folder that is as desired',
    reason: 'nothing changes, not even the list',
    want: {'crds/a.yaml': 'A'},
    owned: {'crds/a.yaml': 'A'},
    entries: {crds: folder, 'crds/a.yaml': file('A')},
    plan: {operations: [], unchanged: 1},
  },
  {
    name: 'a managed file with other content, and one that is no longer needed',
    reason: 'that is an upgrade',
    want: {'a.yaml': 'A2'},
    owned: {'a.yaml': 'A1', 'b.yaml': 'B'},
    entries: {'a.yaml': file('A1'), 'b.yaml': file('B')},
    plan: {
      operations: [
        replace('a.yaml', 'A1', 'A2'),
        remove('b.yaml', 'B'),
        changedList({'a.yaml': 'A1', 'b.yaml': 'B'}, {'a.yaml': 'A2'}),
      ],
      unchanged: 0,
    },
  },
  {
    name: 'an unmanaged file with the same bytes',
    reason: 'it becomes managed without a change',
    want: {'a.yaml': 'A'},
    entries: {'a.yaml': file('A')},
    plan: {operations: [newList({'a.yaml': 'A'})], unchanged: 1},
  },
  {
    name: 'a modification to what is desired now',
    reason: 'nothing is lost',
    want: {'a.yaml': 'A2'},
    owned: {'a.yaml': 'A1'},
    entries: {'a.yaml': file('A2')},
    plan: {operations: [changedList({'a.yaml': 'A1'}, {'a.yaml': 'A2'})], unchanged: 1},
  },
  {
    name: 'managed files that were deleted',
    reason: 'a desired one is written again, a stale one is forgotten',
    want: {'a.yaml': 'A'},
    owned: {'a.yaml': 'A', 'b.yaml': 'B'},
    plan: {
      operations: [
        create('a.yaml', 'A', 'the file was deleted'),
        changedList({'a.yaml': 'A', 'b.yaml': 'B'}, {'a.yaml': 'A'}),
      ],
      unchanged: 0,
    },
  },
]

const rejections: readonly (Case & {readonly rejected: readonly {rule: string; file: string}[]})[] = [
  {
    name: 'unmanaged files',
    reason: 'each is named, and has no operation',
    want: {'a.yaml': 'A', 'b.yaml': 'B', 'c.yaml': 'C'},
    entries: {'a.yaml': file('mine'), 'c.yaml': file('mine too')},
    rejected: [
      {rule: 'foreign-file', file: 'a.yaml'},
      {rule: 'foreign-file', file: 'c.yaml'},
    ],
  },
  {
    name: 'modified files',
    reason: 'overwriting or deleting them would lose work',
    want: {'a.yaml': 'A2'},
    owned: {'a.yaml': 'A1', 'b.yaml': 'B'},
    entries: {'a.yaml': file('edited'), 'b.yaml': file('edited')},
    rejected: [
      {rule: 'edited-file', file: 'a.yaml'},
      {rule: 'edited-stale-file', file: 'b.yaml'},
    ],
  },
  {
    name: 'a link in place of a file, a folder and a stale file',
    reason: 'nothing is written or deleted through a link',
    want: {'a.yaml': 'A', 'crds/b.yaml': 'B'},
    owned: {'old.yaml': 'O'},
    entries: {'a.yaml': link, crds: link, 'old.yaml': link},
    rejected: [
      {rule: 'not-a-folder', file: 'crds'},
      {rule: 'not-a-file', file: 'a.yaml'},
      {rule: 'edited-stale-file', file: 'old.yaml'},
    ],
  },
  {
    name: 'a folder in place of a file, a file in place of a folder',
    reason: 'neither is replaced',
    want: {'a.yaml': 'A', 'installs/x.y/b.yaml': 'B'},
    entries: {'a.yaml': folder, installs: folder, 'installs/x.y': file('mine')},
    rejected: [
      {rule: 'not-a-folder', file: 'installs/x.y'},
      {rule: 'not-a-file', file: 'a.yaml'},
    ],
  },
  {
    name: 'a second kustomization',
    reason: 'kustomize rejects a folder with two',
    want: {'kustomization.yaml': 'K', 'crds/kustomization.yaml': 'K'},
    entries: {'kustomization.yml': file('mine'), crds: folder, 'crds/Kustomization': file('mine')},
    rejected: [
      {rule: 'second-kustomization', file: 'kustomization.yml'},
      {rule: 'second-kustomization', file: 'crds/Kustomization'},
    ],
  },
]

const binding = (role: string) => `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: app}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: ${role}}
`
const inTeam = (text: string) =>
  text.replace('ClusterRoleBinding', 'RoleBinding').replace('name: app', 'name: app, namespace: team')
const CRD =
  'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: xs.example.org}\n'

/** The same object with an annotation. */
const annotated = (text: string, name: string, value: string) =>
  text.replace(/name: ([^,}]*)/, `name: $1, annotations: {"${name}": "${value}"}`)

/** A change of one managed file, or its deletion. */
const change = (path: string, before: string, after?: string): Case => ({
  ...{name: '', reason: '', want: after === undefined ? {} : {[path]: after}},
  ...{owned: {[path]: before}, entries: {[path]: file(before)}, texts: {[path]: before}},
})

describe('planFolder', () => {
  it.each(plans)('plans for $name: $reason', ({plan, ...given}) => {
    expect(planFolder(filesFrom(given.want), snapshotOf(given))).toEqual({...plan, rejections: []})
  })

  it.each(rejections)('rejects $name: $reason', ({rejected, ...given}) => {
    const plan = planFolder(filesFrom(given.want), snapshotOf(given))
    expect(plan.rejections.map(({rule, file: path = ''}) => ({rule, file: path}))).toEqual(rejected)
    expect(plan.rejections.filter(({suggestions = []}) => suggestions.length === 0)).toEqual([])
    const stopped = rejected.map(({file: path}) => path)
    expect(plan.operations.filter(({path = ''}) => stopped.includes(path))).toEqual([])
  })

  it.each([
    {
      name: 'a CRD whose file is deleted',
      in: change('crds/x.yaml', CRD),
      want: [
        {
          rule: 'crd-deleted',
          subject: {object: 'CustomResourceDefinition xs.example.org'},
          suggestions: ['kubectl get xs.example.org --all-namespaces'],
        },
      ],
    },
    {
      name: 'a CRD that gets another scope',
      in: change('crds/x.yaml', `${CRD}spec: {scope: Cluster}\n`, `${CRD}spec: {scope: Namespaced}\n`),
      want: [
        {
          rule: 'crd-scope-changed',
          subject: {object: 'CustomResourceDefinition xs.example.org'},
          suggestions: ['kubectl get xs.example.org --all-namespaces'],
        },
      ],
    },
    {
      name: 'a binding to another role',
      in: change('b.yaml', binding('v1'), binding('v2')),
      want: [
        {
          rule: 'role-ref-changed',
          subject: {object: 'ClusterRoleBinding app'},
          suggestions: ['kubectl delete clusterrolebinding app --ignore-not-found'],
        },
      ],
    },
    {
      name: 'a binding in a namespace, to another role',
      in: change('b.yaml', inTeam(binding('v1')), inTeam(binding('v2'))),
      want: [
        {
          rule: 'role-ref-changed',
          subject: {object: 'RoleBinding team/app'},
          suggestions: ['kubectl delete rolebinding app --namespace team --ignore-not-found'],
        },
      ],
    },
    {
      name: 'a binding that changes otherwise',
      in: change('b.yaml', binding('v1'), `${binding('v1')}subjects: []\n`),
      want: [],
    },
    {
      name: 'a binding that Flux replaces',
      in: change('b.yaml', binding('v1'), annotated(binding('v2'), FLUX_FORCE, 'enabled')),
      want: [],
    },
    {
      name: 'a binding that Argo CD replaces',
      in: change('b.yaml', binding('v1'), annotated(binding('v2'), ARGOCD_OPTIONS, 'Force=true')),
      want: [],
    },
    {
      name: 'a CRD that Flux does not delete',
      in: change('crds/x.yaml', annotated(CRD, FLUX_PRUNE, 'disabled')),
      want: [],
    },
    {
      name: 'a CRD that Argo CD does not delete',
      in: change('crds/x.yaml', annotated(CRD, ARGOCD_OPTIONS, 'Prune=false,Delete=false')),
      want: [],
    },
    {
      name: 'a file that is not YAML',
      in: change('b.yaml', '<<<<<<< kind: CustomResourceDefinition'),
      want: [],
    },
  ])('reports the risks of $name', ({in: given, want}) => {
    const [operation] = planFolder(filesFrom(given.want), snapshotOf(given)).operations
    const risks = (operation?.risks ?? []).map(({rule, subject, suggestions}) => ({
      rule,
      subject,
      suggestions,
    }))
    expect(risks).toEqual(want)
  })

  it.each([
    {
      name: 'the scope',
      spec: 'scope: Namespaced, names: {kind: X}, versions: [{name: v1}]',
      want: 'crd-scope-changed',
    },
    {
      name: 'the kind',
      spec: 'scope: Cluster, names: {kind: Y}, versions: [{name: v1}]',
      want: 'crd-names-changed',
    },
    {
      name: 'a version',
      spec: 'scope: Cluster, names: {kind: X}, versions: [{name: v2}]',
      want: 'crd-version-removed',
    },
    {name: 'no version', spec: 'scope: Cluster, names: {kind: X}, versions: [{name: v1}, {name: v2}]'},
  ])('rejects a CRD that changes $name where a controller applies it', ({spec, want}) => {
    const before = 'scope: Cluster, names: {kind: X}, versions: [{name: v1}]'
    const given = change('crds/x.yaml', `${CRD}spec: {${before}}\n`, `${CRD}spec: {${spec}}\n`)
    const rulesOf = (gatesCrds: boolean) =>
      planFolder(filesFrom(given.want), snapshotOf(given), {gatesCrds}).rejections.map(({rule}) => rule)
    expect([rulesOf(true), rulesOf(false)]).toEqual([want === undefined ? [] : [want], []])
  })

  it('names the object in a file', () => {
    const given = change('crds/x.yaml', CRD)
    expect(planFolder([], snapshotOf(given)).operations[0]?.object).toEqual({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      name: 'xs.example.org',
    })
  })

  it('reads only the required entries and contents', () => {
    for (const {want, ...given} of [...plans, ...rejections]) {
      const {entries, owned} = snapshotOf({want, ...given})
      const paths = pathsToObserve(filesFrom(want), owned)
      expect([...entries.keys()].filter(path => !paths.includes(path))).toEqual([])
      const changing = pathsToRead(filesFrom(want), {entries, owned}).filter(path => path !== OWNED_FILES)
      expect(changing.filter(path => !owned.has(path) || entries.get(path)?.kind !== 'file')).toEqual([])
    }
  })
})
