import {describe, expect, it} from '@jest/globals'
import {CrossplaneError, type ErrorCode} from '../../../src/errors.js'
import {formatSummary, type PackageSummary} from '../../../src/index/package-summary.js'
import {listedSummaries} from '../../../src/index/summaries.js'
import type {Catalog, OpenPackage} from '../../../src/resolve/catalog/catalog.js'
import {collectSummaries} from '../../../src/resolve/catalog/collect-summaries.js'
import {type ReadCatalog, solveAndRead} from '../../../src/resolve/packages/solve-and-read.js'
import {parseCrdRequirement} from '../../../src/resolve/requirement.js'
import {input, version} from '../world.js'
import {packageOf} from './opened-package.js'
import {published, registryOf} from './published-packages.js'

const truth = version('example/sql:v1.0.0', {owns: ['databases.sql.org/v1']})
const lie = version('example/sql:v2.0.0', {owns: ['databases.sql.org/v1,v2']})
const app = version('example/app:v1.0.0', {requires: ['databases.sql.org/v1']})

/** A catalog of packages that are as their summaries say, but for those given. */
function catalog(
  open: Readonly<Record<string, OpenPackage | ErrorCode>>,
  opened: string[],
): Pick<Catalog, 'open' | 'contradictionOf'> {
  return {
    contradictionOf: () => Promise.resolve(undefined),
    open: version => {
      const name = formatSummary(version)
      opened.push(name)
      const found = open[name] ?? packageOf(version as PackageSummary)
      return typeof found === 'string'
        ? Promise.reject(new CrossplaneError(found, 'it is not to be had'))
        : Promise.resolve(found)
    },
  }
}

const policy = {
  facts: [],
  owners: [],
  allowVersionMismatch: false,
  systemNamespace: 'crossplane-system',
  budget: {isSpent: () => false},
}
const asked = input(['example/app'], [app, truth, lie])
const honest = packageOf(version('example/sql:v2.0.0', {owns: ['databases.sql.org/v2']}))

interface Case {
  readonly name: string
  readonly reason: string
  readonly in: Readonly<Record<string, OpenPackage | ErrorCode>>
  readonly want: readonly string[]
}

