import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, it} from '@jest/globals'
import {type JsonSchema, schemaViolations} from '../json-schema.js'
import {runCli} from '../run-cli.js'
import {temporaryFolder} from '../temporary-folder.js'
import type {JsonValue} from '../../src/yaml/json-value.js'
import {fixture} from './fixtures.js'

const temporary = temporaryFolder()
const TO = ['--target', 'registry.example.org/team/database:v1.0.0']
const translate = (folder: string, ...args: readonly string[]) =>
  runCli('package', 'translate', fixture('cli-database'), join(temporary, folder), ...args)

const IDENTITY = ['--as-package', 'example/cli-database:v0.2.0']

describe('package translate', () => {
  it('writes a package that lints and builds, and reports by its schema', async () => {
    const {status, stdout} = await translate('new', ...TO, ...IDENTITY, '-o', 'json')
    expect(status).toBe(0)
    const schema = JSON.parse(
      readFileSync('docs/schemas/translate-report.v1alpha1.json', 'utf8'),
    ) as JsonSchema
    expect(schemaViolations(schema, JSON.parse(stdout) as JsonValue)).toEqual([])
    const folder = join(temporary, 'new', 'package')
    expect(await runCli('package', 'lint', folder)).toMatchObject({status: 0})
    const built = await runCli('package', 'build', join(temporary, 'new.xpkg'), folder)
    expect(built).toMatchObject({status: 0, stdout: expect.stringMatching(/^sha256:/)})
  })

  it.each([
    {name: 'a target without a tag', to: 'registry.example.org/team/database', code: 'usage'},
    {name: 'a target without a registry', to: 'team/database:v1.0.0', code: 'usage'},
    {name: 'a registry without a dot', to: 'localhost:5000/team/database:v1.0.0', code: 'usage'},
  ])('rejects $name', async ({to, code}) => {
    const {stderr} = await translate('rejected', '--target', to, ...IDENTITY, '-o', 'json')
    expect(JSON.parse(stderr)).toMatchObject({code})
  })

  it('does not overwrite files', async () => {
    await translate('twice', ...TO, ...IDENTITY)
    const {stderr} = await translate('twice', ...TO, ...IDENTITY, '-o', 'json')
    expect(JSON.parse(stderr)).toMatchObject({code: 'output-refused'})
  })

  it('rejects a package for a current Crossplane', async () => {
    const example = './examples/xpkg/configuration-database'
    const {stderr} = await runCli('package', 'translate', example, join(temporary, 'x'), ...TO, '-o', 'json')
    expect(JSON.parse(stderr)).toMatchObject({code: 'unsupported'})
  })
})
