import {describe, expect, it} from '@jest/globals'
import {CrossplaneError} from '../../../src/errors.js'
import {formatOwnedFiles, OWNED_FILES} from '../../../src/plan/folder/owned-files.js'
import {readFolderPlan} from '../../../src/plan/folder/saved-folder-plan.js'
import type {Operation, Plan} from '../../../src/plan/plan.js'
import {formatPlan} from '../../../src/plan/plan-document.js'
import {sha256Of} from '../../../src/plan/sha256.js'

const A = 'a'.repeat(64)
const common = {target: 'folder', reason: 'the content changes'}
const ACCOUNT = 'apiVersion: v1\nkind: ServiceAccount\nmetadata:\n  name: a\n  namespace: team\n'
const object = {apiVersion: 'v1', kind: 'ServiceAccount', namespace: 'team', name: 'a'}
const create = (path: string, content = ACCOUNT): Operation => ({
  ...{...common, action: 'create-only', path, object, content, precondition: {absent: true}},
})
const replace = (path: string, content = ACCOUNT): Operation => ({
  ...{...common, action: 'replace', path, object, content, precondition: {sha256: A}},
})
const remove = (path: string): Operation => ({
  ...{...common, action: 'delete', path, precondition: {sha256: A}},
})
const list = (files: Record<string, string>): Operation =>
  replace(
    OWNED_FILES,
    formatOwnedFiles(new Map(Object.entries(files).map(([path, text]) => [path, sha256Of(text)]))),
  )
const plan = (...operations: readonly Operation[]): Plan => ({operations, unchanged: 3, rejections: []})
const read = (text: string) => readFolderPlan(Buffer.from(text), 'plan.json')