describe('solveAndRead', () => {
  it.each<Case>([
    {name: 'the truth', reason: 'the newest', in: {}, want: ['example/app:v1.0.0', 'example/sql:v2.0.0']},
    {
      name: 'a lie',
      reason: 'the next best',
      in: {'example/sql:v2.0.0': honest},
      want: ['example/app:v1.0.0', 'example/sql:v1.0.0'],
    },
    {
      name: 'one that is private',
      reason: 'the next best',
      in: {'example/sql:v2.0.0': 'access-denied'},
      want: ['example/app:v1.0.0', 'example/sql:v1.0.0'],
    },
    {
      name: 'one that vanished',
      reason: 'the next best',
      in: {'example/sql:v2.0.0': 'not-found'},
      want: ['example/app:v1.0.0', 'example/sql:v1.0.0'],
    },
    {
      name: 'one that is broken',
      reason: 'the next best',
      in: {'example/sql:v2.0.0': 'package-invalid'},
      want: ['example/app:v1.0.0', 'example/sql:v1.0.0'],
    },
    ...(['unsupported', 'source-invalid', 'source-unsafe', 'limit-exceeded'] as const).map(code => ({
      name: `one that cannot be read (${code})`,
      reason: 'the next best',
      in: {'example/sql:v2.0.0': code},
      want: ['example/app:v1.0.0', 'example/sql:v1.0.0'],
    })),
  ])('$name: $reason', async ({in: open, want}) => {
    const result = await solveAndRead(asked, policy, catalog(open, []))
    const names =
      result.kind === 'resolved' ? [...result.opened.values()].map(({located}) => located.name) : []
    expect(names).toEqual(want)
  })

  it('rejects when no version is left, with reasons', async () => {
    const all = {'example/sql:v1.0.0': 'access-denied', 'example/sql:v2.0.0': honest} as const
    const result = await solveAndRead(asked, policy, catalog(all, []))
    const rules = result.kind === 'rejected' ? result.diagnostics.map(({rule}) => rule) : []
    expect(rules).toEqual(expect.arrayContaining(['stale-version', 'private-version', 'lying-version']))
  })

  it('fails when the network fails, rather than selecting another version', async () => {
    const broken = catalog({'example/sql:v2.0.0': 'registry-unreachable'}, [])
    await expect(solveAndRead(asked, policy, broken)).rejects.toMatchObject({code: 'registry-unreachable'})
  })

  it('names the package when there is another error', async () => {
    const broken = catalog({'example/sql:v2.0.0': 'registry-failed'}, [])
    await expect(solveAndRead(asked, policy, broken)).rejects.toThrow(/^cannot read example\/sql:v2\.0\.0: /)
  })

  it('stops on an index in which many entries are wrong', async () => {
    const entries = Array.from({length: 200}, (_, at) =>
      version(`example/sql:v1.0.${at}`, {owns: ['databases.sql.org/v1']}),
    )
    const opened: string[] = []
    const all = Object.fromEntries(entries.map(each => [formatSummary(each), honest]))
    const run = solveAndRead(input(['example/app'], [app, ...entries]), policy, catalog(all, opened))
    await expect(run).rejects.toMatchObject({
      code: 'unresolvable',
      diagnostics: expect.arrayContaining([
        expect.objectContaining({subject: {package: 'example/sql', tag: 'v1.0.199'}}),
      ]),
    })
    expect(opened.length).toBeLessThan(60)
  })

  it('stops when the time limit is reached while excluding wrong entries', async () => {
    let looks = 0
    const budget = {isSpent: (steps: number) => steps === 0 && ++looks > 0}
    const run = solveAndRead(asked, {...policy, budget}, catalog({'example/sql:v2.0.0': honest}, []))
    await expect(run).rejects.toMatchObject({code: 'timeout'})
  })

  it('verifies entries against the registry before it reads packages', async () => {
    const real = [app, truth, lie].map(published)
    const forged = {
      ...version('example/sql:v3.0.0', {owns: ['databases.sql.org/v1']}),
      digest: real[1]?.digest,
    }
    const hidden = {...lie, digest: `sha256:${'0'.repeat(64)}`}
    const result = await solveAndRead(
      input(['example/app'], [...real, forged, hidden]),
      policy,
      registryOf(real),
    )
    expect(
      result.kind === 'resolved' && [...result.opened.values()].map(({located}) => located.reference?.tag),
    ).toEqual(['v1.0.0', 'v2.0.0'])
    expect(
      result.kind === 'resolved' && result.resolution.notes.map(({rule, message}) => [rule, message]),
    ).toEqual(
      expect.arrayContaining([
        ['lying-version', expect.stringContaining('example/sql:v3.0.0')],
        ['lying-version', expect.stringContaining('example/sql:v2.0.0')],
      ]),
    )
  })

  it.each([
    {
      name: 'a requirement that the package does not have',
      lie: {requires: ['nothing.here.org'], owns: ['databases.sql.org/v1,v2']},
    },
    {name: 'a CRD that the package does not own, instead of its own', lie: {owns: ['tables.sql.org/v1']}},
    {name: 'other versions', lie: {owns: ['databases.sql.org/v9']}},
  ])('replaces an entry that invents $name, before it refuses', async ({lie: content}) => {
    const [theApp, real] = [app, truth].map(published)
    const forged = {...version('example/sql:v1.0.0', content), digest: real?.digest}
    const catalog = {...registryOf([theApp!, real!]), carrierOf: () => 'evil.example.org/index'}
    const result = await solveAndRead(
      input(['example/app', 'example/sql'], [theApp!, forged]),
      policy,
      catalog,
    )
    expect(result.kind === 'resolved' && result.resolution.packages.map(each => each.summary.crds)).toEqual([
      [],
      truth.crds,
    ])
    expect(result.kind === 'resolved' && result.resolution.notes.map(({message}) => message)).toEqual([
      expect.stringMatching(
        /^example\/sql:v1\.0\.0 is read from its package: its entry in evil\.example\.org\/index is wrong/,
      ),
    ])
  })

  it('prefers the entry that its package confirms to others of the same bytes, and reads these once', async () => {
    const [theApp, real] = [app, truth].map(published)
    const lies = ['v9', 'v0.0.0', real!.tag.replace('v', '')].map(forged => ({...real!, version: forged}))
    let reads = 0
    const registry = registryOf([theApp!, real!])
    const counted: ReadCatalog = {
      ...registry,
      open: version => ((reads += Number(version.identity === real!.identity)), registry.open(version)),
    }
    const open = input(['example/app', 'example/sql'], [...lies, theApp!, real!])
    const result = await solveAndRead(open, policy, counted)
    expect(result.kind === 'resolved' && result.resolution.packages.map(({summary}) => summary)).toEqual([
      theApp,
      real,
    ])
    const notes = result.kind === 'resolved' ? result.resolution.notes : []
    expect({reads, notes: notes.map(({rule, message}) => [rule, message])}).toEqual({
      reads: 1,
      notes: [['lying-version', expect.stringMatching(/its entry is wrong about its version$/)]],
    })
  })

  it('takes a false claim to a CRD from a candidate before it reports an ambiguous owner', async () => {
    const real = [app, truth, version('evil/sql:v9.0.0', {owns: ['others.evil.org']})].map(published)
    const forged = {...version('evil/sql:v9.0.0', {owns: ['databases.sql.org/v1']}), digest: real[2]?.digest}
    const result = await solveAndRead(
      input(['example/app'], [real[0]!, real[1]!, forged]),
      policy,
      registryOf(real),
    )
    expect(result.kind === 'resolved' && [...result.opened.keys()]).toEqual(['example/app', 'example/sql'])
  })

  it('verifies entries that hide what a newer version requires', async () => {
    const old = version('example/app:v0.9.0')
    const real = [app, old, truth].map(published)
    const hidden = {...version('example/sql:v1.0.0'), digest: `sha256:${'0'.repeat(64)}`} as const
    const result = await solveAndRead(input(['example/app'], [hidden, ...real]), policy, registryOf(real))
    expect(
      result.kind === 'resolved' && result.resolution.packages.map(({summary}) => formatSummary(summary)),
    ).toEqual(['example/app:v1.0.0', 'example/sql:v1.0.0'])
  })

  it('leaves a refusal as it is when the packages cannot be read now', async () => {
    const [theApp, real] = [app, version('example/sql:v1.0.0', {owns: ['databases.sql.org/v9']})].map(
      published,
    )
    const catalog = {
      ...registryOf([theApp!, real!]),
      open: () => Promise.reject(new CrossplaneError('offline', 'no socket is opened')),
    }
    const result = await solveAndRead(input(['example/app'], [theApp!, real!]), policy, catalog)
    expect(result.kind === 'rejected' && result.code).toBe('unresolvable')
  })

  describe('where the registries of other packages do not answer', () => {
    const real = [app, truth].map(published)
    /** An entry of somebody who can write to an index, with any registry. */
    const planted = (host: string, title = '') => ({
      ...published(version(`${host}/sql:v9.0.0`, {owns: ['databases.sql.org/v1']})),
      title,
    })
    const silentCatalog = () => {
      const asked: string[] = []
      const registry = registryOf(real)
      const reach = ({identity}: {identity: string}) => {
        if (!identity.startsWith('10.')) return
        asked.push(identity)
        throw new CrossplaneError('timeout', `no data from ${identity}`)
      }
      const catalog: ReadCatalog = {
        contradictionOf: async each => (reach(each), await registry.contradictionOf(each)),
        open: async each => (reach(each), await registry.open(each)),
      }
      return {asked, catalog}
    }
    const owners = [{group: 'sql.org', identity: 'example/sql'}]

    it('contacts none of them for a resolution without their versions', async () => {
      const {asked, catalog} = silentCatalog()
      const twins = [planted('10.0.0.1', 'one'), {...planted('10.0.0.1'), digest: real[0]?.digest}]
      const open = input(['example/app'], [...real, ...twins], {owners})
      const result = await solveAndRead(open, policy, catalog)
      expect({kind: result.kind, asked}).toEqual({kind: 'resolved', asked: []})
    })

    it('refuses for the reason that it has, with a note on each of a few', async () => {
      const {asked, catalog} = silentCatalog()
      const many = Array.from({length: 100}, (_, at) => planted(`10.0.0.${at}`))
      const result = await solveAndRead(input(['example/app'], [...real, ...many]), policy, catalog)
      expect(result).toMatchObject({kind: 'rejected', code: 'ambiguous-owner'})
      const rules = result.kind === 'rejected' ? result.diagnostics.map(({rule}) => rule) : []
      expect(rules.filter(rule => rule === 'unchecked-version').length).toBeGreaterThan(0)
      expect(asked.length).toBeLessThan(20)
    })

    it('fails where one of the selected versions cannot be compared', async () => {
      const {catalog} = silentCatalog()
      const run = solveAndRead(input(['databases.sql.org'], [planted('10.0.0.1')]), policy, catalog)
      await expect(run).rejects.toMatchObject({code: 'timeout'})
    })
  })

  it('asks for a bounded number of tags, and lists few of them, where entries are invented', async () => {
    const real = [app, truth].map(published)
    const invented = Array.from({length: 3000}, (_, at) => ({
      ...version(`evil${at % 300}/sql:v1.${at}.0`, {owns: ['databases.sql.org/v1']}),
      digest: `sha256:${String(at).padStart(64, '0')}`,
    }))
    let checks = 0
    const registry = registryOf(real)
    const catalog: ReadCatalog = {
      ...registry,
      contradictionOf: each => (checks++, registry.contradictionOf(each)),
    }
    const run = solveAndRead(input(['example/app'], [...real, ...invented]), policy, catalog)
    const error: unknown = await run.catch((reason: unknown) => reason)
    expect(error).toMatchObject({code: 'unresolvable'})
    expect(error instanceof CrossplaneError && error.diagnostics.length).toBe(11)
    expect(checks).toBeLessThan(200)
  })

  it('does not verify locked digests against the registry', async () => {
    const real = [app, truth, lie].map(published)
    const [, old] = real
    const moved = {...registryOf(real), contradictionOf: registryOf([]).contradictionOf}
    const preferences = real.flatMap(({identity, tag, digest}) =>
      tag === 'v2.0.0' ? [] : [{identity, tag, digest, because: 'locked' as const}],
    )
    const result = await solveAndRead(input(['example/app'], real, {preferences}), policy, moved)
    expect(result.kind === 'resolved' && result.opened.get('example/sql')?.located.digest).toBe(old?.digest)
  })

  it('reads only the selected packages', async () => {
    const opened: string[] = []
    await solveAndRead(asked, policy, catalog({}, opened))
    expect(opened).toEqual(['example/app:v1.0.0', 'example/sql:v2.0.0'])
  })
})

