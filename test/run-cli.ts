import type {Interfaces} from '@oclif/core'
import {readdirSync, readFileSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {builtProgram, givenProgram} from './built-program.js'
import {capture, type runCompiled as runCompiledHere} from './compiled-program.cjs'
import {runBuilt} from './run-program.js'

/** How a command line ended and what it printed, to the byte. */
export interface CliResult {
  readonly status: number
  readonly stdout: string
  readonly stderr: string
}

declare global {
  /** Set by compiled-environment.cjs. */
  var runCompiled: typeof runCompiledHere | undefined
  /** Set by compiled-suite-environment.cjs: what suites import from src is what the build made of it. */
  var importsCompiled: true | undefined
}

const SRC = join(import.meta.dirname, '../src')

/**
 * Runs a command line in this process, on the sources, so that they are compiled and counted as by any other suite.
 * The root is src because oclif would find its manifest, and with it dist/, beside package.json. The quick gate runs the
 * compiled program unless it collects coverage. A program that was given runs in a process of its own instead, with the
 * variables of this one.
 */
export async function runCli(...argv: readonly string[]): Promise<CliResult> {
  if (givenProgram() !== undefined) return await runGiven(argv)
  if (globalThis.runCompiled !== undefined) return await runCompiled(globalThis.runCompiled, argv)
  const main = await mainOfSources()
  return await capture(() => main(argv, {root: SRC, pjson: manifestOf(SRC)}))
}

async function runGiven(argv: readonly string[]): Promise<CliResult> {
  const env = {...process.env, NODE_OPTIONS: undefined}
  const {status, stdout, stderr} = await runBuilt(argv, {env})
  return {status: status ?? 1, stdout, stderr}
}

async function runCompiled(run: typeof runCompiledHere, argv: readonly string[]): Promise<CliResult> {
  const root = dirname(dirname(builtProgram()))
  return {...(await run({root, argv, env: process.env, processArgv: process.argv}))}
}

/** The same with a plugin, whose sources are in a folder. A program that was given contains it. */
export async function runCliWith(source: string, ...argv: readonly string[]): Promise<CliResult> {
  if (givenProgram() !== undefined) return await runGiven(argv)
  const main = await mainOfSources()
  await importCommands(source)
  const {Plugin} = await import('@oclif/core')
  const [program, plugin] = [runFolder(SRC), runFolder(source)]
  const plugins = [program, plugin].map(
    root => new Plugin({root, pjson: manifestOf(root), isRoot: true, ignoreManifest: true, type: 'core'}),
  )
  for (const plugin of plugins) await plugin.load()
  const byName = new Map(plugins.map(plugin => [plugin.name, plugin]))
  return await capture(() => main(argv, {root: program, pjson: manifestOf(program), plugins: byName}))
}

/** The folder with the modules that are run, which oclif imports itself. */
function runFolder(source: string): string {
  return globalThis.importsCompiled === true ? join(source, '../dist') : source
}

async function mainOfSources() {
  // oclif imports all commands at once, and jest fails now and then to link what two of them import at the same time.
  await import('../src/cli/shell/help/program-help.js')
  await importCommands(SRC)
  // Connecting imports these at once, too.
  await import('../src/adapters/connection-files.js')
  await import('../src/adapters/exec-plugins.js')
  const {main} = await import('../src/cli/shell/main.js')
  return main
}

async function importCommands(source: string): Promise<void> {
  if (globalThis.importsCompiled === true) return
  for (const path of readdirSync(join(source, 'commands'), {recursive: true, encoding: 'utf8'})) {
    if (path.endsWith('.ts')) await import(join(source, 'commands', path))
  }
}

/** The package.json beside a folder of sources, for running these. The program is tested without its plugins. */
function manifestOf(source: string): Interfaces.PJSON {
  const pjson = JSON.parse(readFileSync(join(source, '../package.json'), 'utf8')) as Interfaces.PJSON
  const commands = {strategy: 'pattern', target: './commands'} as const
  return {...pjson, oclif: {...pjson.oclif, commands, plugins: []}}
}
