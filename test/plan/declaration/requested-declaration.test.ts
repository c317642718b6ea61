import {describe, expect, it} from '@jest/globals'
import {withEntry} from '../../../src/plan/declaration/requested-declaration.js'
import {outcome} from '../../outcome.js'

const HEAD = 'apiVersion: packages.kubectl-crossplane.dev/v1alpha1\nkind: PackageDeclaration\n'
const PARAMETERS = {imagePullSecrets: [], serviceAccountAnnotations: {}}
const SQL = 'xpkg.example.org/example/provider-sql'

/** A declaration with these entries. */
const file = (...entries: readonly string[]) => ({
  name: 'a.yaml',
  bytes: Buffer.from(`${HEAD}packages:\n${entries.map(entry => `- ${entry}\n`).join('')}`),
})
const install = (entry: object, ...entries: readonly string[]) =>
  withEntry(file(...entries), {package: `${SQL}:v1.5.0`, parameters: PARAMETERS, ...entry}, undefined)

describe('an install in a declaration that has the package under a name', () => {
  it.each([
    {name: 'gets the new tag', before: `{package: "${SQL}:v1.2.0", name: sql}`},
    {name: 'stays if it has the tag', before: `{package: "${SQL}:v1.5.0", name: sql}`},
  ])('$name', ({before}) => {
    const text = `${HEAD}packages:\n- ${before.replace('v1.2.0', 'v1.5.0')}\n`
    expect(install({}, before)).toBe(text)
    expect(install({name: 'sql'}, before)).toBe(text)
  })

  it.each([
    {name: 'another name', entry: {name: 'other'}, before: ['{package: "SQL:v1.5.0", name: sql}']},
    {name: 'a namespace', entry: {namespace: 'team'}, before: ['{package: "SQL:v1.5.0", name: sql}']},
    {
      name: 'several of it',
      entry: {},
      before: ['{package: "SQL:v1.5.0", name: sql}', '{package: "SQL:v1.5.0", name: db}'],
    },
    {name: 'one in a namespace', entry: {}, before: ['{package: "SQL:v1.5.0", name: sql, namespace: team}']},
    {name: 'only another package', entry: {}, before: ['{package: "SQL-two:v1.5.0", name: sql}']},
  ])('is an entry of its own beside $name', ({entry, before}) => {
    const entries = before.map(text => text.replace('SQL', SQL))
    const text = install(entry, ...entries)
    expect(text.match(/package:/g)).toHaveLength(entries.length + 1)
  })

  it('is rejected with other settings', async () => {
    const before = `{package: "${SQL}:v1.2.0", name: sql, runtimeConfig: big}`
    expect(await outcome(() => install({}, before))).toBe('input-invalid')
  })
})
