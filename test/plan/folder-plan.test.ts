import {createHash} from 'node:crypto'
import {describe, expect, it} from '@jest/globals'
import {CrossplaneError} from '../../src/errors.js'
import type {OutputFile} from '../../src/plan/file-tree.js'
import {type FolderPlan, pathsToLookAt, planFolder} from '../../src/plan/folder-plan.js'
import type {FolderEntry, FolderSnapshot} from '../../src/plan/folder-snapshot.js'
import {formatOwnedFiles, OWNED_FILES} from '../../src/plan/owned-files.js'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const file = (text: string): FolderEntry => ({kind: 'file', sha256: sha256(text)})
const folder: FolderEntry = {kind: 'folder'}
const link: FolderEntry = {kind: 'link'}

type Contents = Readonly<Record<string, string>>
const filesFrom = (contents: Contents): OutputFile[] =>
  Object.entries(contents).map(([path, content]) => ({path, content}))
const ownedFrom = (contents: Contents) =>
  new Map(Object.entries(contents).map(([path, content]) => [path, sha256(content)]))
const listOf = (contents: Contents) => formatOwnedFiles(ownedFrom(contents))

interface Case {
  readonly name: string
  readonly reason: string
  readonly want: Contents
  readonly owned?: Contents
  readonly entries?: Readonly<Record<string, FolderEntry>>
}

function snapshotOf({owned, entries}: Case): FolderSnapshot {
  const list: [string, FolderEntry][] = owned ? [[OWNED_FILES, file(listOf(owned))]] : []
  return {entries: new Map([...list, ...Object.entries(entries ?? {})]), owned: ownedFrom(owned ?? {})}
}

const plans: readonly (Case & {readonly plan: FolderPlan})[] = [
  {
    name: 'a folder without anything',
    reason: 'all is new, and listed as ours',
    want: {'a.yaml': 'A', 'crds/b.yaml': 'B'},
    plan: {
      writes: [
        {path: 'a.yaml', content: 'A', before: undefined, after: sha256('A')},
        {path: 'crds/b.yaml', content: 'B', before: undefined, after: sha256('B')},
      ],
      deletes: [],
      unchanged: 0,
      ownedFiles: {
        path: OWNED_FILES,
        content: listOf({'a.yaml': 'A', 'crds/b.yaml': 'B'}),
        before: undefined,
        after: sha256(listOf({'a.yaml': 'A', 'crds/b.yaml': 'B'})),
      },
    },
  },
  {
    name: 'a folder that is right',
    reason: 'nothing is touched, not even our list',
    want: {'crds/a.yaml': 'A'},
    owned: {'crds/a.yaml': 'A'},
    entries: {crds: folder, 'crds/a.yaml': file('A')},
    plan: {writes: [], deletes: [], unchanged: 1, ownedFiles: undefined},
  },
  {
    name: 'a file of ours with another content, and one that is no longer wanted',
    reason: 'that is an upgrade',
    want: {'a.yaml': 'A2'},
    owned: {'a.yaml': 'A1', 'b.yaml': 'B'},
    entries: {'a.yaml': file('A1'), 'b.yaml': file('B')},
    plan: {
      writes: [{path: 'a.yaml', content: 'A2', before: sha256('A1'), after: sha256('A2')}],
      deletes: [{path: 'b.yaml', before: sha256('B')}],
      unchanged: 0,
      ownedFiles: {
        path: OWNED_FILES,
        content: listOf({'a.yaml': 'A2'}),
        before: sha256(listOf({'a.yaml': 'A1', 'b.yaml': 'B'})),
        after: sha256(listOf({'a.yaml': 'A2'})),
      },
    },
  },
  {
    name: 'a foreign file with the very bytes',
    reason: 'it becomes ours without being touched',
    want: {'a.yaml': 'A'},
    entries: {'a.yaml': file('A')},
    plan: {
      writes: [],
      deletes: [],
      unchanged: 1,
      ownedFiles: {
        path: OWNED_FILES,
        content: listOf({'a.yaml': 'A'}),
        before: undefined,
        after: sha256(listOf({'a.yaml': 'A'})),
      },
    },
  },
  {
    name: 'an edit to what is wanted now',
    reason: 'nothing would be lost',
    want: {'a.yaml': 'A2'},
    owned: {'a.yaml': 'A1'},
    entries: {'a.yaml': file('A2')},
    plan: {
      writes: [],
      deletes: [],
      unchanged: 1,
      ownedFiles: {
        path: OWNED_FILES,
        content: listOf({'a.yaml': 'A2'}),
        before: sha256(listOf({'a.yaml': 'A1'})),
        after: sha256(listOf({'a.yaml': 'A2'})),
      },
    },
  },
  {
    name: 'files of ours that someone deleted',
    reason: 'a wanted one is written again, a stale one is forgotten',
    want: {'a.yaml': 'A'},
    owned: {'a.yaml': 'A', 'b.yaml': 'B'},
    plan: {
      writes: [{path: 'a.yaml', content: 'A', before: undefined, after: sha256('A')}],
      deletes: [],
      unchanged: 0,
      ownedFiles: {
        path: OWNED_FILES,
        content: listOf({'a.yaml': 'A'}),
        before: sha256(listOf({'a.yaml': 'A', 'b.yaml': 'B'})),
        after: sha256(listOf({'a.yaml': 'A'})),
      },
    },
  },
]

