import {describe, expect, it} from '@jest/globals'
import {CrossplaneError} from '../../../src/errors.js'
import {conflictInWords} from '../../../src/resolve/xpkg/conflict-in-words.js'
import {resolveXpkgs} from '../../../src/resolve/xpkg/resolve-xpkgs.js'
import type {XpkgCatalog, XpkgContent} from '../../../src/resolve/xpkg/xpkg-catalog.js'
import {xpkgConflicts} from '../../../src/resolve/xpkg/xpkg-conflicts.js'
import type {XpkgRequest} from '../../../src/resolve/xpkg/xpkg-model.js'

/** `NAME@VERSION (KIND)` with its requirements, `NAME CONSTRAINT`. */
type World = Readonly<Record<string, readonly string[]>>

const DIGEST = `sha256:${'a'.repeat(64)}`

/** A catalog of these packages, and the versions that were read. */
function catalogOf(world: World, core: Readonly<Record<string, string>> = {}) {
  const reads: string[] = []
  const contents = new Map<string, XpkgContent>()
  for (const [key, requirements] of Object.entries(world)) {
    const [, id = '', kind = 'Provider'] = /^(\S+)(?: \((\w+)\))?$/.exec(key) ?? []
    const dependencies = requirements.map(text => {
      const [, name = '', version = ''] = /^(\S+) (.*)$/.exec(text) ?? []
      return {apiVersion: 'pkg.crossplane.io/v1', kind: 'Provider', package: `r.io/${name}`, version}
    })
    const crossplane = core[id]
    contents.set(`r.io/${id}`, {kind, dependencies, ...(crossplane === undefined ? {} : {crossplane})})
  }
  const catalog: XpkgCatalog = {
    tags: repository =>
      Promise.resolve(
        [...contents.keys()].flatMap(id => {
          const [name, version = ''] = id.split('@')
          return name === repository && !version.startsWith('sha256:') ? [version] : []
        }),
      ),
    read: async (repository, version) => {
      reads.push(`${repository.slice(5)}@${version}`)
      const content = contents.get(`${repository}@${version}`)
      if (content === undefined) throw new CrossplaneError('not-found', 'no such version')
      return await Promise.resolve(content)
    },
    digestOf: (repository, tag) => Promise.resolve(contents.get(`${repository}@${tag}`)?.digest),
  }
  return {catalog, reads}
}

async function resolve(world: World, request: Partial<XpkgRequest> = {}, core = {}) {
  const {catalog, reads} = catalogOf(world, core)
  const roots = [{repository: 'r.io/app', version: 'v1.0.0'}]
  const result = await resolveXpkgs({roots, rules: ['v1', 'v3'], ...request}, catalog, {isSpent: () => false})
  if (result.kind === 'rejected') {
    const conflict = conflictInWords(result.diagnostics, request.coreVersion)
    return {rejected: result.diagnostics.map(({message}) => message), conflict, reads}
  }
  const selected = result.packages.map(({repository, version}) => `${repository.slice(5)}@${version}`)
  return {selected, reads, notes: xpkgConflicts(result.packages).map(({rule}) => rule)}
}

