import {describe, expect, it} from '@jest/globals'
import {spawnSync} from 'node:child_process'
import {join} from 'node:path'
import {compileJsonPath} from '../../../../src/cli/shell/flags/json-path.js'
import {missingTool} from '../../../missing-tool.js'
import {outcome} from '../../../outcome.js'
import {describeReal} from '../../../real-parts.js'
import {temporaryFolder, writeTree} from '../../../temporary-folder.js'

/** An object that kubectl reads without a cluster. */
const DOCUMENT = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: {
    name: 'list',
    annotations: {'example.org/a': 'x y'},
    labels: {a: '1', b: '2'},
    finalizers: ['a', 'b', 'c', 'd'],
    ownerReferences: [
      {apiVersion: 'v1', kind: 'A', name: 'one', uid: '1', controller: true},
      {apiVersion: 'v1', kind: 'B', name: 'two', uid: '2'},
    ],
  },
}

const CASES = [
  {in: '{.metadata.name}', want: 'list'},
  {in: 'name: {.metadata.name}{"\\n"}', want: 'name: list\n'},
  {in: "{.metadata.annotations['example\\.org/a']}", want: 'x y'},
  {in: '{.metadata.annotations.example\\.org/a}', want: undefined},
  {in: '{.metadata.finalizers[0]}', want: 'a'},
  {in: '{.metadata.finalizers[-1]}', want: 'd'},
  {in: '{.metadata.finalizers[1:3]}', want: 'b c'},
  {in: '{.metadata.finalizers[0,2]}', want: 'a c'},
  {in: '{.metadata.finalizers[*]}', want: 'a b c d'},
  {in: '{.metadata.finalizers}', want: '["a","b","c","d"]'},
  {in: '{.metadata.ownerReferences[*].name}', want: 'one two'},
  {in: '{.metadata.ownerReferences[?(@.kind=="B")].name}', want: 'two'},
  {in: '{.metadata.ownerReferences[?(@.controller)].name}', want: 'one'},
  {in: "{.metadata.ownerReferences[*]['kind','name']}", want: 'A B one two'},
  {
    in: '{range .metadata.ownerReferences[*]}{.kind}/{.name}{"\\n"}{end}',
    want: 'A/one\nB/two\n',
  },
  {in: '{.metadata.nothing}', want: ''},
  {in: '{$.kind}', want: 'ConfigMap'},
  {in: '{..uid}', want: '1 2'},
  {in: 'plain', want: 'plain'},
]
const VALID = CASES.flatMap(({want, ...each}) => (want === undefined ? [] : [{...each, want}]))

describe('compileJsonPath', () => {
  it.each(VALID)('$in', ({in: template, want}) => {
    expect(compileJsonPath(template)(DOCUMENT)).toBe(want)
  })

  it.each(['{.a', '{range .a[*]}', '{end}', '{.a[?(b)]}', '{.a[x]}', '{.a b}', '{/a}'])(
    'rejects %s',
    async template => {
      expect(await outcome(() => compileJsonPath(template))).toBe('usage')
    },
  )

  it('has no value for inherited names', () => {
    expect(compileJsonPath('{.constructor}{.toString}')(DOCUMENT)).toBe('')
  })
})

describeReal('compileJsonPath, compared with kubectl', missingTool('kubectl'), () => {
  const file = join(writeTree(temporaryFolder(), {'object.json': JSON.stringify(DOCUMENT)}), 'object.json')

  it.each(VALID)('gives the same output for $in', ({in: template, want}) => {
    const args = ['label', '--local', '--dry-run=client', '-f', file, 'a=1', '-o', `jsonpath=${template}`]
    const {status, stdout, stderr} = spawnSync('kubectl', args, {encoding: 'utf8'})
    expect({status, stdout, stderr}).toEqual({status: 0, stdout: want, stderr: ''})
  })
})
