import {describe, expect, it} from '@jest/globals'
import {moved, validated} from './composition-fixtures.js'

const SHOP = `---
apiVersion: town.example/v1
kind: Shop
metadata: {name: one, namespace: town}
spec: {name: none}
`
const REJECTED = 'spec.model: it must be "deck" or "rack" (Shop town/one)'
const UNSET = 'metadata.labels is required and has no value: the resource is not composed (Shop town/one)'
const OPEN = 'o/kustomization.yaml may change the composite resource'

describe('a Composition with a composite resource of a base', () => {
  it.each([
    {
      name: 'fields, by a patch of labels',
      in: '{metadata: {labels: {l: x}}}',
      from: 'spec.name',
      want: {reported: [REJECTED], unread: []},
    },
    {
      name: 'fields, by a patch of them',
      in: '{spec: {name: deck}}',
      from: 'spec.name',
      want: {reported: [], unread: [`${OPEN}: ${REJECTED}`]},
    },
    {
      name: 'labels, by a patch of fields',
      in: '{spec: {name: deck}}',
      from: 'metadata.labels.l',
      want: {reported: [UNSET], unread: []},
    },
    {
      name: 'labels, by a patch of them',
      in: '{metadata: {labels: {l: x}}}',
      from: 'metadata.labels.l',
      want: {reported: [], unread: [`${OPEN}: ${UNSET}`]},
    },
  ])('reports what no overlay changes: $name', ({in: patch, from, want}) => {
    const text = moved(from, 'spec.model', ', policy: {fromFieldPath: Required}') + SHOP
    const overlay = `resources: [../a.yaml]\npatches:\n- target: {kind: Shop}\n  patch: '${patch}'\n`
    const {findings, unread} = validated(text, {}, {'o/kustomization.yaml': overlay})
    expect({
      reported: findings.map(({message}) => message),
      unread: unread.flatMap(({path, reason}) => (path === undefined ? [] : [reason])),
    }).toEqual(want)
  })
})
