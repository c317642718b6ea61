import {expect, it} from '@jest/globals'
import {coreReference} from '../../../../src/plan/cluster/core/read-core-object.js'

it.each([
  ['h.io/a/b:v1', {repository: 'h.io/a/b', tag: 'v1'}],
  ['127.0.0.1:5000/a:v1', {repository: '127.0.0.1:5000/a', tag: 'v1'}],
  ['127.0.0.1:5000/a', {repository: '127.0.0.1:5000/a'}],
  ['h.io/a@sha256:12', {repository: 'h.io/a', digest: 'sha256:12'}],
  ['h.io/a:v1@sha256:12', {repository: 'h.io/a', tag: 'v1', digest: 'sha256:12'}],
  ['', {repository: ''}],
])('splits the reference %j', (text, want) => {
  expect(coreReference(text)).toEqual(want)
})
