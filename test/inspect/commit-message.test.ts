import {describe, expect, it} from '@jest/globals'
import type {Lock, LockedPackage} from '../../src/declaration/lock.js'
import {commitMessage, commitSubject, shortSubject} from '../../src/inspect/commit-message.js'
import type {FolderSummary} from '../../src/inspect/folder-summary.js'
import {APP, hash, LOCK, PROVIDER} from '../declaration/locks.js'

const as = (mode: 'auto' | 'requested', locked: LockedPackage): LockedPackage => ({
  ...locked,
  installs: locked.installs.map(each => ({...each, mode})),
})
const lockOf = (...packages: readonly LockedPackage[]): Lock => ({...LOCK, packages})
const [app, provider] = [as('requested', APP), as('auto', PROVIDER)]
const requested = as('requested', PROVIDER)

interface Case {
  readonly name: string
  readonly in: readonly [Lock | undefined, Lock]
  readonly want: string
}

const CASES: readonly Case[] = [
  {
    name: 'a package and what it requires',
    in: [undefined, lockOf(app, provider)],
    want: `Install ${APP.identity}:v0.1.0`,
  },
  {
    name: 'a package that requires one that was requested before',
    in: [
      lockOf({...requested, installs: requested.installs.map(each => ({...each, requestedFor: []}))}),
      lockOf(app, {
        ...requested,
        installs: requested.installs.map(each => ({...each, requestedFor: ['a.compute.example.org']})),
      }),
    ],
    want: `Install ${APP.identity}:v0.1.0`,
  },
  {
    name: 'two packages',
    in: [undefined, lockOf(app, requested)],
    want: 'Update 2 packages',
  },
  {
    name: 'another version',
    in: [lockOf({...app, tag: 'v0.0.9'}), lockOf(app)],
    want: `Upgrade ${APP.identity} to v0.1.0`,
  },
  {
    name: 'another version of what is required only',
    in: [lockOf(app, {...provider, tag: 'v0.9.0'}), lockOf(app, provider)],
    want: `Upgrade ${PROVIDER.identity} to v0.10.0`,
  },
  {
    name: 'other bytes under one tag',
    in: [lockOf({...app, digest: hash('e')}), lockOf(app)],
    want: `Update the content of ${APP.identity}:v0.1.0`,
  },
  {
    name: 'another place of one version',
    in: [lockOf({...app, installs: []}), lockOf(app)],
    want: `Update the installs of ${APP.identity}:v0.1.0`,
  },
  {
    name: 'other settings',
    in: [lockOf(app), {...lockOf(app), requestHash: hash('e')}],
    want: 'Update packages',
  },
]

describe('the subject of a commit', () => {
  it.each(CASES)('of $name', ({in: [old, next], want}) => {
    expect(commitSubject(old, next)).toBe(want)
  })
})

it('the subject of a commit names installs where no package changes', () => {
  const [one, other] = ['team/a', 'team/b'].map(install => ({install, objects: []}))
  const subjectOf = (...installs: FolderSummary['installs']) =>
    commitSubject(lockOf(app), lockOf(app), installs)
  expect([subjectOf(), subjectOf(one!), subjectOf(one!, other!)]).toEqual([
    'Update packages',
    'Update team/a',
    'Update 2 installs',
  ])
})

describe('the message of a commit', () => {
  const summary = {
    ...{packages: [], gained: [], lost: [], images: [], owners: [], mismatches: []},
    ...{crds: [], bindings: [], baseRoles: [], installs: []},
  }

  it('has a subject that hosts show, and short lines', () => {
    expect(shortSubject(`Install ${'x'.repeat(100)}`)).toHaveLength(72)
    expect(shortSubject('Install x/a:v1')).toBe('Install x/a:v1')
    const crds = Array.from({length: 200}, (_, index) => ({
      name: `${'long'.repeat(40)}${index}.example.org`,
      change: 'added' as const,
    }))
    const message = commitMessage({
      ...{subject: 'Install x', oldLock: undefined, newLock: lockOf(), assumesNoInstances: false},
      summary: {...summary, crds},
    })
    expect(message.split('\n').filter(line => line.length > 100)).toEqual([])
  })

  it('has no command for CI in a line that is broken', () => {
    const rule = `use ${'x'.repeat(80)} ::stop-commands::token in ##[group]`
    const message = commitMessage({
      ...{subject: 'Install x', oldLock: undefined, newLock: lockOf(), assumesNoInstances: false},
      summary: {...summary, gained: [rule]},
    })
    expect(message).toContain(String.raw`\u003a:stop-commands::token in #\u0023[group]`)
  })

  it('names the package that is uninstalled, also if no version changes', () => {
    const [install] = app.installs
    const message = commitMessage({
      ...{subject: 'Drain x', oldLock: lockOf(app), newLock: lockOf(app), assumesNoInstances: false},
      summary,
      markedInstalls: [`${install?.namespace ?? ''}/${install?.name ?? ''}`],
    })
    expect(message).toContain(`Crossplane-Package: ${APP.identity}:v0.1.0\n`)
  })
})
