import {describe, expect, it} from '@jest/globals'
import {formatInventory, readInventory} from '../../../src/cluster/inventory/inventory-document.js'
import type {Inventory, InventoriedInstall} from '../../../src/cluster/inventory/inventory.js'
import {
  hasNewRevision,
  MAX_REVISIONS,
  presentRevision,
  revisionsAfter,
  withAuthors,
  withoutAuthors,
} from '../../../src/cluster/inventory/revisions.js'

const INSTALL: InventoriedInstall = {
  namespace: 'team',
  name: 'db',
  era: 'packages',
  scope: 'Namespaced',
  mode: 'requested',
  for: {},
  package: {identity: 'x/db', tag: 'v1', version: '1', digest: 'sha256:aa', summaryHash: 'sha256:bb'},
  request: {package: 'x/db:v1', imagePullSecrets: [], serviceAccountAnnotations: {}},
}
const REST = {phase: 'complete', toolVersion: '1', objects: []} as const

/** The same install at another version. */
function at(tag: string, more: Partial<InventoriedInstall> = {}): InventoriedInstall {
  const installed = {identity: 'x/db', tag, version: tag, summaryHash: `sha256:${tag}`}
  return {...INSTALL, package: installed, ...more}
}

/** The inventory after these states, one after another. */
function after(...installs: readonly InventoriedInstall[]): Inventory {
  const [first = INSTALL, ...others] = installs
  const begin: Inventory = {...REST, install: first, revisions: revisionsAfter(undefined, first)}
  return others.reduce(
    (before, install) => ({...REST, install, revisions: revisionsAfter(before, install)}),
    begin,
  )
}

const outline = ({revisions}: Inventory) =>
  revisions?.map(({number, package: installed}) => `${number} ${installed?.tag ?? ''}`)

describe('the revisions of an install', () => {
  it('begin with its first state', () => {
    expect(outline(after(at('v1')))).toEqual(['1 v1'])
  })

  const hashed = (filesHash: string) =>
    at('v1', {package: {identity: 'x/db', tag: 'v1', version: 'v1', summaryHash: 'sha256:v1', filesHash}})

  it.each([
    ['the first hash of its files is no change', at('v1'), false],
    ['other files are a change', hashed('sha256:old'), true],
    ['the same files are no change', hashed('sha256:new'), false],
  ])('of a package in a folder: %s', (_, former, isNew) => {
    const before = after(former)
    const install = hashed('sha256:new')
    const inventory: Inventory = {...REST, install, revisions: revisionsAfter(before, install)}
    expect(hasNewRevision(inventory, before)).toBe(isNew)
  })

  it.each<[reason: string, after: InventoriedInstall, isNew: boolean]>([
    ['another version', at('v2'), true],
    ['a runtime', at('v1', {request: {...present(INSTALL.request), runtime: {replicas: 2}}}), true],
    ['a pin', at('v1', {pin: {tag: 'v1'}}), true],
    ['a setting', at('v1', {settings: {allowFullDeployment: true}}), true],
    ['the same', at('v1'), false],
    ['another dependent', at('v1', {for: {'team/app': ['a.b']}}), false],
    ['another mode', at('v1', {mode: 'auto'}), false],
  ])('after %s', (_, install, isNew) => {
    const before = after(at('v1'))
    const inventory: Inventory = {...REST, install, revisions: revisionsAfter(before, install)}
    expect(hasNewRevision(inventory, before)).toBe(isNew)
    expect(inventory.revisions).toHaveLength(isNew ? 2 : 1)
  })

  it('have the present state of an inventory without revisions as their first one', () => {
    const before: Inventory = {...REST, install: at('v1')}
    expect(revisionsAfter(before, at('v1'))).toBeUndefined()
    const install = at('v2')
    const changed: Inventory = {...REST, install, revisions: revisionsAfter(before, install)}
    expect(outline(changed)).toEqual(['1 v1', '2 v2'])
    expect(hasNewRevision(changed, before)).toBe(true)
  })

  it('are the last ten, numbered on', () => {
    const tags = Array.from({length: 14}, (_, index) => `v${index + 1}`)
    const {revisions = []} = after(...tags.map(tag => at(tag)))
    expect(revisions).toHaveLength(MAX_REVISIONS)
    expect(outline({...REST, install: INSTALL, revisions})?.at(0)).toBe('5 v5')
    expect(outline({...REST, install: INSTALL, revisions})?.at(-1)).toBe('14 v14')
  })

  it('take a third of a ConfigMap at most', () => {
    const env = [{name: 'A', value: 'x'.repeat(20_000)}]
    const large = (tag: string) =>
      at(tag, {request: {imagePullSecrets: [], serviceAccountAnnotations: {}, runtime: {env}}})
    const {revisions = []} = after(...Array.from({length: 12}, (_, index) => large(`v${index}`)))
    expect(revisions.at(-1)).toEqual({
      number: 12,
      era: 'packages',
      scope: 'Namespaced',
      package: large('v11').package,
      isPartial: true,
    })
    const almost = [{name: 'A', value: 'x'.repeat(7_500)}]
    const kept = after(
      ...Array.from({length: 12}, (_, index) =>
        at(`v${index}`, {
          request: {imagePullSecrets: [], serviceAccountAnnotations: {}, runtime: {env: almost}},
        }),
      ),
    )
    expect(kept.revisions?.some(({isPartial}) => isPartial)).toBe(false)
    expect(JSON.stringify(kept.revisions).length).toBeLessThan((256 * 1024) / 3)
  })
})

describe('the authors of revisions', () => {
  const author = {time: '2026-01-02T03:04:05.000Z', user: 'ada'}
  const first = withAuthors(after(at('v1')), undefined, author)

  it('are those of the change, and stay', () => {
    const planned: Inventory = {...REST, install: at('v2'), revisions: revisionsAfter(first, at('v2'))}
    const later = {time: '2026-02-02T03:04:05.000Z', user: 'bob'}
    const written = withAuthors(
      {...planned, revisions: withoutAuthors(planned.revisions ?? [])},
      first,
      later,
    )
    expect(written.revisions?.map(({time, user}) => ({time, user}))).toEqual([author, later])
  })

  it('do not change without a new revision', () => {
    const again = withAuthors({...first, revisions: withoutAuthors(first.revisions ?? [])}, first, {
      user: 'eve',
    })
    expect(again).toEqual(first)
  })

  it('are read as they were written', () => {
    expect(readInventory(formatInventory(first), 'team/a')).toEqual(first)
  })
})

describe('revisions that nobody has written', () => {
  const valid = presentRevision(INSTALL)
  it.each<[string, unknown]>([
    ['no list', {}],
    ['texts', ['a']],
    ['no number', [{...valid, number: undefined}]],
    ['zero', [{...valid, number: 0}]],
    ['a number twice', [valid, valid]],
    ['a part of a number', [{...valid, number: 1.5}]],
    ['another scope', [{...valid, scope: 'All'}]],
    [
      'a runtime with privileges',
      [{...valid, request: {...INSTALL.request, runtime: {securityContext: {privileged: true}}}}],
    ],
  ])('are rejected: %s', (_, revisions) => {
    const text = JSON.stringify({...parsed(formatInventory({...REST, install: INSTALL})), revisions})
    expect(() => readInventory(text, 'team/a')).toThrow(/inventory team\/a/)
  })
})

const parsed = (text: string) => JSON.parse(text) as object

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('absent')
  return value
}
