import {describe, expect, it} from '@jest/globals'
import {readFileSync} from 'node:fs'
import {readPolicyFile} from '../../../src/declaration/policy/read-policy.js'
import {CrossplaneError} from '../../../src/errors.js'
import {readYaml} from '../../../src/yaml/read-yaml.js'
import {type JsonSchema, schemaViolations} from '../../json-schema.js'

const HEAD = 'apiVersion: packages.kubectl-crossplane.dev/v1alpha1\nkind: Policy\n'
const FULL = `${HEAD}owners:
  "*.gcp.org": example/gcp
  sql.org: example/sql
sources:
- docker.io/example
- registry.example.org
limits: {packages: 20, solveTimeoutSeconds: 10}
`
const read = (text: string) => readPolicyFile('policy.yaml', Buffer.from(text))

/** The errors as `line field [rule]`. */
function errorsIn(text: string): readonly string[] {
  try {
    read(text)
    return []
  } catch (error) {
    if (!(error instanceof CrossplaneError)) throw error
    expect(error.code).toBe('input-invalid')
    return error.diagnostics.map(({line, field, rule}) => `${line ?? '-'} ${field ?? ''} [${rule}]`)
  }
}

const NO_MANAGER = {namespaces: [], clusterNamespaces: []}
const NO_RULES = {reject: {}, rules: []}

describe('readPolicyFile', () => {
  it('reads all fields with their lines', () => {
    expect(read(FULL)).toEqual({
      ...NO_RULES,
      file: 'policy.yaml',
      owners: [
        {group: '*.gcp.org', package: 'example/gcp', line: 4},
        {group: 'sql.org', package: 'example/sql', line: 5},
      ],
      sources: [
        {prefix: 'docker.io/example', line: 7},
        {prefix: 'registry.example.org', line: 8},
      ],
      limits: {packages: {value: 20, line: 9}, solveTimeoutSeconds: 10},
      manager: NO_MANAGER,
    })
  })

  it('reads the namespaces of a manager', () => {
    const manager = {namespaces: ['team'], clusterNamespaces: ['platform']}
    expect(read(`${HEAD}manager: {namespaces: [team], clusterNamespaces: [platform]}\n`).manager).toEqual(
      manager,
    )
  })

  it('reads as many rules, and as long ones, as are allowed', () => {
    const rules = (count: number, length: number) =>
      Array.from(
        {length: count},
        (_none, index) => `- {name: r${index}, expression: "${'1'.repeat(length)}"}\n`,
      )
    const policy = (count: number, length: number) => `${HEAD}rules:\n${rules(count, length).join('')}`
    expect(read(policy(100, 10_000)).rules).toHaveLength(100)
    expect(errorsIn(policy(101, 1))).toEqual(['3 rules [policy-value]'])
    expect(errorsIn(policy(2, 10_001))).toEqual([
      '4 rules[0].expression [policy-value]',
      '5 rules[1].expression [policy-value]',
    ])
  })

  it('reads one without fields, which allows everything', () => {
    expect(read(HEAD)).toEqual({
      file: 'policy.yaml',
      owners: [],
      limits: {},
      manager: NO_MANAGER,
      ...NO_RULES,
    })
  })

  it.each([
    {name: 'an unknown field', in: `${HEAD}sigs: []\n`, want: ['3 sigs [unknown-field]']},
    {
      name: 'signatures of nobody',
      in: `${HEAD}signatures:\n- repositories: [a.org]\n`,
      want: ['4 signatures[0] [policy-value]'],
    },
    {
      name: 'a signer that is no key',
      in: `${HEAD}signatures:\n- repositories: ["*"]\n  signers:\n  - key: text\n`,
      want: ['6 signatures[0].signers[0].key [policy-value]'],
    },
    {
      name: 'an identity without an issuer, and without a root',
      in: `${HEAD}signatures:\n- repositories: ["*"]\n  signers:\n  - subject: a\n`,
      want: ['6 signatures[0].signers[0] [policy-value]', '6 signatures[0].signers[0] [policy-value]'],
    },
    {
      name: 'a signer that is two',
      in: `${HEAD}signatures:\n- repositories: ["*"]\n  trustedRoot: r\n  signers:\n  - {keyFile: a, issuer: b, subject: c}\n`,
      want: ['7 signatures[0].signers[0] [policy-value]'],
    },
    {
      name: 'other words for what is required',
      in: `${HEAD}signatures:\n- repositories: ["*"]\n  signers: [{keyFile: a}]\n  require: [trust]\n  otherwise: ask\n  builder: x\n`,
      want: [
        '6 signatures[0].require[0] [policy-value]',
        '7 signatures[0].otherwise [policy-value]',
        '8 signatures[0].builder [policy-value]',
      ],
    },
    {name: 'an unknown limit', in: `${HEAD}limits: {crds: 1}\n`, want: ['3 limits.crds [unknown-field]']},
    {
      name: 'a limit of nothing',
      in: `${HEAD}limits: {packages: 0}\n`,
      want: ['3 limits.packages [policy-value]'],
    },
    {
      name: 'a namespace that cannot exist',
      in: `${HEAD}manager: {namespaces: [A/B]}\n`,
      want: ['3 manager.namespaces[0] [policy-value]'],
    },
    {name: 'a source with a tag', in: `${HEAD}sources: [a/b:v1]\n`, want: ['3 sources[0] [policy-value]']},
    {
      name: 'an owner with a tag',
      in: `${HEAD}owners: {a.org: b/c:v1}\n`,
      want: ['3 owners["a.org"] [policy-value]'],
    },
    {name: 'another kind', in: HEAD.replace('Policy', 'Policies'), want: ['2 kind [policy-value]']},
    {name: 'nothing', in: '', want: ['-  [policy-empty]']},
    {name: 'two documents', in: `${HEAD}---\n${HEAD}`, want: ['4  [policy-documents]']},
  ])('rejects $name', ({in: text, want}) => {
    expect(errorsIn(text)).toEqual(want)
  })

  it('has a schema that agrees', () => {
    const schema = JSON.parse(readFileSync('docs/schemas/policy.v1alpha1.json', 'utf8')) as JsonSchema
    const valueOf = (text: string) => readYaml(Buffer.from(text), 'x')[0]?.value ?? null
    expect(schemaViolations(schema, valueOf(FULL))).toEqual([])
    expect(schemaViolations(schema, valueOf(`${HEAD}sigs: []\n`))).toHaveLength(1)
  })
})
