import type {Interfaces} from '@oclif/core'
import type {Connection} from '../../cluster/connection.js'
import {CrossplaneError} from '../../errors.js'
import {readClusterPlan, type SavedClusterPlan} from '../../plan/cluster/saved-cluster-plan.js'
import type {PlanOrigin} from '../../plan/plan.js'
import {invalidPlan} from '../../plan/read-plan.js'
import {escaped, quoted} from '../../text.js'
import {backupFlag, changeFlags, changeOutputFlag} from '../plan/change-flags.js'
import {clusterFlags} from '../cluster/cluster-flags.js'
import {commonFlags} from '../shell/flags/common-flags.js'
import {savedPlan, type WrittenWords} from '../plan/plan-query.js'
import {offWord} from '../shell/flags/boolean-words.js'
import {writtenFlags} from '../shell/flags/written-flags.js'

/** Flags that decide where and how a change is applied, rather than what it contains. */
const RUN_FLAGS: readonly string[] = [
  changeFlags,
  backupFlag,
  clusterFlags,
  changeOutputFlag,
  commonFlags,
].flatMap(flags => Object.keys(flags))

/** A command line as oclif parses it. */
export interface ParsedCommand {
  readonly raw: Interfaces.ParserOutput['raw']
  readonly flags: {readonly plan?: string; readonly 'plan-out'?: string}
}

/** A command that changes a cluster, and the parser of its command line. */
export interface PlanningCommand<Parsed> {
  /** Such as `package install`. */
  readonly command: string
  readonly toolVersion: string
  /** The command line that was given. */
  readonly parsed: Parsed
  /** The plan of --plan, as `savedClusterPlan` reads it. */
  readonly saved: SavedClusterPlan | undefined
  readonly parse: (words: string[]) => Promise<Parsed>
}

/** The saved plan of a command, and the file to save its plan to. */
export interface PlanFiles {
  readonly origin: PlanOrigin
  /** The file to save the plan to; the cluster is not changed then. */
  readonly planOut?: string
  /** The plan to apply. */
  readonly saved?: SavedClusterPlan
}

/**
 * Reads the plan of --plan, before a cluster is contacted: the file is what the command line names. Throws `usage` for
 * other words that select what to do, `input-invalid` for a file that is not a plan, and `not-found`.
 */
export async function savedClusterPlan(parsed: ParsedCommand): Promise<SavedClusterPlan | undefined> {
  const {plan: file} = parsed.flags
  if (file === undefined) return undefined
  const {name, bytes} = await savedPlan(file, writtenIn(parsed), RUN_FLAGS)
  return readClusterPlan(bytes, name)
}

/**
 * Returns the command line that decides what to change: the given one or, with --plan, the one that the plan was made
 * by. Throws `input-invalid` for another plan, and `plan-outdated` for one of another cluster or version.
 */
export async function decidingCommand<Parsed extends ParsedCommand>(
  {command, toolVersion, parsed, saved, parse}: PlanningCommand<Parsed>,
  {context, server}: Connection,
): Promise<{readonly deciding: Parsed; readonly files: PlanFiles}> {
  const {'plan-out': planOut} = parsed.flags
  const here = {command, context, server: server.href, toolVersion}
  if (saved === undefined)
    return {deciding: parsed, files: {origin: {...here, arguments: wordsOf(parsed)}, planOut}}
  expectHere(saved, here)
  return {deciding: await parsedAgain(saved, parse), files: {origin: saved.origin, saved}}
}

function writtenIn({raw}: ParsedCommand): WrittenWords {
  return {ref: raw.find(({type}) => type === 'arg')?.input, flagNames: writtenFlags(raw)}
}

/** The words that decide, in a form that can be parsed again. */
function wordsOf({raw, flags}: ParsedCommand): string[] {
  const args = raw.flatMap(({type, input}) => (type === 'arg' ? [input] : []))
  const words = raw.flatMap(token =>
    token.type === 'arg' || RUN_FLAGS.includes(token.flag) ? [] : flagWords(token, flags),
  )
  return args.some(arg => arg.startsWith('-')) ? [...words, '--', ...args] : [...args, ...words]
}

function flagWords({flag, input}: {readonly flag: string; readonly input: string}, flags: object): string[] {
  const value = new Map<string, unknown>(Object.entries(flags)).get(flag)
  if (value === undefined) return [offWord(flag)]
  if (typeof value === 'boolean') return [`--${flag}`]
  return input.startsWith('-') ? [`--${flag}=${input}`] : [`--${flag}`, input]
}

function expectHere({origin, file}: SavedClusterPlan, here: Omit<PlanOrigin, 'arguments'>): void {
  const {command, context, server, toolVersion} = origin
  if (command !== here.command) {
    const message = `the plan is of ${quoted(command)}, but this command is ${quoted(here.command)}`
    throw invalidPlan(file, [{field: 'origin.command', message}])
  }
  if (context !== here.context || server !== here.server) {
    throw elsewhere(file, `it is for ${placeOf(origin)}, but this command uses ${placeOf(here)}`)
  }
  if (toolVersion !== here.toolVersion) {
    throw elsewhere(
      file,
      `version ${escaped(toolVersion)} created it, but this is version ${here.toolVersion}`,
    )
  }
}

function placeOf({context, server}: Pick<PlanOrigin, 'context' | 'server'>): string {
  return `context ${quoted(context)}, server ${escaped(server)}`
}

function elsewhere(file: string, why: string): CrossplaneError {
  return new CrossplaneError('plan-outdated', `cannot apply the plan ${file}: ${why}`, {
    suggestions: ['Save the plan again with --plan-out.'],
  })
}

async function parsedAgain<Parsed extends ParsedCommand>(
  {origin, file}: SavedClusterPlan,
  parse: PlanningCommand<Parsed>['parse'],
): Promise<Parsed> {
  const parsed = await parse([...origin.arguments]).catch(() => undefined)
  const isOwn = parsed?.raw.every(token => token.type === 'arg' || !RUN_FLAGS.includes(token.flag))
  if (parsed !== undefined && isOwn === true) return parsed
  const message = `these are not arguments of ${origin.command}`
  throw invalidPlan(file, [{field: 'origin.arguments', message}])
}
