import {describe, expect, it} from '@jest/globals'
import {externalDiff} from '../../../src/cli/install/external-diff.js'
import {objectFileName} from '../../../src/cli/shell/text/object-file-name.js'

describe('externalDiff', () => {
  it.each([
    {name: 'is absent by default', in: undefined, want: []},
    {name: 'is a program', in: 'meld', want: ['meld']},
    {name: 'has arguments', in: 'diff -u -N --color=always', want: ['diff', '-u', '-N', '--color=always']},
    {name: 'leaves out arguments that kubectl leaves out', in: 'diff -u ;rm $(id)  /x', want: ['diff', '-u']},
  ])('$name', ({in: text, want}) => {
    expect(externalDiff(text === undefined ? {} : {KUBECTL_EXTERNAL_DIFF: text})).toEqual(want)
  })
})

describe('objectFileName', () => {
  it.each([
    {
      in: {apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'team', name: 'a.b'},
      want: 'apps.v1.Deployment.team.a.b',
    },
    {
      in: {apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', name: 'package:team:a:v1:view'},
      want: 'rbac.authorization.k8s.io.v1.ClusterRole..package-team-a-v1-view',
    },
    {in: {apiVersion: 'v1', kind: 'Namespace', name: '../../etc/x'}, want: 'v1.Namespace..------etc-x'},
  ])('names the file of $in.name', ({in: object, want}) => {
    expect(objectFileName(object)).toBe(want.replace('------', '..-..-'))
  })
})
