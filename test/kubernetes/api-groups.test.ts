import {describe, expect, it} from '@jest/globals'
import {isBuiltinGroup, isReservedGroup, needsApproval} from '../../src/kubernetes/api-groups.js'
import {builtinKindOf} from '../../src/kubernetes/builtin-kinds.js'
import {assumedFacts} from '../../src/pipeline/request/assumed-facts.js'
import {isRejectedByDefault} from '../../src/render/permissions.js'
import {wideMarks} from '../../src/inspect/wide-marks.js'
import {lintPackage} from '../../src/author/lint/lint-package.js'

describe('API groups', () => {
  it.each([
    {in: '', builtin: true, reserved: true, approval: false},
    {in: 'apps', builtin: true, reserved: true, approval: false},
    {in: 'flowcontrol.apiserver.k8s.io', builtin: true, reserved: true, approval: true},
    {in: 'snapshot.storage.k8s.io', builtin: false, reserved: true, approval: true},
    {in: 'example.kubernetes.io', builtin: false, reserved: false, approval: true},
    {in: 'constructor', builtin: false, reserved: true, approval: false},
    {in: 'example.org', builtin: false, reserved: false, approval: false},
  ])('classifies $in', ({in: group, ...want}) => {
    expect({
      builtin: isBuiltinGroup(group),
      reserved: isReservedGroup(group),
      approval: needsApproval(group),
    }).toEqual(want)
  })

  it('classifies flowschemas the same everywhere', () => {
    const group = 'flowcontrol.apiserver.k8s.io'
    const rule = {apiGroups: [group], resources: ['flowschemas'], verbs: ['*']}
    const app = `title: A\npermissionScope: Namespaced\ndependsOn: [{crd: flowschemas.${group}}]\n`
    const found = lintPackage({files: [{path: 'app.yaml', bytes: Buffer.from(app)}]}).map(each => each.rule)
    expect({
      scope: builtinKindOf(group, 'flowschemas')?.scope,
      resolves: assumedFacts({crds: [], files: [], crossplane: 'none'}).some(fact => fact.group === group),
      refused: isRejectedByDefault(rule),
      marks: wideMarks(rule, 'Cluster').map(({mark}) => mark),
      lint: found.filter(each => each.startsWith('permissions')),
    }).toEqual({
      scope: 'Cluster',
      resolves: true,
      refused: true,
      marks: ['kubernetes-group'],
      lint: ['permissions-core', 'permissions-unreachable'],
    })
  })
})
