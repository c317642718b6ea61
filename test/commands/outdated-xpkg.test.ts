import {describe, expect, it} from '@jest/globals'
import {readFileSync} from 'node:fs'
import {type JsonSchema, schemaViolations} from '../json-schema.js'
import type {JsonValue} from '../../src/yaml/json-value.js'
import {installName, lockedXpkgs} from './locked-xpkgs.js'

describe('packages for a current Crossplane', () => {
  const world = lockedXpkgs()

  it('are explained by the constraints on the way, and by what holds them back', async () => {
    const {declare, publish, run, name} = world()
    declare([{package: name('app:v1.0.0')}])
    publish('app', 'v1.0.0', {requires: {b: '*', a: '<v2.0.0'}})
    publish('b', 'v1.0.0', {requires: {a: '*'}})
    publish('a', 'v1.0.0', {crd: 'buckets.s3.example.org'})
    publish('a', 'v2.0.0')
    const explained = await run('why', name('a'))
    expect(explained.stdout).toBe(`${name('a')}:v1.0.0 would be installed as ${installName(name('a'))}

  requested ${name('app')}:v1.0.0
    requires ${name('a')} <v2.0.0: ${name('a')}:v1.0.0

  requested ${name('app')}:v1.0.0
    requires ${name('b')} *: ${name('b')}:v1.0.0
      requires ${name('a')} *: ${name('a')}:v1.0.0

  ${name('a')}:v1.0.0 is held back; newest version: v2.0.0; ${name('app')}:v1.0.0 requires ${name('a')} <v2.0.0
`)
    expect((await run('why', 'buckets.s3.example.org/v1')).stdout).toBe(explained.stdout)
    expect((await run('why', name('a'), '-o', 'mermaid')).stdout).toBe(`flowchart LR
  n0["you"]
  n1["${name('app')}:v1.0.0"]
  n2["${name('a')}:v1.0.0"]
  n3["${name('b')}:v1.0.0"]
  n0 --> n1
  n1 -->|"${name('a')} #60;v2.0.0"| n2
  n1 -->|"${name('b')} *"| n3
  n3 -->|"${name('a')} *"| n2
`)
    const json = await run('why', name('a'), '-o', 'json')
    const schema = JSON.parse(
      readFileSync('docs/schemas/install-reasons.v1alpha1.json', 'utf8'),
    ) as JsonSchema
    expect(schemaViolations(schema, JSON.parse(json.stdout) as JsonValue)).toEqual([])
    expect(await run('why', 'x.example.org')).toMatchObject({status: 1, stdout: ''})
  })

  it('are listed if they are outdated, held back or pinned', async () => {
    const {declare, publish, run, name} = world()
    declare([{package: name('app:v1.0.0')}, {package: name('z')}])
    publish('app', 'v1.0.0', {requires: {a: '<v2.0.0'}})
    publish('a', 'v1.0.0')
    publish('z', 'v1.0.0')
    await run('lock')
    expect(await run('outdated')).toMatchObject({status: 0, stdout: ''})
    publish('a', 'v2.0.0')
    publish('app', 'v1.1.0')
    publish('z', 'v1.1.0')
    const {status, stdout} = await run('outdated', '-o', 'json')
    expect(status).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({
      current: 0,
      packages: [
        {
          ...{package: name('a'), locked: 'v1.0.0', fits: 'v1.0.0', newest: 'v2.0.0', status: 'held-back'},
          reason: `${name('app')}:v1.0.0 requires ${name('a')} <v2.0.0`,
        },
        {
          ...{package: name('app'), locked: 'v1.0.0', fits: 'v1.0.0', newest: 'v1.1.0', status: 'pinned'},
          reason: `${name('app')} v1.0.0 is requested`,
        },
        {package: name('z'), locked: 'v1.0.0', fits: 'v1.1.0', newest: 'v1.1.0', status: 'outdated'},
      ],
    })
    const text = await run('outdated')
    expect(text.stdout.replaceAll(/ {2,}/g, '  ')).toBe(`HELD BACK  LOCKED  SELECTED  LATEST
${name('a')}  v1.0.0  v1.0.0  v2.0.0
  ${name('app')}:v1.0.0 requires ${name('a')} <v2.0.0

PINNED  LOCKED  SELECTED  LATEST
${name('app')}  v1.0.0  v1.0.0  v1.1.0
  ${name('app')} v1.0.0 is requested

CAN BE UPGRADED  LOCKED  SELECTED  LATEST
${name('z')}  v1.0.0  v1.1.0  v1.1.0

0 packages up to date.
`)
    const drawn = await run('outdated', '-o', 'dot')
    expect(drawn.stdout.split('\n').filter(line => line.includes('->'))).toEqual([
      `  "${name('app')}:v1.0.0" -> "${name('a')}:v1.0.0" [label="${name('a')} <v2.0.0, not v2.0.0", color=red]`,
      `  "you" -> "${name('app')}:v1.0.0" [label="${name('app')} v1.0.0, not v1.1.0", color=red]`,
      `  "you" -> "${name('z')}:v1.1.0" [label="upgrade from v1.0.0"]`,
    ])
  })
})
