import {describe, expect, it} from '@jest/globals'
import {changedSettings, type TreeSettings} from '../../../src/plan/folder/tree-settings.js'
import {
  droppedNotes,
  healthCheckNotes,
  resolverCommitNotes,
  resolverCommitRejections,
} from '../../../src/plan/git/judge-xpkgs.js'
import type {Operation} from '../../../src/plan/plan.js'
import type {JsonValue} from '../../../src/yaml/json-value.js'

const NOTHING = {changes: []}
const after = {kind: 'Provider', capabilities: [], objects: []}
const VERSIONS = {
  changes: [{repository: 'h.io/a', versions: 'v1 -> v2', before: after, after, kept: new Map()}],
}

function treeWith(fields: Readonly<Record<string, JsonValue>>): TreeSettings {
  return {formats: ['xpkg'], fields: new Map(Object.entries({layout: 'plain', ...fields}))}
}

/** The settings of a commit from one tree to another. */
function settingsOf(before: Readonly<Record<string, JsonValue>>, next: Readonly<Record<string, JsonValue>>) {
  const trees = {tree: treeWith(before), next: treeWith(next)}
  return {changed: changedSettings(trees.tree, trees.next), ...trees}
}

const ON = {'xpkg.pin': 'config'}
const OFF = {'xpkg.pin': 'config', 'xpkg.resolver': 'off'}
const DIGEST = {'xpkg.pin': 'digest'}

/** What a set keeps of a package that requires another one, and of further packages. */
interface DroppedCase {
  readonly name: string
  readonly left: readonly string[]
  readonly requires?: Readonly<Record<string, readonly string[]>>
  readonly of: Readonly<Record<string, string>>
  readonly want: readonly string[]
}

describe('a commit of versions', () => {
  it.each([
    {name: 'begins to skip the resolver', before: ON, next: OFF, want: 'off'},
    {name: 'leaves packages to the resolver', before: OFF, next: ON, want: 'on'},
    {name: 'pins packages by digest', before: ON, next: DIGEST, want: 'off'},
    {name: 'pins them by tag again', before: DIGEST, next: {'xpkg.pin': 'tag'}, want: 'on'},
    {name: 'changes only the pin', before: OFF, next: {...OFF, 'xpkg.pin': 'digest'}, want: undefined},
    {name: 'says what a digest implies', before: DIGEST, next: OFF, want: undefined},
    {name: 'changes nothing else', before: ON, next: ON, want: undefined},
  ])('is rejected or not if it $name', ({before, next, want}) => {
    const settings = settingsOf(before, next)
    const [rejection] = resolverCommitRejections(settings, VERSIONS)
    const command = `kubectl crossplane package upgrade --resolver=${want ?? ''}`
    expect(rejection?.suggestions).toEqual(
      want && [
        `Commit the change of the resolver alone: ${command} --change-settings`,
        `Once that is deployed, complete it in the cluster, and then commit the versions: ${command}`,
      ],
    )
    // Alone, it is committed, and says how the cluster completes it.
    expect(resolverCommitRejections(settings, NOTHING)).toEqual([])
    expect(resolverCommitNotes(settings, NOTHING, {hasCluster: true})).toMatchObject(
      want === undefined ? [] : [{rule: 'xpkg-resolver-step', suggestions: [command]}],
    )
  })

  it.each([
    {name: 'that skips the resolver', of: OFF, hasCluster: false, want: ['xpkg-lock-unknown']},
    {name: 'by digest', of: DIGEST, hasCluster: false, want: ['xpkg-lock-unknown']},
    {name: 'with a cluster', of: OFF, hasCluster: true, want: []},
    {name: 'with the resolver', of: ON, hasCluster: false, want: []},
  ])('says that no Lock was judged, of a set $name: $want', ({of, hasCluster, want}) => {
    const notes = resolverCommitNotes(settingsOf(of, of), VERSIONS, {hasCluster})
    expect(notes.map(({rule}) => rule)).toEqual(want)
  })

  const B = 'new versions of h.io/a do not require h.io/b, which leaves:'
  it.each<DroppedCase>([
    {name: 'that the new version requires no more', left: ['h.io/a'], of: ON, want: [B]},
    {
      name: 'with what it required itself',
      left: ['h.io/a'],
      requires: {'h.io/d': [], 'h.io/c': ['h.io/d', 'h.io/b']},
      of: ON,
      want: ['h.io/d leaves with h.io/c:', 'h.io/c leaves with h.io/b:', B],
    },
    {
      name: 'with what another one still requires',
      left: ['h.io/a', 'h.io/c'],
      requires: {'h.io/c': []},
      of: ON,
      want: [B],
    },
    {name: 'of a set that skips the resolver', left: ['h.io/a'], of: OFF, want: []},
    {name: 'with what required it', left: [], of: ON, want: []},
    {name: 'in no way', left: ['h.io/a', 'h.io/b'], of: ON, want: []},
  ])('names what leaves $name: $want', ({left, requires = {}, of, want}) => {
    const locked = (repository: string, required: readonly string[]) => ({
      ...{repository, kind: 'Provider', tag: 'v1.0.0', summaryHash: '', mode: 'requested' as const, more: {}},
      requires: Object.fromEntries(required.map(name => [name, ['>=v1.0.0']])),
    })
    const more = Object.entries(requires).map(([name, required]) => locked(name, required))
    const b = locked('h.io/b', 'h.io/c' in requires ? ['h.io/c'] : [])
    const before = {xpkgs: [...more, locked('h.io/a', ['h.io/b']), b]}
    const notes = droppedNotes(settingsOf(of, of), before, {xpkgs: left.map(name => locked(name, []))})
    expect(notes).toEqual(
      want.map(text => ({
        ...{severity: 'note', rule: 'xpkg-dropped'},
        message: expect.stringContaining(text),
      })),
    )
  })
})

describe('a commit that changes the health checks of Argo CD', () => {
  const path = 'argocd/health.yaml'
  const change: Operation = {action: 'replace', target: 'packages', path, reason: 'the content changes'}

  it.each([
    {name: 'names the command by which its settings get them', operations: [change], before: [path], want: 1},
    {name: 'leaves those of a new tree to its first steps', operations: [change], before: [], want: 0},
    {
      name: 'says nothing where they leave the tree',
      operations: [{...change, action: 'delete' as const}],
      before: [path],
      want: 0,
    },
    {name: 'says nothing where they stay', operations: [], before: [path], want: 0},
  ])('$name', ({operations, before, want}) => {
    const texts = new Map(before.map(file => [file, '']))
    const notes = healthCheckNotes({plan: {operations}, before: texts}, 'my packages')
    expect(notes).toHaveLength(want)
    for (const {suggestions} of notes)
      expect(suggestions).toEqual([
        `kubectl patch --filename 'my packages/${path}' --patch-file 'my packages/${path}'`,
      ])
  })
})
