import fc from 'fast-check'
import type {IndexedSummary} from '../../src/index/entry/entry-document.js'
import type {OwnedCrd, PackageSummary} from '../../src/index/package-summary.js'
import type {YankedVersion} from '../../src/index/summaries.js'

export const digest = (digit: string) => `sha256:${digit.repeat(64)}`

/** Everything that an entry can say. */
export const SQL: IndexedSummary = {
  identity: 'registry.example.org:5000/team/provider-sql',
  tag: 'v1.2.0',
  version: '1.2.0',
  digest: digest('a'),
  permissionScope: 'Cluster',
  title: 'SQL “for all” 👩‍💻',
  category: 'Data',
  keywords: ['sql', 'データ'],
  crds: [
    {
      ...{group: 'a.example.org', plural: 'gears', singular: 'gear', kind: 'Gear', scope: 'Cluster'},
      ...{served: ['v1', 'v1beta1'], stored: 'v1'},
    },
    {
      ...{group: 'b.example.org', plural: 'servers', singular: 'server', kind: 'SQLServer'},
      ...{scope: 'Namespaced', served: [], stored: 'v1alpha1'},
    },
  ],
  dependsOn: [{crd: '*.net.example.org/v1'}, {crd: 'pods'}, {package: 'example/base'}],
}

export const YANK: YankedVersion = {
  ...{identity: SQL.identity, tag: SQL.tag, version: SQL.version, digest: SQL.digest},
  reason: 'it leaks passwords',
}

const label = fc.stringMatching(/^[a-z](?:[a-z0-9-]{0,8}[a-z0-9])?$/)
const name = fc.stringMatching(/^[a-z0-9]{1,8}$/)
const group = fc.array(name, {minLength: 1, maxLength: 3}).map(names => names.join('.'))
const scope = fc.constantFrom('Cluster' as const, 'Namespaced' as const)
const line = fc
  .string({unit: 'grapheme', maxLength: 20})
  .map(text => text.replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/gu, ''))
const word = fc.stringMatching(/^[!-~]{1,20}$/)
const tag = fc.stringMatching(/^\w[\w.-]{0,20}$/)
const sha256 = fc.stringMatching(/^[0-9a-f]{64}$/).map(digits => `sha256:${digits}`)
const identity = fc
  .tuple(fc.constantFrom('', 'localhost:5000/', 'registry.example.org/'), name, name)
  .map(([host, a, b]) => `${host}${a}/${b}`)

const crd: fc.Arbitrary<OwnedCrd> = fc.record({
  ...{group, plural: label, singular: label, kind: fc.stringMatching(/^[A-Za-z][A-Za-z0-9]{0,8}$/)},
  ...{scope, served: fc.uniqueArray(label, {maxLength: 3}), stored: label},
})

const crds = fc
  .uniqueArray(crd, {maxLength: 4, selector: each => `${each.group}/${each.plural}`})
  .map(all =>
    all.sort((a, b) => (a.group < b.group || (a.group === b.group && a.plural < b.plural) ? -1 : 1)),
  )

/** Any summary that an index can hold, with the digest that a registry gives it. */
export const indexed: fc.Arbitrary<IndexedSummary> = fc.record({
  ...{identity, tag, version: word, digest: sha256, permissionScope: scope, title: line, category: line},
  ...{keywords: fc.array(line, {maxLength: 3}), crds},
  dependsOn: fc.array(
    fc.oneof(
      fc.tuple(label, group).map(([plural, of]) => ({crd: `${plural}.${of}`})),
      identity.map(of => ({package: of})),
    ),
    {maxLength: 3},
  ),
})

/** The same, or one of a folder. */
export const summary: fc.Arbitrary<PackageSummary> = fc.oneof(
  indexed,
  indexed.map(({digest: _none, ...each}) => each),
)

export const yank: fc.Arbitrary<YankedVersion> = fc.record({
  ...{identity, tag, version: word, digest: sha256, reason: line.map(text => `r${text}`)},
})
