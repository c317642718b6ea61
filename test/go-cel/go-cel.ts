import {execFile, spawn} from 'node:child_process'
import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {buffer} from 'node:stream/consumers'
import {promisify} from 'node:util'
import type {JsonObject, JsonValue} from '../../src/yaml/json-value.js'

/** What cel-go says of an expression: its value, or the stage at which it failed. */
interface CelGoResult {
  readonly value: JsonValue
  readonly error?: 'compile' | 'evaluate'
}

/** The program of this folder, built. */
export interface GoCel {
  evaluate(variables: JsonObject, expressions: readonly string[]): Promise<readonly CelGoResult[]>
  remove(): Promise<void>
}

/** Builds the program of this folder; Go downloads cel-go. */
export async function buildGoCel(): Promise<GoCel> {
  const folder = await mkdtemp(join(tmpdir(), 'kubectl-crossplane-go-cel-'))
  const program = join(folder, 'go-cel')
  await promisify(execFile)('go', ['build', '-mod=readonly', '-o', program, '.'], {
    cwd: import.meta.dirname,
    env: {...process.env, GOFLAGS: '', GOWORK: 'off'},
  })
  return {
    evaluate: async (variables, expressions) => {
      const child = spawn(program, {stdio: ['pipe', 'pipe', 'inherit']})
      const printed = buffer(child.stdout)
      child.stdin.end(JSON.stringify({Variables: variables, Expressions: expressions}))
      return JSON.parse((await printed).toString('utf8')) as readonly CelGoResult[]
    },
    remove: () => rm(folder, {recursive: true}),
  }
}
