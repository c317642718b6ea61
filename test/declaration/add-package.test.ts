import {describe, expect, it} from '@jest/globals'
import {newDeclaration, withPackage} from '../../src/declaration/add-package.js'
import {type DeclaredSettings, withSettings} from '../../src/declaration/add-settings.js'
import {readDeclaration} from '../../src/declaration/read-declaration.js'
import {outcome} from '../outcome.js'

const HEAD = 'apiVersion: packages.kubectl-crossplane.dev/v1alpha1\nkind: PackageDeclaration\n'
const PARAMETERS = {imagePullSecrets: [], serviceAccountAnnotations: {}}
const ENTRY = {package: 'x/b:v1', namespace: 'team', parameters: PARAMETERS}
const file = (text: string) => ({name: 'a.yaml', bytes: Buffer.from(text)})

describe('an entry of a declaration', () => {
  it.each([
    {name: 'the last one', before: 'packages:\n- package: x/a\n', after: ''},
    {
      name: 'one with fields',
      before: 'packages:\n- package: x/a\n  parameters:\n    source: a.org\n',
      after: '',
    },
    {name: 'a comment of its own', before: 'packages:\n- package: x/a\n  # of x/a\n', after: '\n# of all\n'},
    {
      name: 'a comment of what follows',
      before: 'packages:\n- package: x/a\n',
      after: '# owners\nowners: {}\n',
    },
    {
      name: 'a literal text',
      before: 'packages:\n- namespace: |-\n    a\n  package: x/a\n',
      after: 'systemNamespace: b\n',
    },
  ])('is added after $name', ({before, after}) => {
    const text = withPackage(file(`${HEAD}${before}${after}`), ENTRY)
    expect(text).toBe(`${HEAD}${before}- package: x/b:v1\n  namespace: team\n${after}`)
  })

  it.each([
    {name: 'an empty list', line: 'packages: []', key: 'packages:'},
    {name: 'an empty list with a comment', line: 'packages: [ ] # none', key: 'packages: # none'},
  ])('is added to $name', ({line, key}) => {
    const text = withPackage(file(`${HEAD}${line}\nowners: {}\n`), ENTRY)
    expect(text).toBe(`${HEAD}${key}\n- package: x/b:v1\n  namespace: team\nowners: {}\n`)
  })

  it('ends a last line without a break', () => {
    expect(withPackage(file(`${HEAD}packages:\n- package: x/a`), ENTRY)).toBe(
      `${HEAD}packages:\n- package: x/a\n- package: x/b:v1\n  namespace: team\n`,
    )
  })

  it('has its parameters', () => {
    const parameters = {
      source: 'a.org',
      imagePullPolicy: 'Always',
      imagePullSecrets: ['s'],
      serviceAccountAnnotations: {'a.org/b': 'yes'},
      revisionActivationPolicy: 'Manual',
      revisionHistoryLimit: 0,
    } as const
    const runtime = {replicas: 2, env: [{name: 'A', value: 'b: c'}], resources: {limits: {cpu: '1'}}}
    const entry = {crd: 'as.x.org', name: 'my-n', parameters, runtime}
    const text = newDeclaration(entry)
    expect(readDeclaration('a.yaml', Buffer.from(text)).packages).toEqual([entry])
    expect(text.startsWith(`${HEAD}packages:\n- crd: as.x.org\n  name: my-n\n  parameters:\n`)).toBe(true)
  })

  it('is not added to a list in brackets', async () => {
    expect(await outcome(() => withPackage(file(`${HEAD}packages: [{package: x/a}]\n`), ENTRY))).toBe(
      'input-invalid',
    )
  })
})

const NONE: DeclaredSettings = {render: {}, assume: [], owners: []}
const PACKAGES = 'packages:\n- package: x/a\n'

