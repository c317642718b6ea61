import {describe, expect, it} from '@jest/globals'
import {CrossplaneError, type ErrorCode} from '../../../src/errors.js'
import {formatSummary, type PackageSummary} from '../../../src/index/package-summary.js'
import {listedSummaries} from '../../../src/index/summaries.js'
import type {Catalog, OpenPackage} from '../../../src/pipeline/resolve/catalog.js'
import {collectSummaries} from '../../../src/pipeline/resolve/collect-summaries.js'
import {solveAndRead} from '../../../src/pipeline/resolve/solve-and-read.js'
import {parseCrdRequirement} from '../../../src/resolve/requirement.js'
import {readPackage} from '../../../src/unpack/read-package.js'
import {input, version} from '../../resolve/world.js'

/** The package that a summary tells the truth about. */
function packageOf({identity, tag, crds, dependsOn}: PackageSummary): OpenPackage {
  const app = {title: identity, version: tag, permissionScope: 'Cluster', dependsOn}
  const objects = crds.map(({group, plural, singular, kind, scope, served, stored}) => ({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {name: `${plural}.${group}`},
    spec: {
      group,
      names: {plural, singular, kind},
      scope,
      versions: served.map(name => ({name, served: true, storage: name === stored})),
    },
  }))
  const files = [
    {path: 'app.yaml', bytes: Buffer.from(JSON.stringify(app))},
    ...objects.map((crd, index) => ({path: `${index}.crd.yaml`, bytes: Buffer.from(JSON.stringify(crd))})),
  ]
  const name = formatSummary({identity, tag})
  const located = {files, name, readFrom: name, repositoryPath: identity, reference: {path: identity, tag}}
  return {located, package: readPackage(name, files)}
}

const truth = version('example/sql:v1.0.0', {owns: ['databases.sql.org/v1']})
const lie = version('example/sql:v2.0.0', {owns: ['databases.sql.org/v1,v2']})
const app = version('example/app:v1.0.0', {requires: ['databases.sql.org/v1']})

/** A catalog of packages that are as their summaries say, but for those given. */
function catalog(
  open: Readonly<Record<string, OpenPackage | ErrorCode>>,
  opened: string[],
): Pick<Catalog, 'open'> {
  return {
    open: summary => {
      const name = formatSummary(summary)
      opened.push(name)
      const found = open[name] ?? packageOf(summary)
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

describe('what was chosen is read before anything is made of it', () => {
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
  ])('$name: $reason', async ({in: open, want}) => {
    const result = await solveAndRead(asked, policy, catalog(open, []))
    const names =
      result.kind === 'resolved' ? [...result.opened.values()].map(({located}) => located.name) : []
    expect(names).toEqual(want)
  })

  it('refuses where nothing is left, and says why', async () => {
    const all = {'example/sql:v1.0.0': 'access-denied', 'example/sql:v2.0.0': honest} as const
    const result = await solveAndRead(asked, policy, catalog(all, []))
    const rules = result.kind === 'rejected' ? result.diagnostics.map(({rule}) => rule) : []
    expect(rules).toEqual(expect.arrayContaining(['no-version', 'private-version', 'lying-version']))
  })

  it('ends where the world fails: nothing is chosen because a network broke', async () => {
    const broken = catalog({'example/sql:v2.0.0': 'registry-unreachable'}, [])
    await expect(solveAndRead(asked, policy, broken)).rejects.toMatchObject({code: 'registry-unreachable'})
  })

  it('reads the winners only', async () => {
    const opened: string[] = []
    await solveAndRead(asked, policy, catalog({}, opened))
    expect(opened).toEqual(['example/app:v1.0.0', 'example/sql:v2.0.0'])
  })
})

describe('which summaries are asked for', () => {
  it('those that needs lead to, each once, and none for what is there', async () => {
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
  it('as many as there are, and each withdrawal once, however often a list of all is given', async () => {
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
