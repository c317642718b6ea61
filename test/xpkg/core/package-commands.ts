import {expect} from '@jest/globals'
import {asObject, asObjects, type JsonObject, type JsonValue} from '../../../src/yaml/json-value.js'
import {runCli} from '../../run-cli.js'

/** Runs a command about packages. */
export function run(...args: readonly string[]): ReturnType<typeof runCli> {
  return runCli('package', ...args)
}

/** Runs a command that must succeed. */
export async function succeed(
  ...args: readonly string[]
): Promise<{readonly stdout: string; readonly stderr: string}> {
  const {status, stdout, stderr} = await run(...args)
  expect({status, stderr: status === 0 ? '' : stderr}).toEqual({status: 0, stderr: ''})
  return {stdout, stderr}
}

/** Runs a command; returns its exit code and the lines of its errors. */
export async function fail(
  ...args: readonly string[]
): Promise<{readonly status: number | null; readonly errors: readonly string[]}> {
  const {status, stderr} = await run(...args)
  return {status, errors: stderr.split('\n').filter(line => /^(?:Error|Try): |^ {2}\S/.test(line))}
}

/** Lists the packages of the cluster. */
export async function listed(): Promise<readonly JsonObject[]> {
  const {stdout} = await succeed('list', '--output', 'json')
  return asObjects(asObject(JSON.parse(stdout) as JsonValue).packages)
}