describe('the settings of a declaration', () => {
  it.each<{name: string; before: string; settings: Partial<DeclaredSettings>; after: string}>([
    {
      name: 'after kind and apiVersion',
      before: `${HEAD}# mine\n${PACKAGES}`,
      settings: {
        render: {base: true},
        defaultSource: 'a.org',
        assume: ['as.x.org'],
        owners: [{group: 'x.org', package: 'x/a'}],
      },
      after: `${HEAD}assume:\n- as.x.org\nowners:\n  x.org: x/a\nrender:\n  base: true\ndefaultSource: a.org\n# mine\n${PACKAGES}`,
    },
    {
      name: 'beside others of the same field',
      before: `${HEAD}render: # how\n    api: packages\nassume:\n  - as.x.org\n${PACKAGES}`,
      settings: {render: {base: true, api: 'packages'}, assume: ['bs.x.org']},
      after: `${HEAD}render: # how\n    base: true\n    api: packages\nassume:\n  - bs.x.org\n  - as.x.org\n${PACKAGES}`,
    },
    {
      name: 'with what they require',
      before: `${HEAD}${PACKAGES}`,
      settings: {tree: {layout: 'argocd', repoURL: 'https://git.example.org/a'}, render: {base: true}},
      after: `${HEAD}render:\n  base: true\nlayout: argocd\nargocd:\n  repoURL: https://git.example.org/a\n${PACKAGES}`,
    },
    {
      name: 'beside settings that only a declaration has',
      before: `${HEAD}layout: flux\nflux: {interval: 5m}\n${PACKAGES}`,
      settings: {tree: {layout: 'flux'}},
      after: `${HEAD}layout: flux\nflux: {interval: 5m}\n${PACKAGES}`,
    },
    {
      name: 'not at all if they are there',
      before: `${HEAD}crossplaneVersion: none\n${PACKAGES}`,
      settings: {crossplaneVersion: 'none'},
      after: `${HEAD}crossplaneVersion: none\n${PACKAGES}`,
    },
  ])('are added $name', ({before, settings, after}) => {
    expect(withSettings(file(before), {...NONE, ...settings})).toBe(after)
  })

  it.each([
    {
      name: 'between two lines',
      before: 'xpkg: # how\r\n  pin: "tag"\r\n  resolver: \'on\' # off later\r\n',
      xpkg: {pin: 'digest', resolver: 'off'},
      after: 'xpkg: # how\r\n  pin: "digest"\r\n  resolver: \'off\' # off later\r\n',
    },
    {
      name: 'back',
      before: 'xpkg:\n  resolver: off\n  pin: digest\n',
      xpkg: {resolver: 'on', pin: 'config'},
      after: 'xpkg:\n  resolver: on\n  pin: config\n',
    },
    {
      name: 'in braces',
      before: 'xpkg: {resolver: off, pin: config} # resolver: off\n',
      xpkg: {resolver: 'on'},
      after: 'xpkg: {resolver: on, pin: config} # resolver: off\n',
    },
    {
      name: 'beside one that is added',
      before: 'xpkg:\n  pin: digest\n',
      xpkg: {resolver: 'on', pin: 'tag'},
      after: "xpkg:\n  resolver: 'on'\n  pin: tag\n",
    },
  ] as const)('are replaced $name', ({before, xpkg, after}) => {
    const packages = PACKAGES.replaceAll('\n', before.includes('\r') ? '\r\n' : '\n')
    const edited = withSettings(file(`${HEAD}${before}${packages}`), {...NONE, xpkg}, {replaces: true})
    expect(edited).toBe(`${HEAD}${after}${packages}`)
  })

  it.each([
    {name: 'without the flag', before: 'resolver: off', replaces: false, code: 'usage'},
    {
      name: 'on another line than its key',
      before: 'resolver:\n    off',
      replaces: true,
      code: 'input-invalid',
    },
    {
      name: 'that the other one excludes',
      before: 'resolver: off\n  pin: digest',
      replaces: true,
      code: 'input-invalid',
    },
  ])('are not replaced $name', async ({before, replaces, code}) => {
    const replace = () =>
      withSettings(
        file(`${HEAD}xpkg:\n  ${before}\n${PACKAGES}`),
        {...NONE, xpkg: {resolver: 'on'}},
        {replaces},
      )
    expect(await outcome(replace)).toBe(code)
  })

  it('are rejected for another layout, or another repository', async () => {
    const before = `${HEAD}layout: argocd\nargocd: {repoURL: https://git.example.org/a}\n${PACKAGES}`
    const add = (tree: DeclaredSettings['tree']) => withSettings(file(before), {...NONE, tree})
    expect(add({layout: 'argocd', repoURL: 'https://git.example.org/a'})).toBe(before)
    for (const tree of [
      {layout: 'flux'},
      {layout: 'argocd', repoURL: 'https://git.example.org/b'},
    ] as const) {
      expect(await outcome(() => add(tree))).toBe('usage')
    }
  })

  it.each([
    {tree: {layout: 'flux', repoURL: 'https://git.example.org/a'}},
    {tree: {repoURL: 'https://git.example.org/a'}},
    {tree: {layout: 'argocd'}},
  ] as const)(
    'are rejected for the layout $tree.layout with the repository $tree.repoURL',
    async ({tree}) => {
      expect(await outcome(() => withSettings(file(`${HEAD}${PACKAGES}`), {...NONE, tree}))).toBe('usage')
    },
  )

  it.each([
    {name: 'another value', before: 'render: {base: false}\n', code: 'usage'},
    {name: 'a map in braces', before: 'render: {api: packages}\n', code: 'input-invalid'},
  ])('are rejected beside $name', async ({before, code}) => {
    expect(
      await outcome(() => withSettings(file(`${HEAD}${before}${PACKAGES}`), {...NONE, render: {base: true}})),
    ).toBe(code)
  })
})