const refusals: readonly (Case & {readonly refused: readonly {rule: string; file: string}[]})[] = [
  {
    name: 'foreign files',
    reason: 'all of them are named, and what could be written is not',
    want: {'a.yaml': 'A', 'b.yaml': 'B', 'c.yaml': 'C'},
    entries: {'a.yaml': file('mine'), 'c.yaml': file('mine too')},
    refused: [
      {rule: 'foreign-file', file: 'a.yaml'},
      {rule: 'foreign-file', file: 'c.yaml'},
    ],
  },
  {
    name: 'edited files',
    reason: 'overwriting or deleting them would lose work',
    want: {'a.yaml': 'A2'},
    owned: {'a.yaml': 'A1', 'b.yaml': 'B'},
    entries: {'a.yaml': file('edited'), 'b.yaml': file('edited')},
    refused: [
      {rule: 'edited-file', file: 'a.yaml'},
      {rule: 'edited-stale-file', file: 'b.yaml'},
    ],
  },
  {
    name: 'a link in the place of a file, a folder and a stale file',
    reason: 'nothing is written or deleted through a link',
    want: {'a.yaml': 'A', 'crds/b.yaml': 'B'},
    owned: {'old.yaml': 'O'},
    entries: {'a.yaml': link, crds: link, 'old.yaml': link},
    refused: [
      {rule: 'not-a-folder', file: 'crds'},
      {rule: 'not-a-file', file: 'a.yaml'},
      {rule: 'edited-stale-file', file: 'old.yaml'},
    ],
  },
  {
    name: 'a folder in the place of a file, a file in the place of a folder',
    reason: 'neither gives way',
    want: {'a.yaml': 'A', 'installs/x.y/b.yaml': 'B'},
    entries: {'a.yaml': folder, installs: folder, 'installs/x.y': file('mine')},
    refused: [
      {rule: 'not-a-folder', file: 'installs/x.y'},
      {rule: 'not-a-file', file: 'a.yaml'},
    ],
  },
  {
    name: 'another kustomization beside ours',
    reason: 'kustomize builds no folder with two',
    want: {'kustomization.yaml': 'K', 'crds/kustomization.yaml': 'K'},
    entries: {'kustomization.yml': file('mine'), crds: folder, 'crds/Kustomization': file('mine')},
    refused: [
      {rule: 'second-kustomization', file: 'kustomization.yml'},
      {rule: 'second-kustomization', file: 'crds/Kustomization'},
    ],
  },
]

describe('planFolder', () => {
  it.each(plans)('plans for $name: $reason', ({plan, ...given}) => {
    expect(planFolder(filesFrom(given.want), snapshotOf(given))).toEqual(plan)
  })

  it.each(refusals)('refuses $name: $reason', ({refused, ...given}) => {
    const error = thrownBy(() => planFolder(filesFrom(given.want), snapshotOf(given)))
    expect({
      code: error.code,
      diagnostics: error.diagnostics.map(({rule, file: path}) => ({rule, file: path})),
      named: refused.slice(0, 3).every(({file: path}) => error.message.includes(path)),
      hasNextStep: error.suggestions.length > 0,
    }).toEqual({code: 'output-refused', diagnostics: refused, named: true, hasNextStep: true})
  })

  it('reads no entry that it did not ask for', () => {
    for (const {want, ...given} of [...plans, ...refusals]) {
      const {entries, owned} = snapshotOf({want, ...given})
      const asked = new Set(pathsToLookAt(filesFrom(want), owned))
      expect([...entries.keys()].filter(path => !asked.has(path))).toEqual([])
    }
  })
})

function thrownBy(act: () => unknown): CrossplaneError {
  try {
    act()
  } catch (error) {
    if (error instanceof CrossplaneError) return error
    throw error
  }
  throw new Error('nothing was thrown')
}
