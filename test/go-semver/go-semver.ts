import {execFile, spawn} from 'node:child_process'
import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {buffer} from 'node:stream/consumers'
import {promisify} from 'node:util'
import type {ConstraintRules} from '../../src/xpkg/constraints/constraint-rules.js'

/** A constraint for a tag, and another tag to compare with. */
export interface SemverQuestion {
  readonly constraint: string
  readonly tag: string
  readonly other: string
}

/** What one version of the library says; null where a text is not valid. */
export interface SemverAnswer {
  readonly candidate: boolean
  readonly order: number | null
  readonly parses: boolean
  readonly satisfied: boolean | null
}

/** The program of this folder, built. */
export interface GoSemver {
  answer(
    questions: readonly SemverQuestion[],
  ): Promise<readonly Readonly<Record<ConstraintRules, SemverAnswer>>[]>
  remove(): Promise<void>
}

/** Builds the program of this folder; Go downloads both versions of the library. */
export async function buildGoSemver(): Promise<GoSemver> {
  const folder = await mkdtemp(join(tmpdir(), 'kubectl-crossplane-go-semver-'))
  const program = join(folder, 'go-semver')
  await promisify(execFile)('go', ['build', '-mod=readonly', '-o', program, '.'], {
    cwd: import.meta.dirname,
    env: {...process.env, GOFLAGS: '', GOWORK: 'off'},
  })
  return {answer: questions => answers(program, questions), remove: () => rm(folder, {recursive: true})}
}

async function answers(program: string, questions: readonly SemverQuestion[]) {
  const child = spawn(program, {stdio: ['pipe', 'pipe', 'inherit']})
  const printed = buffer(child.stdout)
  child.stdin.end(JSON.stringify(questions))
  return JSON.parse((await printed).toString('utf8')) as Readonly<Record<ConstraintRules, SemverAnswer>>[]
}
