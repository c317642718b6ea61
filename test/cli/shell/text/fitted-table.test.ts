import {expect, it} from '@jest/globals'
import {formatFitted} from '../../../../src/cli/shell/text/fitted-table.js'
import type {Row} from '../../../../src/cli/shell/text/table.js'

const HEAD = ['KIND', 'NAME', 'PACKAGE', 'NEW', 'NOTE']
const LONG = 'registry-of-the-platform-team.internal.example.org:5000/mirrors/xpkg.crossplane.io'

const MIDDLE = 'registry-of-the-platform-team.internal.example.org:5000/mirrors'

function shown(rows: readonly Row[], isWide = false): readonly string[] {
  return formatFitted(HEAD, rows, {packages: 2, isWide, paint: (_, text) => text})
    .split('\n')
    .slice(0, -1)
}

it.each<{name: string; rows: readonly Row[]; want: readonly string[]}>([
  {name: 'a table without rows is empty', rows: [], want: []},
  {
    name: 'what fits stays as it is',
    rows: [['Provider', 'helm', 'xpkg.crossplane.io/helm:v1.0.0', '', '']],
    want: [
      'KIND       NAME   PACKAGE                          NEW   NOTE',
      'Provider   helm   xpkg.crossplane.io/helm:v1.0.0',
    ],
  },
  {
    name: 'columns without text are left out first',
    rows: [['Provider', 'helm', `${MIDDLE}/helm:v1`, '', '']],
    want: ['KIND       NAME   PACKAGE', `Provider   helm   ${MIDDLE}/helm:v1`],
  },
  {
    name: 'repositories begin where they differ',
    rows: [
      ['Provider', 'helm', `${LONG}/contrib/helm:v1.0.0`, 'v2', ''],
      ['Provider', 'sql', `${LONG}/contrib/sql@sha256:0123456789ab`, '', {text: 'waits', style: 'red'}],
      ['Provider', 'my-sql', `${LONG}/team/sql:v1`, '', ''],
      ['Function', 'auto', 'auto:v1', '', ''],
    ],
    want: [
      'KIND       NAME     PACKAGE                             NEW   NOTE',
      'Provider   helm     …/helm:v1.0.0                       v2',
      'Provider   sql      …/contrib/sql@sha256:0123456789ab         waits',
      'Provider   my-sql   …/team/sql:v1',
      'Function   auto     auto:v1',
    ],
  },
  {
    name: 'the last column is below the others at last',
    rows: [
      ['Provider', 'helm', `${LONG}/helm:v1.0.0`, '', `waits for ${'x'.repeat(80)}`],
      ['Provider', 'sql', `${LONG}/sql:v1.0.0`, '', ''],
    ],
    want: [
      'KIND       NAME   PACKAGE',
      '    NOTE',
      'Provider   helm   …/helm:v1.0.0',
      `    waits for ${'x'.repeat(80)}`,
      'Provider   sql    …/sql:v1.0.0',
    ],
  },
])('$name', ({rows, want}) => {
  expect(shown(rows)).toEqual(want)
})

it('leaves out a column with the usual text only', () => {
  const text = (usual: string) =>
    formatFitted(['NAME', 'PACKAGE', 'SOURCE'], [['helm', `${MIDDLE}/of-team-a/helm:v1.0.0`, 'inventory']], {
      ...{packages: 1, usual: {SOURCE: usual}, isWide: false},
      paint: (_, shownText) => shownText,
    })
  expect(text('inventory')).toBe(`NAME   PACKAGE\nhelm   ${MIDDLE}/of-team-a/helm:v1.0.0\n`)
  expect(text('labels')).toBe('NAME   PACKAGE         SOURCE\nhelm   …/helm:v1.0.0   inventory\n')
})

it('has everything where it is wide', () => {
  const [, row] = shown([['Provider', 'helm', `${LONG}/helm:v1.0.0`, '', '']], true)
  expect(row).toBe(`Provider   helm   ${LONG}/helm:v1.0.0`)
})
