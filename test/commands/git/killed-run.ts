import {spawn} from 'node:child_process'
import {chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {text} from 'node:stream/consumers'
import {setTimeout as sleep} from 'node:timers/promises'
import {programWords} from '../../built-program.js'
import {type ProgramResult, runProgram, smallEnvironment} from '../../run-program.js'
import {runTool} from './git-world.js'

/** Runs the built program, which a signal can end, with the git variables of this process. */
export async function runBuilt(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<ProgramResult> {
  const [command, ...words] = programWords()
  return await runProgram(command, [...words, 'package', ...args], {
    env: {...gitVariables(), ...env},
  })
}

/** The variables of this process that are for git. */
export function gitVariables(): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith('GIT_')))
}

/** The line of a hook that sends a signal to the program: its process started git, which runs the hook. */
export const signalFromHook = (signal: string) => `kill -${signal} $(cut -d' ' -f4 /proc/$PPID/stat)`

/** A moment of a run: at its Nth call of git, counted from 1. `later` is milliseconds after that call began. */
export interface Moment {
  readonly call: number
  readonly when: 'before' | 'after' | {readonly later: number}
}

/** Runs the built program with a git that counts its calls, and kills the program at one of them. */
export class KilledRuns {
  readonly #folder: string
  /** Where the program has its temporary folders. */
  readonly temporary: string

  constructor(folder: string) {
    this.#folder = folder
    this.temporary = join(folder, 'tmp')
    for (const name of ['tmp', 'bin', 'running']) mkdirSync(join(folder, name))
    const real = runTool('sh', '-c', 'command -v git').trim()
    writeFileSync(join(folder, 'bin/git'), countingGit(real, folder))
    chmodSync(join(folder, 'bin/git'), 0o755)
  }

  /** Runs `package ARGS` to its end, or until it is killed; then waits for the git that it has left. */
  async run(args: readonly string[], kill?: Moment): Promise<{status: number | null; stderr: string}> {
    rmSync(join(this.#folder, 'calls'), {force: true})
    const {PATH = '', ...env} = smallEnvironment()
    const [call, when] =
      kill === undefined || typeof kill.when === 'object' ? [0, ''] : [kill.call, kill.when]
    const [command, ...words] = programWords()
    const child = spawn(command, [...words, 'package', ...args], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: {
        ...env,
        ...gitVariables(),
        TMPDIR: this.temporary,
        PATH: `${join(this.#folder, 'bin')}:${PATH}`,
        KILL_CALL: String(call),
        KILL_WHEN: when,
      },
    })
    const ended = new Promise<number | null>(resolve => {
      child.once('exit', resolve)
    })
    const [stderr, status] = await Promise.all([text(child.stderr), ended, this.#killLater(child, kill)])
    while (readdirSync(join(this.#folder, 'running')).length > 0) await sleep(10)
    return {status, stderr}
  }

  /** The number of calls of git in the last run. */
  calls(): number {
    const file = join(this.#folder, 'calls')
    return existsSync(file) ? readFileSync(file, 'utf8').length : 0
  }

  async #killLater(child: ReturnType<typeof spawn>, kill: Moment | undefined): Promise<void> {
    if (kill === undefined || typeof kill.when !== 'object') return
    const isRunning = () => child.exitCode === null && child.signalCode === null
    while (isRunning() && this.calls() < kill.call) await sleep(1)
    await sleep(kill.when.later)
    if (isRunning()) child.kill('SIGKILL')
  }
}

/** Some calls run at the same time: each has a number of its own. */
const countingGit = (real: string, folder: string) => `#!/bin/sh
call=$(flock '${folder}' sh -c "printf x >> '${folder}/calls'; wc -c < '${folder}/calls'")
if [ "$call" -eq "$KILL_CALL" ] && [ "$KILL_WHEN" = before ]; then kill -9 $PPID; exit 1; fi
touch '${folder}/running/'$$
'${real}' "$@"
status=$?
rm '${folder}/running/'$$
if [ "$call" -eq "$KILL_CALL" ]; then kill -9 $PPID; fi
exit $status
`
