import {describe, expect, it} from '@jest/globals'
import {journalSteps} from '../../src/commit/journal.js'
import {pathsOfSteps, unfinishedSteps} from '../../src/commit/unfinished-steps.js'
import type {CrossplaneError} from '../../src/errors.js'
import type {RejectedRule} from '../../src/plan/folder/folder-rejection.js'
import type {FolderEntry} from '../../src/plan/folder/folder-snapshot.js'

const file = (hash: string): FolderEntry => ({kind: 'file', sha256: hash})
const STAGED = '.kubectl-crossplane/staging/0'
const PATH = 'crds/x.yaml'

type Entries = Readonly<Record<string, FolderEntry>>
interface Case {
  readonly name: string
  readonly reason: string
  readonly in: {readonly before?: string; readonly after?: string}
  readonly entries: Entries
  readonly want: 'to do' | 'done' | RejectedRule
}

const add = {after: 'new'}
const update = {before: 'old', after: 'new'}
const deletion = {before: 'old'}

const cases: readonly Case[] = [
  {name: 'add, nothing there', reason: 'as it was', in: add, entries: {[STAGED]: file('new')}, want: 'to do'},
  {
    name: 'add, content there already',
    reason: 'another program wrote the same',
    in: add,
    entries: {[STAGED]: file('new'), [PATH]: file('new')},
    want: 'done',
  },
  {
    name: 'add, other content there',
    reason: 'it is not managed',
    in: add,
    entries: {[STAGED]: file('new'), [PATH]: file('mine')},
    want: 'changed-meanwhile',
  },
  {
    name: 'add, folder there',
    reason: 'it is not managed',
    in: add,
    entries: {[STAGED]: file('new'), [PATH]: {kind: 'folder'}},
    want: 'changed-meanwhile',
  },
  {
    name: 'update, old content there',
    reason: 'as it was',
    in: update,
    entries: {[STAGED]: file('new'), [PATH]: file('old')},
    want: 'to do',
  },
  {
    name: 'update, nothing there',
    reason: 'a deleted file has nothing to lose',
    in: update,
    entries: {[STAGED]: file('new')},
    want: 'to do',
  },
  {
    name: 'update, moved into place',
    reason: 'staging no longer has it',
    in: update,
    entries: {[PATH]: file('new')},
    want: 'done',
  },
  {
    name: 'update, moved into place and modified since',
    reason: 'the next plan judges the modification',
    in: update,
    entries: {[PATH]: file('mine')},
    want: 'done',
  },
  {
    name: 'update, moved into place and restored with git',
    reason: 'there is nothing left to move',
    in: update,
    entries: {[PATH]: file('old')},
    want: 'done',
  },
  {
    name: 'update, modified before it was moved',
    reason: 'the modification would be lost',
    in: update,
    entries: {[STAGED]: file('new'), [PATH]: file('mine')},
    want: 'changed-meanwhile',
  },
  {
    name: 'update, with a link in place of the file',
    reason: 'it is not managed',
    in: update,
    entries: {[STAGED]: file('new'), [PATH]: {kind: 'link'}},
    want: 'changed-meanwhile',
  },
  {
    name: 'update, with a link in place of its folder',
    reason: 'nothing is written through a link',
    in: update,
    entries: {[STAGED]: file('new'), crds: {kind: 'link'}},
    want: 'not-a-folder',
  },
  {
    name: 'update, with another content in staging',
    reason: 'only what was planned is written',
    in: update,
    entries: {[STAGED]: file('damaged'), [PATH]: file('old')},
    want: 'staging-damaged',
  },
  {
    name: 'deletion, file there',
    reason: 'as it was',
    in: deletion,
    entries: {[PATH]: file('old')},
    want: 'to do',
  },
  {name: 'deletion, nothing there', reason: 'it was deleted', in: deletion, entries: {}, want: 'done'},
  {
    name: 'deletion, other content there',
    reason: 'it is not managed',
    in: deletion,
    entries: {[PATH]: file('mine')},
    want: 'changed-meanwhile',
  },
  {
    name: 'deletion, folder there',
    reason: 'it is not managed',
    in: deletion,
    entries: {[PATH]: {kind: 'folder'}},
    want: 'changed-meanwhile',
  },
]

describe('unfinishedSteps', () => {
  it.each(cases)('$name is $want: $reason', ({in: change, entries, want}) => {
    const steps = journalSteps([{path: PATH, ...change}])
    expect(outcomeOf(() => unfinishedSteps(steps, new Map(Object.entries(entries)), 'out'))).toEqual(
      want === 'to do' || want === 'done'
        ? {steps: want === 'done' ? [] : steps}
        : {code: 'output-refused', diagnostics: [{rule: want, file: PATH}]},
    )
  })

  it('names every file that prevents it', () => {
    const steps = journalSteps([
      {path: 'a.yaml', before: '1'},
      {path: 'b.yaml', before: '2'},
      {path: 'c.yaml', before: '3'},
    ])
    const entries = new Map(Object.entries({'a.yaml': file('x'), 'b.yaml': file('2'), 'c.yaml': file('y')}))
    expect(outcomeOf(() => unfinishedSteps(steps, entries, 'out'))).toEqual({
      code: 'output-refused',
      diagnostics: [
        {rule: 'changed-meanwhile', file: 'a.yaml'},
        {rule: 'changed-meanwhile', file: 'c.yaml'},
      ],
    })
  })

  it('lists each file, its staged content and the folders above both', () => {
    expect(pathsOfSteps(journalSteps([{path: 'installs/a.b/x.yaml', after: 'new'}]))).toEqual([
      'installs',
      'installs/a.b',
      'installs/a.b/x.yaml',
      STAGED,
    ])
  })
})

function outcomeOf(act: () => unknown): unknown {
  try {
    return {steps: act()}
  } catch (error) {
    const {code, diagnostics} = error as CrossplaneError
    return {code, diagnostics: diagnostics.map(fault => ({rule: fault.rule, file: fault.file}))}
  }
}
