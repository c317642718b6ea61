import {describe, expect, it} from '@jest/globals'
import {CrossplaneError} from '../../src/errors.js'
import {readDeclaration} from '../../src/declaration/read-declaration.js'

const START = `apiVersion: packages.kubectl-crossplane.dev/v1alpha1
kind: PackageDeclaration
packages: [{package: team/app}]
`
const read = (text: string) => readDeclaration('platform.yaml', Buffer.from(`${START}${text}`))

describe('acknowledged notes', () => {
  it('are read by their rules', () => {
    const {acknowledged} = read(`acknowledged:
  held-back: [team/sql:v2, "registry.example.org:5000/team/db:v1.0.0"]
  assumed: ["*.example.org", clusters.example.org/v1]
  assumed-kubernetes: []
`)
    expect(acknowledged).toEqual({
      'held-back': ['team/sql:v2', 'registry.example.org:5000/team/db:v1.0.0'],
      assumed: ['*.example.org', 'clusters.example.org/v1'],
    })
  })

  it('that match no note are errors with their lines', () => {
    let thrown: unknown
    try {
      read(`acknowledged:
  held-back: [team/sql, team/sql:v1, team/sql:v1]
  assumed: [clusters, "*.example.org/v1", "*.example.org/v1/a"]
  owner-first-use: [team/sql]
  assumed-crossplane: all
`)
    } catch (error) {
      thrown = error
    }
    const {diagnostics} = thrown as CrossplaneError
    expect(thrown).toBeInstanceOf(CrossplaneError)
    expect(diagnostics.map(({line, field, rule}) => `${line ?? '-'} ${field ?? ''} [${rule}]`)).toEqual([
      '5 acknowledged.held-back[0] [declaration-value]',
      '5 acknowledged.held-back[2] [declaration-value]',
      '6 acknowledged.assumed[0] [declaration-value]',
      '6 acknowledged.assumed[2] [declaration-value]',
      '7 acknowledged.owner-first-use [unknown-field]',
      '8 acknowledged.assumed-crossplane [field-type]',
    ])
  })
})
