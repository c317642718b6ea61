import {describe, expect, it} from '@jest/globals'
import {commitRows} from '../../src/inspect/commit-rows.js'
import type {FolderSummary} from '../../src/inspect/folder-summary.js'
import {summaryRows} from '../../src/inspect/summary-rows.js'

const SUMMARY: FolderSummary = {
  ...{packages: [], installs: [], crds: [], bindings: [], baseRoles: [], gained: [], lost: []},
  ...{images: [], owners: [], mismatches: []},
}

describe('the row of a package', () => {
  const digest = `sha256:${'a'.repeat(64)}`
  it.each<{name: string; before?: string; after?: string; want: string}>([
    {name: 'another version', before: 'r:5000/a/b:v1', after: 'r:5000/a/b:v2', want: 'r:5000/a/b:v1 -> v2'},
    {name: 'another package', before: 'r/a:v1', after: 'r/ab:v2', want: 'r/a:v1 -> r/ab:v2'},
    {name: 'a digest', before: 'r/a:v1', after: `r/a@${digest}`, want: `r/a:v1 -> r/a@${digest}`},
    {
      name: 'a tag with a digest',
      before: `r/a:v1@${digest}`,
      after: `r/a:v2@${digest}`,
      want: `r/a:v1@${digest} -> r/a:v2@${digest}`,
    },
    {name: 'the same version', before: 'r/a:v1', after: 'r/a:v1', want: 'r/a:v1'},
    {name: 'a new package', after: 'r/a:v1', want: 'r/a:v1'},
    {name: 'a removed package', before: 'r/a:v1', want: 'r/a:v1 -> removed'},
  ])('is short for $name', ({before, after, want}) => {
    const packages = [
      {install: 'x', ...(before === undefined ? {} : {before}), ...(after === undefined ? {} : {after})},
    ]
    expect(summaryRows({...SUMMARY, packages}, 3)).toEqual([['PACKAGE', want, 'x']])
  })
})

it('CRDs of a commit that end alike are aligned with each other, unless a line would break', () => {
  const crds = [
    {name: 'short.example.org', change: 'changed', difference: 'adds v1alpha2'},
    {name: `${'a'.repeat(60)}.example.org`, change: 'added'},
    {name: 'b.example.org', change: 'added'},
    {name: `${'c'.repeat(90)}.example.org`, change: 'removed'},
    {name: 'd.example.org', change: 'removed'},
  ] as const
  const rows = commitRows({...SUMMARY, crds})
  const ends = rows.map(row => row.search(/ \S+(?: \S+)?$/))
  expect(rows[0]).toBe(`CRD  ${'short.example.org'.padEnd(48)}  changed: adds v1alpha2`)
  expect(ends[1]).toBe(ends[2])
  const packages = ['a'.repeat(50), 'b'.repeat(55)].map(after => ({
    install: `Provider ${after.slice(0, 5)}`,
    after,
  }))
  expect(commitRows({...SUMMARY, packages}).map(row => row.indexOf('Provider'))).toEqual([66, 66])
  expect(rows.at(-1)).toBe(`CRD  ${'d.example.org'.padEnd(48)}  removed`)
})
