import {describe, expect, it} from '@jest/globals'
import {painter} from '../../../src/cli/shell/text/paint.js'
import {formatPlanText} from '../../../src/cli/plan/show-plan.js'
import type {Plan} from '../../../src/plan/plan.js'

const PLAN: Plan = {
  operations: [
    {
      ...{action: 'replace', target: 'folder', path: 'packages/files.sha256'},
      ...{content: 'b\n', reason: 'the content changes', precondition: {sha256: 'a'}},
    },
    {
      ...{action: 'replace', target: 'folder', path: 'packages/xpkgs/provider.yaml'},
      ...{content: 'new\n', reason: 'the content changes', precondition: {sha256: 'a'}},
      object: {apiVersion: 'pkg.crossplane.io/v1', kind: 'Provider', name: 'team-app'},
      risks: [{severity: 'warning', rule: 'risky', message: 'the provider restarts'}],
    },
  ],
  unchanged: 3,
  rejections: [],
} as unknown as Plan
const before = new Map([
  ['packages/files.sha256', 'a\n'],
  ['packages/xpkgs/provider.yaml', 'old\n'],
])
const text = (showsFiles: boolean) =>
  formatPlanText(PLAN, 'deploy', {
    ...{before, paint: painter(['--no-color']), showsObjects: false, showsFiles},
    effect: 'Upgrade team/app to v2\n\nPACKAGE  team/app:v1 -> team/app:v2\n',
  }).split('\n')

describe('a plan for files', () => {
  it('begins with risks and what it is for packages, then has objects by kind', () => {
    expect(text(false)).toEqual([
      'Warning: the provider restarts [risky]',
      'Upgrade team/app to v2',
      '',
      'PACKAGE  team/app:v1 -> team/app:v2',
      '',
      'update   1   Provider   team-app',
      'deploy: 2 to update, 3 unchanged; --show-files shows the files',
      '',
    ])
  })

  it('has files and diffs with --show-files', () => {
    const shown = text(true)
    expect(shown.slice(0, 2)).toEqual(text(false).slice(0, 2))
    expect(shown).toEqual(expect.arrayContaining(['-old', '+new', '-a', '+b']))
    expect(shown.at(-2)).toBe('deploy: 2 to update, 3 unchanged')
  })
})
