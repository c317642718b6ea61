import {expect} from '@jest/globals'
import {chmodSync, mkdtempSync, readdirSync} from 'node:fs'
import {join} from 'node:path'
import {schemaOf, schemaViolations} from '../json-schema.js'
import {runCli} from '../run-cli.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'
import type {JsonObject} from '../../src/yaml/json-value.js'
import {setVariable} from '../set-variable.js'

const folders = temporaryFolder()

/** A path at which nothing exists. */
export const ABSENT = '/absent/kubectl-crossplane'
const NOTHING = {KUBECONFIG: ABSENT, REGISTRY_AUTH_FILE: ABSENT, CROSSPLANE_CACHE_DIR: ABSENT, PATH: ''}

/** The result of one check. */
interface Seen {
  readonly check: string
  readonly state: string
  readonly message: string
  readonly suggestion?: string
}

/** The exit status of `doctor`, and its checks by their names. */
export interface Diagnosis {
  readonly status: number
  readonly stderr: string
  readonly of: (check: string) => readonly Seen[]
}

type Variables = Readonly<Record<string, string>>

/** Runs `doctor` with variables of the environment, without a cluster unless they name one. */
export async function doctor(env: Variables, ...args: readonly string[]): Promise<Diagnosis> {
  const variables = {...NOTHING, ...env}
  const before = Object.keys(variables).map(name => [name, process.env[name]] as const)
  Object.assign(process.env, variables)
  try {
    const {status, stdout, stderr} = await runCli('doctor', ...args, '-o', 'json')
    const document = JSON.parse(stdout) as {readonly checks: readonly Seen[]}
    expect(schemaViolations(schemaOf('doctor-report'), document)).toEqual([])
    return {status, stderr, of: check => document.checks.filter(each => each.check === check)}
  } finally {
    for (const [name, value] of before) {
      setVariable(name, value)
    }
  }
}

/** The same in a working folder. */
export async function doctorIn(
  folder: string,
  env: Variables,
  ...args: readonly string[]
): Promise<Diagnosis> {
  const before = process.cwd()
  process.chdir(folder)
  try {
    return await doctor(env, ...args)
  } finally {
    process.chdir(before)
  }
}

/** A folder of programs. */
export function programs(files: Readonly<Record<string, string>>): string {
  const folder = writeTree(mkdtempSync(join(folders, 'bin-')), files)
  for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o755)
  return folder
}

/** A kubeconfig for one server. */
export function kubeconfigFor(server: string, user: JsonObject = {}): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'a',
    contexts: [{name: 'a', context: {cluster: 'a', user: 'a'}}],
    clusters: [{name: 'a', cluster: {server}}],
    users: [{name: 'a', user}],
  })
}
