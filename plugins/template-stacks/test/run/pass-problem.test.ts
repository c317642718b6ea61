import {describe, expect, it} from '@jest/globals'
import {CrossplaneError} from 'kubectl-crossplane/plugin'
import {deniedError} from '../../../../test/cluster/api/denied-error.js'
import {joined, problemOf} from '../../src/run/pass-problem.js'

/** The error of a request that RBAC forbids, in the words of Kubernetes. */
function denied(group: string): CrossplaneError {
  const message = `things${group === '' ? '' : `.${group}`} "x" is forbidden: User "system:serviceaccount:team:demo" cannot patch resource "things" in API group "${group}" in the namespace "team"`
  return deniedError('cannot apply Thing team/x: permission denied', message)
}

describe('a problem of a pass', () => {
  it.each([
    {
      name: 'the missing rule, and how a package gets it',
      error: denied('things.example.org'),
      want: {
        reason: 'PermissionDenied',
        message:
          'cannot apply Thing team/x: permission denied; the role of the stack lacks the rule {apiGroups: ["things.example.org"], resources: ["things"], verbs: ["*"]}, which "crd: things.things.example.org" in dependsOn of the package adds',
      },
    },
    {
      name: 'the missing rule of a kind of Kubernetes',
      error: denied(''),
      want: {
        reason: 'PermissionDenied',
        message:
          'cannot apply Thing team/x: permission denied; the role of the stack lacks the rule {apiGroups: [""], resources: ["things"], verbs: ["*"]}',
      },
    },
    {
      name: 'the file and line of a template',
      error: new CrossplaneError('package-invalid', 'cannot render it', {
        diagnostics: [{severity: 'error', rule: 'x', message: 'no name', file: 'a.yaml', line: 3}],
      }),
      want: {reason: 'TemplateError', message: 'cannot render it: a.yaml:3: no name'},
    },
    {
      name: 'a failure of the cluster',
      error: new CrossplaneError('cluster-failed', 'cannot read it'),
      want: {reason: 'ReconcileError', message: 'cannot read it'},
    },
  ])('names $name', ({error, want}) => {
    expect(problemOf(error)).toEqual(want)
  })

  it('names those of several objects, but not of all', () => {
    const problems = Array.from({length: 6}, (_, index) => ({reason: `R${index}`, message: `m${index}`}))
    expect([joined([]), joined(problems)]).toEqual([
      undefined,
      {reason: 'R0', message: 'm0; m1; m2; m3; and 2 more'},
    ])
  })
})
