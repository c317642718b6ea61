import {describe, expect, it} from '@jest/globals'
import {chartKinds, HOOK} from '../../../src/unpack/templates/text-kinds.js'

describe('the kinds in the text of a template', () => {
  it('are conditional within a block', () => {
    const object = (kind: string) => `apiVersion: v1\nkind: ${kind}\nmetadata: {name: a}\n---\n`
    const text = `${object('A')}{{- if .Values.b }}\n{{ range .Values.c }}{{ end }}\n${object('B')}{{- end }}\n${object('C')}`
    const kinds = chartKinds(text, 'a.yaml').map(({kind, isConditional}) => [kind, isConditional === true])
    expect(kinds).toEqual([
      ['A', false],
      ['B', true],
      ['C', false],
    ])
  })

  it('are those of the items of a List, also one of a single kind', () => {
    const item = 'items:\n- apiVersion: v1\n  kind: Secret\n  metadata: {name: a}\n'
    const text = `apiVersion: v1\nkind: SecretList\n${item}---\napiVersion: example.org/v1\nkind: AllowList\n---\napiVersion: v1\nkind: List\n${item}`
    expect(chartKinds(text, 'a.yaml').map(({kind}) => kind)).toEqual(['Secret', 'AllowList', 'Secret'])
  })

  it.each([
    ['    "helm.sh/hook": pre-install,pre-upgrade  # first', 'pre-install,pre-upgrade'],
    ['  annotations: {helm.sh/hook: test}', 'test'],
    ['metadata: {name: a, annotations: {"helm.sh/hook": pre-install}}', 'pre-install'],
    [
      'metadata: {name: a, annotations: {"a": "b", "helm.sh/hook": "test", "helm.sh/hook-weight": "1"}}',
      '"test"',
    ],
    ['    helm.sh/hook-weight: "1"', undefined],
    ['  # helm.sh/hook: test', undefined],
  ])('has the hook of %j', (line, want) => {
    expect(HOOK.exec(line)?.[1]).toBe(want)
  })
})
