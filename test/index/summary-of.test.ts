import {describe, expect, it} from '@jest/globals'
import {listedSummaries} from '../../src/index/summaries.js'
import {summaryDifferences, summaryOf, summaryText} from '../../src/index/summary-of.js'
import {readPackage} from '../../src/unpack/read-package.js'
import {shuffled} from '../shuffled.js'
import {version} from '../resolve/world.js'

const crd = (names: string, spec: string) =>
  `apiVersion: apiextensions.k8s.io/v1beta1\nkind: CustomResourceDefinition\nmetadata: {name: ${names}}\nspec:\n${spec}`
const FILES = {
  'app.yaml':
    'title: SQL\nversion: 1.2.0\ncategory: Data\nkeywords: [b, a]\npermissionScope: Cluster\ndependsOn:\n- crd: x.y.org/v1\n- package: example/z\n',
  'one.crd.yaml': crd(
    'widgets.b.org',
    '  group: b.org\n  names: {kind: Widget, plural: widgets}\n  scope: Namespaced\n  version: v1\n',
  ),
  'two.crd.yaml': crd(
    'gears.a.org',
    '  group: a.org\n  names: {kind: Gear, plural: gears, singular: cog}\n  scope: Cluster\n  versions:\n  - {name: v1alpha1, served: false, storage: false}\n  - {name: v1, served: true, storage: true}\n  - {name: v1beta1, served: true, storage: false}\n',
  ),
}
const files = Object.entries(FILES).map(([path, text]) => ({path, bytes: Buffer.from(text)}))
const origin = {identity: 'example/sql', tag: 'v1.2.0'}

describe('the summary of a package', () => {
  it('contains only the fields that resolving requires', () => {
    expect(summaryOf(readPackage('it', files), {...origin, digest: 'sha256:1'})).toEqual({
      identity: 'example/sql',
      tag: 'v1.2.0',
      version: '1.2.0',
      digest: 'sha256:1',
      permissionScope: 'Cluster',
      title: 'SQL',
      category: 'Data',
      keywords: ['b', 'a'],
      crds: [
        {
          group: 'a.org',
          plural: 'gears',
          singular: 'cog',
          kind: 'Gear',
          scope: 'Cluster',
          served: ['v1', 'v1beta1'],
          stored: 'v1',
        },
        {
          group: 'b.org',
          plural: 'widgets',
          singular: 'widget',
          kind: 'Widget',
          scope: 'Namespaced',
          served: ['v1'],
          stored: 'v1',
        },
      ],
      dependsOn: [{crd: 'x.y.org/v1'}, {package: 'example/z'}],
    })
  })

  it('does not depend on the order of files', () => {
    const text = summaryText(summaryOf(readPackage('it', files), origin))
    for (const seed of [1, 2, 3, 4]) {
      expect(summaryText(summaryOf(readPackage('it', shuffled(files, seed)), origin))).toBe(text)
    }
  })

  it('has texts on one line, as in an index', () => {
    const app =
      'title: |\n  A  long\n  title\ncategory: "a\\tb"\nkeywords: ["c\\n"]\npermissionScope: Cluster\n'
    const {title, category, keywords} = summaryOf(
      readPackage('it', [{path: 'app.yaml', bytes: Buffer.from(app)}]),
      origin,
    )
    expect({title, category, keywords}).toEqual({title: 'A long title', category: 'a b', keywords: ['c']})
  })

  it('has the tag as version if the package has none', () => {
    const app = [{path: 'app.yaml', bytes: Buffer.from('title: X\npermissionScope: Cluster\n')}]
    expect(summaryOf(readPackage('it', app), origin).version).toBe('v1.2.0')
  })
})

describe('the differences between a summary and its package', () => {
  const truth = version('a:v1.0.0', {owns: ['as.a.org/v1', 'bs.a.org'], requires: ['x.y.org']})

  it.each([
    {name: 'nothing', reason: 'it is true', in: truth, want: []},
    {
      name: 'an extra version',
      reason: 'it is not served',
      in: version('a:v1.0.0', {owns: ['as.a.org/v1,v2', 'bs.a.org'], requires: ['x.y.org']}),
      want: ['as.a.org'],
    },
    {
      name: 'an extra CRD and a missing one',
      reason: 'both are reported',
      in: version('a:v1.0.0', {owns: ['cs.a.org', 'bs.a.org'], requires: ['x.y.org']}),
      want: ['as.a.org', 'cs.a.org'],
    },
    {
      name: 'dependencies',
      reason: 'they would be missing',
      in: version('a:v1.0.0', {owns: ['as.a.org/v1', 'bs.a.org']}),
      want: ['its dependencies'],
    },
    {
      name: 'the scope',
      reason: 'it decides where objects are rendered',
      in: {...truth, permissionScope: 'Namespaced' as const},
      want: ['its permissionScope'],
    },
    {
      name: 'the version',
      reason: 'it is part of the entry',
      in: {...truth, version: '2'},
      want: ['its version'],
    },
    {
      name: 'texts',
      reason: 'resolution does not depend on them',
      in: {...truth, title: 'other', keywords: ['x']},
      want: [],
    },
  ])('$name: $reason', ({in: claimed, want}) => {
    expect(summaryDifferences(claimed, truth)).toEqual(want)
  })
})

describe('summaries of a list', () => {
  const both = version('a:v1.0.0', {owns: ['as.a.org', 'bs.b.org', 'cs.b.org']})
  const one = version('b:v1.0.0', {owns: ['ds.b.org']})
  const unreadable = [{identity: 'b', tag: 'v2.0.0', reason: 'broken'}]
  const yank = {identity: 'b', tag: 'v1.0.0', version: 'v1.0.0', digest: 'sha256:00', reason: 'leaks'}
  const summaries = listedSummaries({summaries: [both, one], unreadable, yanked: [yank]})

  it('are found by group, each once, with unreadable ones that could belong to it', async () => {
    expect(await summaries.ofGroup('b.org')).toEqual({summaries: [both, one], unreadable, yanked: [yank]})
    expect(await summaries.ofGroup('org')).toEqual({summaries: [], unreadable, yanked: [yank]})
  })

  it('are found by package, with its unreadable versions', async () => {
    expect(await summaries.ofPackage('a')).toEqual({summaries: [both], unreadable: [], yanked: []})
    expect(await summaries.ofPackage('b')).toEqual({summaries: [one], unreadable, yanked: [yank]})
    expect(await summaries.ofPackage('c')).toEqual({summaries: [], unreadable: [], yanked: []})
  })
})
