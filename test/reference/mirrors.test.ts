import {describe, expect, it} from '@jest/globals'
import fc from 'fast-check'
import {canonicalSource, mirroredRepository} from '../../src/reference/mirrors.js'
import {parsePackageImage} from '../../src/reference/package-reference.js'
import {formatRepository, repositoryOf} from '../../src/reference/repository.js'
import {outcome} from '../outcome.js'

const mirrored = (text: string, mirrors: Readonly<Record<string, string>>) => {
  const {registry, path} = mirroredRepository(repositoryOf(parsePackageImage(text)), mirrors)
  return `${registry}/${path}`
}

interface Case {
  readonly reason: string
  readonly in: string
  readonly mirrors: Readonly<Record<string, string>>
  readonly want: string
}

describe('mirroredRepository', () => {
  it.each<Case>([
    {
      reason: 'no registry has a mirror',
      in: 'r.example.org/team/x',
      mirrors: {},
      want: 'r.example.org/team/x',
    },
    {
      reason: 'a whole registry',
      in: 'r.example.org/team/x',
      mirrors: {'r.example.org': 'm.example.org'},
      want: 'm.example.org/team/x',
    },
    {
      reason: 'a whole registry, below a path',
      in: 'r.example.org/team/x',
      mirrors: {'r.example.org': 'm.example.org:5000/hub/a'},
      want: 'm.example.org:5000/hub/a/team/x',
    },
    {
      reason: 'a path of a registry',
      in: 'r.example.org/team/x',
      mirrors: {'r.example.org/team': 'm.example.org'},
      want: 'm.example.org/x',
    },
    {
      reason: 'a path that only begins alike is another',
      in: 'r.example.org/team-b/x',
      mirrors: {'r.example.org/team': 'm.example.org'},
      want: 'r.example.org/team-b/x',
    },
    {
      reason: 'a path does not match the end of another',
      in: 'r.example.org/a/team/x',
      mirrors: {'r.example.org/team': 'm.example.org'},
      want: 'r.example.org/a/team/x',
    },
    {
      reason: 'one repository by itself',
      in: 'r.example.org/team/x',
      mirrors: {'r.example.org/team/x': 'm.example.org/copy-of-x'},
      want: 'm.example.org/copy-of-x',
    },
    {
      reason: 'the longest path, in any order',
      in: 'r.example.org/team/x',
      mirrors: {
        'r.example.org': 'a.example.org',
        'r.example.org/team': 'b.example.org',
        'r.example.org/te': 'c.example.org',
      },
      want: 'b.example.org/x',
    },
    {
      reason: 'another port is another registry',
      in: 'r.example.org:5000/x',
      mirrors: {'r.example.org': 'm.example.org'},
      want: 'r.example.org:5000/x',
    },
    {
      reason: 'hosts have no case',
      in: 'R.example.org/x',
      mirrors: {'r.Example.org': 'M.example.org'},
      want: 'm.example.org/x',
    },
    {
      reason: 'trailing slashes are ignored',
      in: 'r.example.org/team/x',
      mirrors: {'r.example.org/team/': 'm.example.org/hub/'},
      want: 'm.example.org/hub/x',
    },
    {
      reason: 'a name without a registry is of docker.io',
      in: 'crossplane/x',
      mirrors: {'docker.io': 'm.example.org/hub'},
      want: 'm.example.org/hub/crossplane/x',
    },
    {
      reason: 'a single name is in library',
      in: 'x',
      mirrors: {'docker.io': 'm.example.org/hub'},
      want: 'm.example.org/hub/library/x',
    },
    {
      reason: 'library by itself',
      in: 'x',
      mirrors: {'docker.io/library': 'm.example.org'},
      want: 'm.example.org/x',
    },
    {
      reason: 'another name of docker.io',
      in: 'crossplane/x',
      mirrors: {'registry-1.docker.io/crossplane': 'm.example.org'},
      want: 'm.example.org/x',
    },
    {
      reason: 'a path without a registry is of docker.io',
      in: 'crossplane/x',
      mirrors: {crossplane: 'm.example.org'},
      want: 'm.example.org/x',
    },
    {
      reason: 'docker.io as a mirror keeps single names in library',
      in: 'r.example.org/x',
      mirrors: {'r.example.org': 'index.docker.io'},
      want: 'docker.io/library/x',
    },
    {
      reason: 'a path of docker.io as a mirror',
      in: 'r.example.org/x',
      mirrors: {'r.example.org': 'copies'},
      want: 'docker.io/copies/x',
    },
    {
      reason: 'a mirror is contacted itself, and not its own mirror',
      in: 'a.example.org/x',
      mirrors: {'a.example.org': 'b.example.org', 'b.example.org': 'c.example.org'},
      want: 'b.example.org/x',
    },
    {
      reason: 'an invalid registry contains no repository',
      in: 'x',
      mirrors: {'not a registry': 'm.example.org'},
      want: 'docker.io/library/x',
    },
    {
      reason: 'members of every JavaScript object are not registries',
      in: 'constructor/x',
      mirrors: {},
      want: 'docker.io/constructor/x',
    },
  ])('$in: $reason', ({in: text, mirrors, want}) => {
    expect(mirrored(text, mirrors)).toBe(want)
  })

  it.each(['m.example.org', 'not a registry'])(
    'a repository without a mirror is not changed: %s',
    async to => {
      expect(await outcome(() => mirrored('r.example.org/team', {'r.example.org/team': to}))).toBe('usage')
    },
  )
})

const segment = fc.constantFrom('a', 'b', 'ab', 'a-b', 'library')
const path = (minLength: number) =>
  fc.array(segment, {minLength, maxLength: 3}).map(segments => segments.join('/'))
const host = fc.constantFrom('r.example.org', 'r.example.org:5000', 'docker.io', 'index.docker.io')
const place = fc
  .tuple(host, path(0))
  .map(([registry, rest]) => (rest === '' ? registry : `${registry}/${rest}`))
const named = fc.tuple(host, path(1)).map(([registry, rest]) => `${registry}/${rest}`)

/** The same by texts alone: what begins with a registry and a slash lies in it. */
function oracle(repository: string, mirrors: Readonly<Record<string, string>>): string {
  const canonical = (text: string) => text.replace(/^index\.docker\.io(?=\/|$)/, 'docker.io')
  const inside = Object.keys(mirrors).filter(key => `${repository}/`.startsWith(`${canonical(key)}/`))
  const key = inside.sort((a, b) => canonical(b).length - canonical(a).length)[0]
  if (key === undefined) return repository
  const target = canonical(mirrors[key] ?? '') + repository.slice(canonical(key).length)
  return target.replace(/^docker\.io\/(?=[^/]*$)/, 'docker.io/library/')
}

describe('any repository and any mirrors', () => {
  it('the longest matching registry is replaced, and nothing else', () => {
    const mirrors = fc
      .uniqueArray(fc.tuple(place, place), {maxLength: 5, selector: ([from]) => canonicalSource(from)})
      .map(entries => Object.fromEntries(entries))
    let replaced = 0
    fc.assert(
      fc.property(named, mirrors, (text, each) => {
        const own = repositoryOf(parsePackageImage(text))
        const want = oracle(`${own.registry}/${own.path}`, each)
        fc.pre(want.includes('/'))
        replaced += Number(want !== `${own.registry}/${own.path}`)
        const got = mirroredRepository(own, each)
        expect(`${got.registry}/${got.path}`).toBe(want)
        expect(repositoryOf(parsePackageImage(formatRepository(got)))).toEqual(got)
      }),
      {numRuns: 1000},
    )
    expect(replaced).toBeGreaterThan(100)
  })
})
