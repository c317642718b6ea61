import type {SimpleGitOptions} from 'simple-git'

/**
 * Variables that git sets for a hook, which may run this program: they name another repository, or another index of it,
 * than the folder does.
 */
const OTHER_REPOSITORY: ReadonlySet<string> = new Set([
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_COMMON_DIR',
  'GIT_DIR',
  'GIT_GRAFT_FILE',
  'GIT_INDEX_FILE',
  'GIT_NAMESPACE',
  'GIT_OBJECT_DIRECTORY',
  'GIT_PREFIX',
  'GIT_QUARANTINE_PATH',
  'GIT_SHALLOW_FILE',
  'GIT_WORK_TREE',
])

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Returns the user's environment for git, without what names another repository. Messages are in English. Without a
 * terminal, git and ssh fail instead of prompting; `configuredSsh` is then the program of `core.sshCommand`, which the
 * variable for that would replace.
 */
export function gitEnvironment(
  env: Environment,
  isTerminal: boolean,
  configuredSsh?: string,
): Record<string, string> {
  const kept = Object.entries(env).flatMap(([name, value]) =>
    value === undefined || OTHER_REPOSITORY.has(name) ? [] : [[name, value] as const],
  )
  return {
    ...Object.fromEntries(kept),
    LANGUAGE: 'en',
    ...(isTerminal ? {} : withoutPrompts(env, configuredSsh)),
  }
}

/** Reports whether variables decide which program git runs for ssh, whatever its configuration has. */
export function hasSshVariable({GIT_SSH_COMMAND, GIT_SSH}: Environment): boolean {
  return GIT_SSH_COMMAND !== undefined || GIT_SSH !== undefined
}

/** A prompt could not be answered. A program that the user set for passwords is run. */
function withoutPrompts(
  {GIT_SSH_COMMAND, GIT_SSH}: Environment,
  configuredSsh = 'ssh',
): Record<string, string> {
  const isOwnSsh = GIT_SSH_COMMAND === undefined && GIT_SSH !== undefined
  return {
    GIT_TERMINAL_PROMPT: '0',
    ...(isOwnSsh ? {} : {GIT_SSH_COMMAND: `${GIT_SSH_COMMAND ?? configuredSsh} -o BatchMode=yes`}),
  }
}

/** Adds configuration, by its keys, to that of an environment. */
export function withConfig(
  env: Readonly<Record<string, string>>,
  config: Readonly<Record<string, string>>,
): Record<string, string> {
  const entries = Object.entries(config)
  if (entries.length === 0) return {...env}
  const first = Number(env.GIT_CONFIG_COUNT ?? 0)
  const variables = entries.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${first + index}`, key] as const,
    [`GIT_CONFIG_VALUE_${first + index}`, value] as const,
  ])
  return {...env, ...Object.fromEntries(variables), GIT_CONFIG_COUNT: String(first + entries.length)}
}

/**
 * The switches of simple-git without which it does not pass the user's environment on. Each allows a variable, or a key of
 * GIT_CONFIG_COUNT, that names a program: the user who sets the environment of this process can run programs anyway.
 * Arguments gain nothing by them: all that come from others follow a `--`.
 */
export const ALLOWED: NonNullable<SimpleGitOptions['unsafe']> = {
  allowUnsafeAskPass: true, // GIT_ASKPASS and SSH_ASKPASS: how CI gives passwords
  allowUnsafeConfigEnvCount: true, // GIT_CONFIG_COUNT: how CI sets safe.directory
  allowUnsafeConfigPaths: true, // GIT_CONFIG_GLOBAL, GIT_EXEC_PATH and PREFIX
  allowUnsafeCredentialHelper: true, // credential.helper by GIT_CONFIG_COUNT
  allowUnsafeDiffExternal: true, // GIT_EXTERNAL_DIFF: no command here runs it
  allowUnsafeEditor: true, // EDITOR and GIT_EDITOR: no command here runs them, but a hook may
  allowUnsafeFilter: true, // filters by GIT_CONFIG_COUNT, such as those of LFS
  allowUnsafeFsMonitor: true, // also for core.fsmonitor=false, which keeps a repository from naming a program
  allowUnsafeGitProxy: true, // GIT_PROXY_COMMAND
  allowUnsafeGpgProgram: true, // gpg.program by GIT_CONFIG_COUNT
  allowUnsafeHooksPath: true, // core.hooksPath by GIT_CONFIG_COUNT
  allowUnsafePager: true, // PAGER and GIT_PAGER: no command here runs them
  allowUnsafeSshCommand: true, // GIT_SSH_COMMAND, also for the batch mode of ssh
  allowUnsafeUrlRewrite: true, // url.*.insteadOf by GIT_CONFIG_COUNT, also for the credentials of a URL
}
