import {type Interfaces, Plugin} from '@oclif/core'
import {readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {main} from '../src/cli/main.js'
import {givenProgram} from './built-program.js'
import {runBuilt} from './run-program.js'

/** How a command line ended and what it printed, to the byte. */
export interface CliResult {
  readonly status: number
  readonly stdout: string
  readonly stderr: string
}

const SRC = join(import.meta.dirname, '../src')

// oclif imports all commands at once, and jest fails now and then to link what two of them import at the same time.
await import('../src/cli/help/program-help.js')
await importCommands(SRC)
// Connecting imports these at once, too.
await import('../src/adapters/connection-files.js')
await import('../src/adapters/exec-plugins.js')

async function importCommands(source: string): Promise<void> {
  for (const path of readdirSync(join(source, 'commands'), {recursive: true, encoding: 'utf8'})) {
    if (path.endsWith('.ts')) await import(join(source, 'commands', path))
  }
}

/**
 * Runs a command line in this process, on the sources, so that they are compiled and counted as by any other suite.
 * The root is src because oclif would find its manifest, and with it dist/, beside package.json. A program that was
 * given runs in a process of its own instead, with the variables of this one.
 */
export async function runCli(...argv: readonly string[]): Promise<CliResult> {
  if (givenProgram() !== undefined) return await runGiven(argv)
  return await capture(() => main(argv, {root: SRC, pjson: manifestOf(SRC)}))
}

async function runGiven(argv: readonly string[]): Promise<CliResult> {
  const env = {...process.env, NODE_OPTIONS: undefined}
  const {status, stdout, stderr} = await runBuilt(argv, {env})
  return {status: status ?? 1, stdout, stderr}
}

/** The same with a plugin, whose sources are in a folder. A program that was given contains it. */
export async function runCliWith(source: string, ...argv: readonly string[]): Promise<CliResult> {
  if (givenProgram() !== undefined) return await runGiven(argv)
  await importCommands(source)
  const plugins = [SRC, source].map(
    root => new Plugin({root, pjson: manifestOf(root), isRoot: true, ignoreManifest: true, type: 'core'}),
  )
  for (const plugin of plugins) await plugin.load()
  const byName = new Map(plugins.map(plugin => [plugin.name, plugin]))
  return await capture(() => main(argv, {root: SRC, pjson: manifestOf(SRC), plugins: byName}))
}

/** The package.json beside a folder of sources, for running these. The program is tested without its plugins. */
function manifestOf(source: string): Interfaces.PJSON {
  const pjson = JSON.parse(readFileSync(join(source, '../package.json'), 'utf8')) as Interfaces.PJSON
  const commands = {strategy: 'pattern', target: './commands'} as const
  return {...pjson, oclif: {...pjson.oclif, commands, plugins: []}}
}

/** What is written to the streams of this process until a run has ended, which is its status. */
async function capture(run: () => Promise<number>): Promise<CliResult> {
  const [stdout, stderr] = [divert(process.stdout), divert(process.stderr)]
  // oclif leaves a failed command's status here. With two processors jest has no workers: it would end with that status.
  const {exitCode} = process
  try {
    return {status: await run(), stdout: stdout.text(), stderr: stderr.text()}
  } finally {
    stdout.restore()
    stderr.restore()
    process.exitCode = exitCode
  }
}

/** What something writes to stderr at once. */
export function captureStderr(run: () => void): string {
  const stderr = divert(process.stderr)
  try {
    run()
    return stderr.text()
  } finally {
    stderr.restore()
  }
}

function divert(stream: NodeJS.WriteStream): {text: () => string; restore: () => void} {
  const own = Object.getOwnPropertyDescriptor(stream, 'write')
  let text = ''
  const value = (chunk: Uint8Array | string, ...rest: readonly unknown[]) => {
    text += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString()
    const taken = rest.find(each => typeof each === 'function')
    taken?.()
    return true
  }
  Object.defineProperty(stream, 'write', {value, configurable: true})
  return {
    text: () => text,
    restore: () => {
      Reflect.deleteProperty(stream, 'write')
      if (own !== undefined) Object.defineProperty(stream, 'write', own)
    },
  }
}