describe('readFolderPlan', () => {
  it('reads a plan that was saved', () => {
    const saved = plan(
      create('a.yaml'),
      replace('crds/b.yaml'),
      remove('c.yaml'),
      list({'a.yaml': ACCOUNT, 'crds/b.yaml': ACCOUNT, 'd.yaml': 'other\n'}),
    )
    expect(read(formatPlan(saved))).toEqual(saved)
  })

  it('omits risks, since their suggestions are not trusted', () => {
    const risk = {severity: 'warning', rule: 'r', message: 'm', suggestions: ['rm -rf ~']} as const
    expect(read(formatPlan(plan({...create('a.yaml'), risks: [risk]})))).toEqual(plan(create('a.yaml')))
  })

  const documents: readonly {readonly name: string; readonly in: string}[] = [
    {name: 'nothing', in: ''},
    {name: 'text that is not JSON', in: '{'},
    {name: 'a list', in: '[]'},
    {name: 'another document', in: '{"apiVersion":"v1","kind":"Plan","operations":[],"unchanged":0}'},
    {
      name: 'a newer version',
      in: formatPlan(plan()).replace('v1alpha1', 'v9'),
    },
    {name: 'no operations', in: formatPlan(plan()).replace('"operations": []', '"operations": {}')},
    {name: 'no count', in: formatPlan(plan()).replace('3', '-1')},
    {
      name: 'a plan with rejections',
      in: formatPlan({...plan(), rejections: [{severity: 'error', rule: 'r', message: 'm'}]}),
    },
    ...[
      '../a.yaml',
      '/etc/passwd',
      'README.md',
      '.git/config',
      'a//b',
      '.kubectl-crossplane/journal',
      '',
    ].map(path => ({name: `the path ${JSON.stringify(path)}`, in: formatPlan(plan(create(path)))})),
    {name: 'no path', in: formatPlan(plan({...create('a.yaml'), path: undefined}))},
    {name: 'another target', in: formatPlan(plan({...create('a.yaml'), target: 'cluster'}))},
    {
      name: 'an action that folders do not have',
      in: formatPlan(plan({...create('a.yaml'), action: 'apply'})),
    },
    {name: 'an unknown action', in: formatPlan(plan(create('a.yaml'))).replace('create-only', 'chmod')},
    {name: 'a creation without content', in: formatPlan(plan({...create('a.yaml'), content: undefined}))},
    {
      name: 'a creation over an existing file',
      in: formatPlan(plan({...replace('a.yaml'), action: 'create-only'})),
    },
    {name: 'a replacement of nothing', in: formatPlan(plan({...create('a.yaml'), action: 'replace'}))},
    {name: 'a deletion without a hash', in: formatPlan(plan({...remove('a.yaml'), precondition: undefined}))},
    {name: 'a deletion with content', in: formatPlan(plan({...remove('a.yaml'), content: 'x'}))},
    {name: 'a hash that is not one', in: formatPlan(plan(remove('a.yaml'))).replace(A, 'A'.repeat(64))},
    {
      name: 'a precondition of both kinds',
      in: formatPlan(plan(remove('a.yaml'))).replace(/"sha256"/, '"absent":true,"sha256"'),
    },
    {
      name: 'an object without a name',
      in: formatPlan(plan(create('a.yaml'))).replace('"name": "a"', '"x": "a"'),
    },
    {name: 'an unknown field', in: formatPlan(plan(create('a.yaml'))).replace('"path"', '"mode": 1, "path"')},
    {name: 'an unknown field of the plan', in: formatPlan(plan()).replace('"kind"', '"run": "x", "kind"')},
    {name: 'a field of a cluster', in: formatPlan(plan({...create('a.yaml'), manager: 'x'}))},
    {
      name: 'an operation without precondition',
      in: formatPlan(plan({...create('a.yaml'), precondition: undefined})),
    },
    {name: 'a path twice', in: formatPlan(plan(create('a.yaml'), remove('a.yaml')))},
    {name: 'a file in place of a folder', in: formatPlan(plan(create('a'), create('a/b')))},
    {name: 'the deletion of the list', in: formatPlan(plan(remove(OWNED_FILES)))},
    {name: 'a list without a file that is written', in: formatPlan(plan(create('a.yaml'), list({})))},
    {name: 'a list with another content', in: formatPlan(plan(create('a.yaml'), list({'a.yaml': 'y'})))},
    {
      name: 'a list with a file that is deleted',
      in: formatPlan(plan(remove('a.yaml'), list({'a.yaml': 'x'}))),
    },
  ]

  it.each(documents)('rejects $name', ({in: text}) => {
    expect(() => read(text)).toThrow(CrossplaneError)
    expect(() => read(text)).toThrow(expect.objectContaining({code: 'input-invalid'}))
  })

  it.each([
    {name: 'another object', in: {...create('a.yaml'), object: {...object, name: 'b'}}},
    {name: 'another version of it', in: {...create('a.yaml'), object: {...object, apiVersion: 'v2'}}},
    {name: 'an object that is not named', in: {...create('a.yaml'), object: undefined}},
    {name: 'two objects', in: create('a.yaml', `${ACCOUNT}---\n${ACCOUNT}`)},
    {name: 'a text that is not YAML', in: create('a.yaml', 'a: [')},
    {
      name: 'a kind that install sets do not have',
      in: {
        ...create('a.yaml', ACCOUNT.replace('ServiceAccount', 'Secret')),
        object: {...object, kind: 'Secret'},
      },
    },
    {name: 'other attributes for Git', in: {...create('.gitattributes', '* filter=x\n'), object: undefined}},
    {name: 'the deletion of another kind', in: {...remove('a.yaml'), object: {...object, kind: 'Secret'}}},
  ])('refuses $name, and names the operation', ({in: operation}) => {
    const act = () => read(formatPlan(plan(create('z.yaml'), operation)))
    expect(act).toThrow(
      expect.objectContaining({
        code: 'output-refused',
        diagnostics: [expect.objectContaining({file: 'plan.json', field: 'operations[1]'})],
      }),
    )
  })

  it('rejects a list that names files outside of the folder', () => {
    const text = formatPlan(plan(replace(OWNED_FILES, `# kubectl-crossplane files v1\n${A}  ../x\n`)))
    expect(() => read(text)).toThrow(expect.objectContaining({code: 'output-refused'}))
  })
})