describe('collectSummaries', () => {
  it('looks up each transitive requirement once, and nothing for facts', async () => {
    const asks: string[] = []
    const all = listedSummaries({summaries: [app, truth, lie], unreadable: [], yanked: []})
    const counted = {
      ofGroup: (group: string) => (asks.push(group), all.ofGroup(group)),
      ofPackage: (identity: string) => (asks.push(identity), all.ofPackage(identity)),
    }
    const given = version('example/web:v1.0.0', {
      requires: ['databases.sql.org/v1', 'tables.sql.org', 'things.there.org', 'example/app'],
    })
    const facts = [{origin: 'assumed', group: 'there.org', plural: 'things'}] as const
    const identify = (text: string) => text
    const found = await collectSummaries(
      [parseCrdRequirement('databases.sql.org')],
      [given],
      facts,
      identify,
      counted,
    )
    expect(asks.sort()).toEqual(['example/app', 'example/sql', 'sql.org'])
    expect(found.summaries.map(formatSummary).sort()).toEqual([
      'example/app:v1.0.0',
      'example/sql:v1.0.0',
      'example/sql:v2.0.0',
      'example/web:v1.0.0',
    ])
  })
  it('looks up a few of thousands of packages at a time', async () => {
    const many = Array.from({length: 2000}, (_, at) =>
      version(`evil${at}/sql:v1.0.0`, {owns: ['databases.sql.org/v1']}),
    )
    const all = listedSummaries({summaries: many, unreadable: [], yanked: []})
    let [running, most] = [0, 0]
    const counted = {
      ofGroup: (group: string) => all.ofGroup(group),
      ofPackage: async (identity: string) => {
        most = Math.max(most, ++running)
        const found = await all.ofPackage(identity)
        running--
        return found
      },
    }
    const found = await collectSummaries(
      [parseCrdRequirement('databases.sql.org')],
      [],
      [],
      text => text,
      counted,
    )
    expect(found.summaries).toHaveLength(2000)
    expect(most).toBeLessThanOrEqual(16)
  })

  it('collects each yank once, whatever the number of summaries', async () => {
    const yanked = Array.from({length: 200_000}, (_, at) => ({
      ...{identity: 'example/sql', tag: `v0.${at}.0`, version: `v0.${at}.0`, digest: 'sha256:0'},
      reason: 'broken',
    }))
    const many = yanked.map(({tag}) => version(`example/sql:${tag}`, {owns: ['databases.sql.org/v1']}))
    const all = listedSummaries({summaries: many, unreadable: [], yanked})
    const requires = [parseCrdRequirement('databases.sql.org'), parseCrdRequirement('others.example.org')]
    const found = await collectSummaries(requires, [], [], text => text, all)
    expect({summaries: found.summaries.length, yanked: found.yanked.length}).toEqual({
      summaries: 200_000,
      yanked: 200_000,
    })
  })
})
