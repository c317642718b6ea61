import {describe, expect, it} from '@jest/globals'
import {asObject, asObjects, type JsonObject} from '../../src/yaml/json-value.js'
import {writeYaml} from '../../src/yaml/write-yaml.js'
import {expectGolden} from '../golden.js'
import {runCli} from '../run-cli.js'
import {objectsIn} from './printed-objects.js'

const PACKAGES = ['--packages', 'examples/platform/packages']
const ADDON = ['example/addon-backup', 'backup', '--namespace', 'infra', ...PACKAGES]

async function objects(...args: readonly string[]): Promise<JsonObject[]> {
  const {status, stdout} = await runCli('package', 'render', ...args)
  expect(status).toBe(0)
  return objectsIn(stdout) as unknown as JsonObject[]
}

const named = (all: readonly JsonObject[], kind: string, name: string) =>
  all.find(object => object.kind === kind && asObject(object.metadata).name === name) ?? {}
const resources = (rules: unknown) => asObjects(rules as never).map(rule => rule.resources)

describe('permissions for what a package depends on', () => {
  it('name plurals where what it needs is resolved: dependsOn has the singular sqlinstance', async () => {
    const all = await objects(...ADDON)
    const role = named(all, 'ClusterRole', 'package:infra:backup:v0.3.0:system')
    expectGolden('rules-addon-backup.yaml', writeYaml([{rules: role.rules ?? []}]))
    const {permissions} = asObject(named(all, 'Package', 'backup').spec)
    expect(asObject(permissions).rules).toEqual(role.rules)
  })

  it('are as they were written where it is not', async () => {
    const all = await objects(...ADDON, '--no-dependencies')
    const role = named(all, 'ClusterRole', 'package:infra:backup:v0.3.0:system')
    expect(resources(role.rules).at(-1)).toEqual(['sqlinstance'])
  })
})