describe('resolveXpkgs', () => {
  it('selects the newest versions, and reads no others', async () => {
    expect(
      await resolve({'app@v1.0.0': ['a >=v1.0.0'], 'a@v1.0.0': [], 'a@v1.2.0': [], 'a@v1.3.0-rc.1': []}),
    ).toEqual({selected: ['app@v1.0.0', 'a@v1.2.0'], reads: ['app@v1.0.0', 'a@v1.2.0'], notes: []})
  })

  it('selects an older version if a deeper requirement excludes the newest one', async () => {
    const {selected} = await resolve({
      'app@v1.0.0': ['a *', 'b *'],
      'a@v2.0.0': ['c >=v2.0.0'],
      'a@v1.0.0': ['c *'],
      'b@v1.0.0': ['c <v2.0.0'],
      'c@v1.5.0': [],
      'c@v2.0.0': [],
    })
    expect(selected).toEqual(['app@v1.0.0', 'a@v1.0.0', 'b@v1.0.0', 'c@v1.5.0'])
  })

  it('names only the requirements that cannot be satisfied together', async () => {
    const {rejected} = await resolve({
      'app@v1.0.0': ['other *', 'a *', 'b *'],
      'other@v1.0.0': [],
      'a@v1.0.0': ['c ^v1.0.0'],
      'b@v1.0.0': ['c ^v2.0.0'],
      'c@v1.0.0': [],
      'c@v2.0.0': [],
    })
    expect(rejected).toEqual([
      'r.io/app v1.0.0 was requested',
      'r.io/app:v1.0.0 requires r.io/a *; satisfied by v1.0.0',
      'r.io/app:v1.0.0 requires r.io/b *; satisfied by v1.0.0',
      'r.io/a:v1.0.0 requires r.io/c ^v1.0.0; satisfied by v1.0.0',
      'r.io/b:v1.0.0 requires r.io/c ^v2.0.0; satisfied by v2.0.0',
    ])
  })

  it.each<{name: string; world: World; want: string}>([
    {name: 'no repository', world: {}, want: 'r.io/app:v1.0.0 requires r.io/a *; it has no tags'},
    {
      name: 'another kind',
      world: {'a@v1.0.0 (Function)': []},
      want: 'r.io/app:v1.0.0 requires r.io/a *; v1.0.0 is a Function, not a Provider',
    },
    {
      name: 'tags that are not complete versions',
      world: {'a@v1': [], 'a@latest': []},
      want: 'r.io/app:v1.0.0 requires r.io/a *; no version satisfies it: it has v1, latest',
    },
  ])('explains a dependency with $name', async ({world, want}) => {
    const {rejected} = await resolve({'app@v1.0.0': ['a *'], ...world})
    expect(rejected?.at(-1)).toBe(want)
  })

  it.each([
    {core: 'v2.1.0', want: 'a@v2.5.0'},
    {core: 'v2.3.4', want: 'a@v1.9.0'},
    {core: undefined, want: 'a@v1.9.0'},
  ])('reads constraints as Crossplane $core does, or as all do', async ({core, want}) => {
    const world = {'app@v1.0.0': ['a <2'], 'a@v1.9.0': [], 'a@v2.5.0': []}
    const {selected} = await resolve(world, {
      rules: core === undefined ? ['v1', 'v3'] : core === 'v2.1.0' ? ['v1'] : ['v3'],
    })
    expect(selected?.at(-1)).toBe(want)
  })

  it('excludes versions that are not for the version of Crossplane', async () => {
    const world = {'app@v1.0.0': ['a *'], 'a@v1.0.0': [], 'a@v2.0.0': []}
    const core = {'a@v2.0.0': '>=v2.4.0'}
    expect((await resolve(world, {coreVersion: 'v2.3.4', rules: ['v3']}, core)).selected).toEqual([
      'app@v1.0.0',
      'a@v1.0.0',
      ...[],
    ])
    expect((await resolve(world, {}, core)).selected?.at(-1)).toBe('a@v2.0.0')
  })

  it.each<{name: string; world: World; want: string | undefined}>([
    {
      name: 'the version of Crossplane',
      world: {'app@v1.0.0': []},
      want: 'Crossplane v1.20.0 does not satisfy >=v2.0.0',
    },
    {
      name: 'versions',
      world: {'app@v1.0.0': ['a >=v2.0.0'], 'a@v1.0.0': []},
      want: 'no version of r.io/a satisfies >=v2.0.0',
    },
    {name: 'no other kind', world: {'app@v1.0.0': ['a *'], 'a@v1.0.0 (Function)': []}, want: undefined},
    {
      name: 'no invalid constraint',
      world: {'app@v1.0.0': ['a newest'], 'a@v1.0.0': []},
      want: undefined,
    },
  ])('blames $name in words', async ({name, world, want}) => {
    const core = name.includes('Crossplane') ? {'app@v1.0.0': '>=v2.0.0'} : {}
    const result = await resolve(world, {coreVersion: 'v1.20.0', rules: ['v1']}, core)
    expect(result.rejected).toBeDefined()
    expect(result.conflict).toBe(want)
  })

  it.each(['offline', 'access-denied', 'registry-unreachable'] as const)(
    'names the dependent of what cannot be read: %s',
    async code => {
      const {catalog} = catalogOf({'app@v1.0.0 (Configuration)': ['sql >=v1.0.0']})
      const tags = async (repository: string) => {
        if (repository === 'r.io/sql') throw new CrossplaneError(code, 'no way')
        return await catalog.tags(repository)
      }
      const request = {roots: [{repository: 'r.io/app', version: 'v1.0.0'}], rules: ['v1'] as const}
      const resolving = resolveXpkgs(request, {...catalog, tags}, {isSpent: () => false})
      const reason = await resolving.then(
        result => (result.kind === 'rejected' ? result.blocked[0] : undefined),
        (error: unknown) => error,
      )
      expect(reason).toMatchObject({
        code,
        message: 'cannot read a dependency of r.io/app:v1.0.0: no way',
      })
    },
  )

  it('selects a digest for a digest alone', async () => {
    const world = {'app@v1.0.0': [`a ${DIGEST}`], [`a@${DIGEST}`]: [], 'a@v1.0.0': []}
    expect((await resolve(world)).selected?.at(-1)).toBe(`a@${DIGEST}`)
    const both = {...world, 'app@v1.0.0': [`a ${DIGEST}`, 'b *'], 'b@v1.0.0': ['a *']}
    expect((await resolve(both)).rejected).toBeDefined()
  })

  it('reports a cycle, and packages that get the same name', async () => {
    const cyclic = {'app@v1.0.0': ['a *'], 'a@v1.0.0': ['app *']}
    expect(await resolve(cyclic)).toMatchObject({selected: ['app@v1.0.0', 'a@v1.0.0'], notes: ['xpkg-cycle']})
    const same = {'app@v1.0.0': ['x/a *', 'x-a *'], 'x/a@v1.0.0': [], 'x-a@v1.0.0': []}
    expect(await resolve(same)).toMatchObject({notes: ['xpkg-same-name']})
  })
})
