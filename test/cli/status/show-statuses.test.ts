import {expect, it} from '@jest/globals'
import {formatStatuses} from '../../../src/cli/status/show-statuses.js'
import type {InstallStatus} from '../../../src/pipeline/cluster/install-status.js'

function unwitnessed(name: string): InstallStatus {
  return {
    namespace: 'team',
    name,
    package: 'x/app',
    version: '',
    state: 'broken',
    findings: [
      {
        kind: 'break',
        id: 'inventory-unwitnessed',
        link: 'install',
        message: 'no witness',
        suggestion: `delete ${name}`,
      },
    ],
    denials: [],
    drift: [],
  }
}

it.each([
  {installs: 3, want: []},
  {installs: 4, want: ['inventory-unwitnessed: 1 more install']},
  {installs: 20, want: ['inventory-unwitnessed: 17 more installs']},
])('the details of $installs installs without a witness are those of three', ({installs, want}) => {
  const statuses = Array.from({length: installs}, (_, at) => unwitnessed(`f${at}`))
  const text = formatStatuses(statuses, false, {paint: (_, words) => words, argv: []})
  const shown = text.split('\n').filter(line => line.includes('no witness')).length
  const more = text.split('\n').filter(line => line.includes(' more install'))
  expect({shown, more, rows: text.match(/Broken/g)?.length}).toEqual({shown: 3, more: want, rows: installs})
})

it('names an object that is missing once, and other differences beside it', () => {
  const message = 'ClusterRoleBinding a does not exist'
  const status: InstallStatus = {
    ...unwitnessed('a'),
    findings: [{kind: 'break', id: 'binding-missing', link: 'binding', message, suggestion: 'install it'}],
    drift: [
      {from: 'applied', message},
      {from: 'applied', message: 'Deployment a was changed'},
    ],
  }
  const text = formatStatuses([status], false, {paint: (_, words) => words, argv: []})
  expect(text.split('\n').slice(3)).toEqual([
    `team/a: binding-missing: ${message}`,
    'Try: install it',
    'team/a: drift: Deployment a was changed',
    '',
  ])
})
