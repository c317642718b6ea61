import {expect} from '@jest/globals'
import {join} from 'node:path'
import {asObject, asObjects, type JsonObject, type JsonValue} from '../../../src/yaml/json-value.js'
import {until} from '../../cluster/kube.js'
import {schemaOf, schemaViolations} from '../../json-schema.js'
import {fail, succeed} from './package-commands.js'

/** The cluster in which `app` was upgraded from v0.1.0 to v0.2.0. */
interface UpgradedApp {
  /** The repository of a name, with a tag if there is one. */
  readonly at: (name: string, tag?: string) => string
  /** Lists the packages with their versions and states. */
  readonly packages: () => Promise<readonly string[]>
  /** What that listed before the upgrade. */
  readonly before: readonly string[]
  /** Where a plan is saved. */
  readonly folder: string
}

/** Returns `app` from v0.2.0, with what it requires, and then to v0.2.0 again, by a saved plan. */
export async function expectRolledBack(
  {at, packages, before, folder}: UpgradedApp,
  core: readonly string[],
): Promise<void> {
  const upgraded = await packages()
  const [first, second, ...others] = await history('world-app')
  expect([first, second, others]).toMatchObject([
    {number: 1, package: at('app', 'v0.1.0'), state: 'Inactive'},
    {number: 2, package: at('app', 'v0.2.0'), state: 'Active', healthy: 'True'},
    [],
  ])
  expect(second?.digest).toMatch(/^sha256:/)
  const rollback = ['rollback', 'configuration.pkg.crossplane.io/world-app', ...core]
  const preview = await succeed(...rollback, '--dry-run=client')
  expect(preview.stdout).toContain(`${at('app', 'v0.2.0')} -> v0.1.0 `)
  expect(await packages()).toEqual(upgraded)
  await succeed(...rollback, '--yes', '--timeout', '120s')
  await expectSettled(packages, before)
  const [, last] = await history(at('app'))
  expect(last).toMatchObject({number: 3, package: at('app', 'v0.1.0'), state: 'Active'})
  const absent = await fail('rollback', 'world-app', '9', ...core, '--yes')
  expect(absent).toMatchObject({
    status: 1,
    errors: expect.arrayContaining([expect.stringContaining('revision 9 not found')]) as unknown,
  })
  const plan = join(folder, 'rollback.json')
  await succeed('rollback', 'world-app', '--to-revision', '2', ...core, '--plan-out', plan)
  await succeed('rollback', '--plan', plan)
  await expectSettled(packages, upgraded)
}

async function history(name: string): Promise<readonly JsonObject[]> {
  const {stdout} = await succeed('history', name, '--output', 'json')
  const document = JSON.parse(stdout) as JsonValue
  expect(schemaViolations(schemaOf('package-revision-list'), document)).toEqual([])
  return asObjects(asObject(document).revisions)
}

/** A revision that Crossplane activates again is healthy as before, until it has looked for what it requires. */
async function expectSettled(packages: UpgradedApp['packages'], want: readonly string[]): Promise<void> {
  await until(packages, lines => lines.join() === want.join(), 180).catch(() => undefined)
  expect(await packages()).toEqual(want)
}
