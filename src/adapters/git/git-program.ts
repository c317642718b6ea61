import type {SimpleGit, SimpleGitOptions} from 'simple-git'
import {ALLOWED, gitEnvironment, hasSshVariable, withConfig} from './git-environment.js'
import {gitFailed, hasErrorLine} from './git-failure.js'

/** How one command is run. */
interface GitCall {
  /** Further variables. */
  readonly variables?: Readonly<Record<string, string>>
  /** The standard input. */
  readonly input?: string
  /** In milliseconds: git is stopped if it prints nothing for so long. */
  readonly silence?: number
  /** Receives what git prints on standard error, if the command succeeds or fails. */
  readonly stderr?: (text: string) => void
}

/** Variables of a command that may run beside others: it takes no lock to write the index that it has refreshed. */
export const WITHOUT_LOCKS = {GIT_OPTIONAL_LOCKS: '0'} as const

/** The user's own git in one folder. Throws `git-failed`, with the output of git as its cause. */
export interface GitProgram {
  run(args: readonly string[], call?: GitCall): Promise<string>
  /** The output of a lookup; empty if git exits with 1 without an error, as for what does not exist. */
  find(args: readonly string[], call?: GitCall): Promise<string>
  /** The output of `git cat-file`, as it is. */
  catFile(args: readonly string[], call?: GitCall): Promise<Buffer>
  /** The same git in another folder of the repository. */
  in(folder: string): GitProgram
}

/** Configuration by its keys, which no file and no argument has. */
export type GitConfig = Readonly<Record<string, string>>

/** Opens git in a folder. Nothing that it runs can prompt without a terminal. */
export async function gitIn(folder: string, config: GitConfig = {}): Promise<GitProgram> {
  const {simpleGit} = await import('simple-git')
  const isTerminal = process.stdin.isTTY && process.stderr.isTTY
  const openWith = (
    {baseDir, env}: Place,
    {variables = {}, input, silence, stderr}: GitCall,
    more: Partial<SimpleGitOptions>,
  ): SimpleGit => {
    const all = {...env, ...variables}
    const options: Partial<SimpleGitOptions> = {
      baseDir,
      unsafe: ALLOWED,
      allowEnvironment: Object.keys(all),
      // Also ends standard input, which nothing must wait for.
      input: () => input ?? '\n',
      ...(silence === undefined ? {} : {timeout: {block: silence}}),
      ...more,
    }
    return simpleGit(options)
      .env(all)
      .outputHandler((_, output, errors) => {
        endAtOnce(output)
        if (stderr !== undefined) collect(errors, stderr)
      })
  }
  const envWith = (ssh?: string) => withConfig(gitEnvironment(process.env, isTerminal, ssh), config)
  const isSshOpen = !isTerminal && !hasSshVariable(process.env)
  const configuredEnv = isSshOpen
    ? sshIn(openWith({baseDir: folder, env: gitEnvironment(process.env, false)}, {}, {})).then(envWith)
    : Promise.resolve(envWith())
  const [strict, lookup] = [{errors: everyFailure}, {errors: everyFailureButAbsence}]
  const programIn = (baseDir: string): GitProgram => {
    const open = async (args: readonly string[], call: GitCall, more: Partial<SimpleGitOptions>) => {
      // This command runs no other program, so that it need not wait for the one of ssh.
      const env = args[0] === 'rev-parse' ? envWith() : await configuredEnv
      return {git: openWith({baseDir, env}, call, more)}
    }
    return {
      run: async (args, call = {}) =>
        await withKnownCause((await open(args, call, strict)).git.raw([...args])),
      find: async (args, call = {}) =>
        await withKnownCause((await open(args, call, lookup)).git.raw([...args])),
      catFile: async (args, call = {}) =>
        (await withKnownCause((await open(args, call, strict)).git.binaryCatFile([...args]))) as Buffer,
      in: programIn,
    }
  }
  return programIn(folder)
}

interface Place {
  readonly baseDir: string
  readonly env: Readonly<Record<string, string>>
}

/** The program for ssh in the configuration of a folder; a failure is reported by the command that follows. */
async function sshIn(git: SimpleGit): Promise<string | undefined> {
  try {
    return (await git.raw(['config', '--get', 'core.sshCommand'])).replace(/\n$/, '') || undefined
  } catch {
    return undefined
  }
}

/** Where a command prints nothing, simple-git waits 50 ms for data after its end. */
function endAtOnce(stream: NodeJS.ReadableStream): void {
  stream.once('end', () => stream.emit('data', Buffer.alloc(0)))
}

function collect(stream: NodeJS.ReadableStream, report: (text: string) => void): void {
  let text = ''
  stream.on('data', (chunk: Buffer) => {
    text += chunk.toString()
    report(text)
  })
}

async function withKnownCause<T>(work: PromiseLike<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw gitFailed('run git', error)
  }
}

/** By itself, simple-git ignores a failure without a message on stderr, such as that of a silent hook. */
const everyFailure: NonNullable<SimpleGitOptions['errors']> = (error, {exitCode, stdErr, stdOut}) => {
  if (exitCode === 0) return error
  return error ?? Buffer.concat([...stdErr, ...stdOut])
}

/** Warnings and traces on stderr are no errors, although simple-git takes any text there for one. */
const everyFailureButAbsence: NonNullable<SimpleGitOptions['errors']> = (error, result) => {
  const isAbsence = result.exitCode === 1 && !hasErrorLine(Buffer.concat(result.stdErr).toString())
  return isAbsence ? undefined : everyFailure(error, result)
}
