import {spawn} from 'node:child_process'
import {text} from 'node:stream/consumers'
import {programCommand} from './built-program.js'

/** How a process ended and what it printed. */
export interface ProgramResult {
  readonly status: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

export interface ProgramOptions {
  readonly input?: string
  readonly cwd?: string
  /** Added to a small environment; undefined takes a variable away. */
  readonly env?: Readonly<Record<string, string | undefined>>
}

/** Runs a program to its end. The environment is small, so that what a developer has set decides nothing. */
export async function runProgram(
  command: string,
  args: readonly string[],
  {input = '', cwd, env = {}}: ProgramOptions = {},
): Promise<ProgramResult> {
  const child = spawn(command, args, {cwd, env: {...smallEnvironment(), ...env}})
  child.stdin.on('error', () => undefined) // it may end without reading
  child.stdin.end(input)
  const ended = new Promise<Pick<ProgramResult, 'status' | 'signal'>>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (status, signal) => resolve({status, signal}))
  })
  const [stdout, stderr, end] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  return {...end, stdout, stderr}
}

/** Runs the built program, or the one that was given, to its end. */
export async function runBuilt(
  args: readonly string[],
  options: ProgramOptions = {},
): Promise<ProgramResult> {
  return await runProgram(...programCommand(...args), options)
}

/** The variables with which a program of Node, also a single executable, loads a CommonJS module before its own. */
export function preloading(path: string): {readonly NODE_OPTIONS: string} {
  return {NODE_OPTIONS: `--require ${JSON.stringify(path)}`}
}

/** What a process needs to run at all; without NODE_OPTIONS, which says how jest runs. */
export function smallEnvironment(): Record<string, string> {
  const {PATH = '', HOME = '', TMPDIR} = process.env
  return {PATH, HOME, CROSSPLANE_WAIT_NOTICE: '600', ...(TMPDIR === undefined ? {} : {TMPDIR})}
}
