import {describe, expect, it} from '@jest/globals'
import {EMPTY_LOCK} from '../../../src/declaration/lock-document.js'
import {CrossplaneError} from '../../../src/errors.js'
import {declaredNames} from '../../../src/plan/declaration/declared-names.js'

const HEAD = 'apiVersion: packages.kubectl-crossplane.dev/v1alpha1\nkind: PackageDeclaration\npackages:\n'
const DIGEST = `sha256:${'a'.repeat(64)}`
const ENTRIES = `- package: example/app:v1
- package: r.example.org/lib
- package: example/fixed@${DIGEST}
- {package: example/ranged, version: ^1}
- {package: example/twice:v1, namespace: a}
- {package: example/twice:v1, namespace: b}
- crd: things.example.org
`
const named = (...names: readonly string[]) =>
  declaredNames({name: 'platform.yaml', bytes: Buffer.from(HEAD + ENTRIES)}, {names})

describe('declaredNames', () => {
  it('moves pins, in the entries that have the repository with its registry', () => {
    const {text, moves, named: identities, pinned} = named('lib:v2', 'example/app:v2')
    expect(text).toBe(HEAD + ENTRIES.replace('app:v1', 'app:v2').replace('/lib', '/lib:v2'))
    expect(moves).toEqual(['r.example.org/lib -> r.example.org/lib:v2', 'example/app:v1 -> example/app:v2'])
    expect({identities, pinned}).toEqual({identities: ['r.example.org/lib', 'example/app'], pinned: []})
  })

  it.each([
    {
      name: 'all pinned packages without names',
      in: [],
      want: [
        'example/app (v1)',
        `example/fixed (${DIGEST}, edit its digest by hand)`,
        'example/twice (v1)',
        'example/twice (v1)',
      ],
    },
    {name: 'a named package at its pin', in: ['example/app', 'lib'], want: ['example/app (v1)']},
    {name: 'no package whose pin is the tag already', in: ['example/app:v1'], want: []},
  ])('reports $name', ({in: names, want}) => {
    const {text, moves, pinned} = named(...names)
    expect({text, moves, pinned}).toEqual({text: HEAD + ENTRIES, moves: [], pinned: want})
  })

  it('completes repositories as the declaration does, unless the command line has another source', () => {
    const bytes = Buffer.from(`${HEAD}- package: app:v1\ndefaultSource: a.example.org\n`)
    const file = {name: 'platform.yaml', bytes}
    expect(declaredNames(file, {names: ['app']}).named).toEqual(['a.example.org/app'])
    expect(declaredNames(file, {names: ['app'], defaultSource: 'b.example.org'}).named).toEqual([
      'b.example.org/app',
    ])
  })

  it.each([
    {name: 'a package that is not declared', in: ['example/other:v2'], code: 'not-found', lines: []},
    {name: 'a CRD of the declaration', in: ['things.example.org:v2'], code: 'not-found', lines: []},
    {name: 'a package pinned by digest', in: ['example/fixed:v2'], code: 'input-invalid', lines: [6]},
    {name: 'a package with a range', in: ['example/ranged:v2'], code: 'input-invalid', lines: [7]},
    {name: 'two entries of one package', in: ['example/twice:v2'], code: 'input-invalid', lines: [8, 9]},
    {name: 'a digest', in: [`example/app:v2@${DIGEST}`], code: 'usage', lines: []},
    {name: 'a package twice', in: ['lib:v2', 'r.example.org/lib:v3'], code: 'usage', lines: []},
  ])('rejects $name', ({in: names, code, lines}) => {
    let thrown: unknown
    try {
      named(...names)
    } catch (error) {
      thrown = error
    }
    expect(thrown).toBeInstanceOf(CrossplaneError)
    expect(thrown).toMatchObject({code, diagnostics: lines.map(line => ({file: 'platform.yaml', line}))})
  })

  it.each([
    {name: 'of its entry', in: `packages:\n- package: example/app@${DIGEST}\n  pin: digest\n`},
    {name: 'of all', in: `xpkg: {pin: digest}\npackages:\n- package: example/app:v1@${DIGEST}\n`},
  ])('replaces the digest of a package that the pin $name requests by digest', ({in: text}) => {
    const bytes = Buffer.from(HEAD.replace('packages:\n', text))
    const xpkgs = [
      {repository: 'example/app', kind: 'Provider', mode: 'requested', requestedAs: [], tag: 'v1', more: {}},
    ]
    const lock = {...EMPTY_LOCK, xpkgs} as unknown as typeof EMPTY_LOCK
    // A rollback and a promotion know the format of the package.
    for (const own of [{lock}, {}]) {
      const {text: edited} = declaredNames(
        {name: 'platform.yaml', bytes},
        {names: ['example/app:v2'], ...own},
      )
      expect(edited).toBe(bytes.toString().replace(/app.*/, 'app:v2'))
    }
  })

  it.each([
    {name: 'whose tags are fixed', in: ['{}', '- package: APP'], want: '- package: TAG'},
    {
      name: 'whose tags are not fixed',
      in: ['{pin: tag}', '- package: APP  # mine\n  name: app'],
      want: '- package: TAG  # mine\n  pin: config\n  name: app',
    },
    {
      name: 'in flow style',
      in: ['{pin: tag}', '- {package: APP, name: app}'],
      want: '- {package: TAG, pin: config, name: app}',
    },
    {
      name: 'in flow style and quotes',
      in: ['{pin: tag}', '- {package: "APP", name: app}'],
      want: '- {package: "TAG", pin: config, name: app}',
    },
    {
      name: 'in JSON',
      in: ['{pin: tag}', `- {'name': 'app', 'package': 'APP'}`],
      want: `- {'name': 'app', 'package': 'TAG', 'pin': 'config'}`,
    },
    {
      name: 'with a pin of its own in quotes',
      in: ['{pin: config}', '- package: "APP"\n  pin: "tag" # not fixed'],
      want: '- package: "TAG"\n  pin: "config" # not fixed',
    },
    {
      name: 'whose cluster does not fix tags',
      in: ['{}', '- package: APP', 'tag'],
      want: '- package: TAG\n  pin: config',
    },
    {name: 'whose cluster fixes tags', in: ['{}', '- package: APP', 'config'], want: '- package: TAG'},
    {
      name: 'that has another pin than its cluster',
      in: ['{pin: config}', '- package: APP', 'tag'],
      want: '- package: TAG',
    },
    {
      name: 'with a pin of its own',
      in: ['{pin: config}', '- name: app\n  pin: tag\n  package: APP'],
      want: '- name: app\n  pin: config\n  package: TAG',
    },
  ])(
    'replaces a digest by a tag with the same content always, in a set $name',
    ({in: [xpkg = '', entry = '', usual], want}) => {
      const pin = usual === 'tag' || usual === 'config' ? usual : undefined
      const textOf = (entries: string) =>
        HEAD.replace('packages:\n', `xpkg: ${xpkg}\npackages:\n${entries}\n`)
      const bytes = Buffer.from(textOf(entry.replace('APP', `example/app@${DIGEST}`)))
      const xpkgs = [
        {
          repository: 'example/app',
          kind: 'Provider',
          mode: 'requested',
          requestedAs: [],
          tag: 'v1',
          more: {},
        },
      ]
      const lock = {...EMPTY_LOCK, xpkgs} as unknown as typeof EMPTY_LOCK
      const file = {name: 'platform.yaml', bytes}
      const {text: edited, moves} = declaredNames(file, {names: ['example/app:v2'], lock, pin})
      expect(edited).toBe(textOf(want.replace('TAG', 'example/app:v2')))
      expect(moves).toEqual([`example/app@${DIGEST} -> example/app:v2`])
      expect(declaredNames(file, {names: [], lock}).pinned).toEqual([`example/app (${DIGEST})`])
    },
  )

  it('says which pin an entry cannot get', () => {
    const entry = `- package: example/app@${DIGEST}\n  pin: *pin\n`
    const bytes = Buffer.from(HEAD.replace('packages:\n', `xpkg: {pin: &pin tag}\npackages:\n${entry}`))
    const names = ['example/app:v2']
    const lock = {...EMPTY_LOCK, xpkgs: [{repository: 'example/app'}]} as unknown as typeof EMPTY_LOCK
    expect(() => declaredNames({name: 'platform.yaml', bytes}, {names, lock})).toThrow(
      expect.objectContaining({
        message: expect.stringContaining('the entry cannot get pin: config, by which'),
        suggestions: ['Edit line 5 of platform.yaml by hand: example/app:v2, with pin: config'],
      }),
    )
  })

  it('keeps the digest of a package of v0.12, to which the pin of all does not apply', () => {
    const bytes = Buffer.from(
      HEAD.replace('packages:\n', `xpkg: {pin: digest}\npackages:\n- package: example/app:v1@${DIGEST}\n`),
    )
    expect(() =>
      declaredNames({name: 'platform.yaml', bytes}, {names: ['example/app:v2'], lock: EMPTY_LOCK}),
    ).toThrow('a digest pins it')
  })

  it('keeps the digest where the tag is the declared one', () => {
    const bytes = Buffer.from(
      HEAD.replace('packages:\n', `packages:\n- package: example/app:v1@${DIGEST}\n  pin: digest\n`),
    )
    const {text: edited, moves} = declaredNames({name: 'platform.yaml', bytes}, {names: ['example/app:v1']})
    expect({edited, moves}).toEqual({edited: bytes.toString(), moves: []})
  })

  it('takes the name of an entry, and suggests a similar package', () => {
    const bytes = Buffer.from(`${HEAD}- {package: example/app:v1, name: mine}\n`)
    const file = {name: 'platform.yaml', bytes}
    expect(declaredNames(file, {names: ['mine:v2']}).moves).toEqual(['example/app:v1 -> example/app:v2'])
    expect(() => declaredNames(file, {names: ['example/apq:v2']})).toThrow(
      expect.objectContaining({suggestions: expect.arrayContaining(['Did you mean example/app:v2?'])}),
    )
  })

  it('takes the last segment of the only repository that has it', () => {
    const bytes = Buffer.from(
      `${HEAD}- package: r.example.org/team/provider-sql:v1\n- package: a/lib:v1\n- package: b/lib:v1\n`,
    )
    const file = {name: 'platform.yaml', bytes}
    expect(declaredNames(file, {names: ['provider-sql:v2']}).moves).toEqual([
      'r.example.org/team/provider-sql:v1 -> r.example.org/team/provider-sql:v2',
    ])
    expect(() => declaredNames(file, {names: ['lib:v2']})).toThrow(
      'cannot upgrade "lib": it names a/lib and b/lib',
    )
  })

  it.each([
    {text: 'hlem:v1.1.0', want: 'Did you mean provider.pkg.crossplane.io/helm:v1.1.0?'},
    {text: 'provider-hlem:v1.1.0', want: 'Did you mean provider.pkg.crossplane.io/helm:v1.1.0?'},
    {
      text: 'r.example.org/team/provider-hlem:v1.1.0',
      want: 'Did you mean r.example.org/team/provider-helm:v1.1.0?',
    },
  ])('suggests $want, with the tag, for $text', ({text, want}) => {
    const bytes = Buffer.from(`${HEAD}- {package: r.example.org/team/provider-helm:v1.0.0, name: helm}\n`)
    const xpkg = {
      ...{repository: 'r.example.org/team/provider-helm', kind: 'Provider', name: 'helm', tag: 'v1.0.0'},
      ...{digest: DIGEST, requires: {}, summaryHash: DIGEST, mode: 'requested' as const, more: {}},
    }
    expect(() =>
      declaredNames({name: 'platform.yaml', bytes}, {names: [text], lock: {...EMPTY_LOCK, xpkgs: [xpkg]}}),
    ).toThrow(expect.objectContaining({suggestions: expect.arrayContaining([want])}))
  })

  it('says how to choose the version of a package that only others require', () => {
    const bytes = Buffer.from(`${HEAD}- package: r.example.org/team/app:v1.0.0\n`)
    const xpkg = {
      ...{repository: 'r.example.org/team/family', kind: 'Provider', name: 'team-family', tag: 'v1.0.0'},
      ...{digest: DIGEST, requires: {}, summaryHash: DIGEST, mode: 'requested' as const, more: {}},
    }
    const lock = {...EMPTY_LOCK, xpkgs: [xpkg]}
    const file = {name: 'platform.yaml', bytes}
    const repository = 'r.example.org/team/family'
    expect(() => declaredNames(file, {names: ['team-family:v2.0.0'], lock})).toThrow(
      expect.objectContaining({
        message: `package "${repository}" not found in packages of the declaration platform.yaml`,
        suggestions: [
          `Add "- package: ${repository}:v2.0.0" to packages in platform.yaml: only other packages require it.`,
          'Pass it without a tag for the newest version that they allow.',
        ],
      }),
    )
    expect(declaredNames(file, {names: ['team-family'], lock})).toMatchObject({
      named: [repository],
      moves: [],
    })
  })

  it.each(['my-helm', 'provider.pkg.crossplane.io/my-helm', 'r.example.org/team/provider-helm'])(
    'moves the pin of an entry with a name that the lock has: %s',
    name => {
      const bytes = Buffer.from(
        `${HEAD}- {package: r.example.org/team/provider-helm:v1.0.0, name: my-helm}\n`,
      )
      const xpkg = {
        ...{repository: 'r.example.org/team/provider-helm', kind: 'Provider', name: 'my-helm', tag: 'v1.0.0'},
        ...{digest: DIGEST, requires: {}, summaryHash: DIGEST, mode: 'requested' as const, more: {}},
      }
      const query = {names: [`${name}:v1.1.0`], lock: {...EMPTY_LOCK, xpkgs: [xpkg]}}
      const {named: identities, text} = declaredNames({name: 'platform.yaml', bytes}, query)
      expect(identities).toEqual(['r.example.org/team/provider-helm'])
      expect(text).toContain('provider-helm:v1.1.0')
    },
  )
})
