import type {SimpleGitOptions} from 'simple-git'

/**
 * Variables of the user's environment that this program's git must not have. Git itself sets most of them for hooks, aliases and
 * `rebase --exec`, which may run this program. Each name has a row in the tests.
 */
const WITHOUT_EFFECT: ReadonlySet<string> = new Set([
  // They name a repository other than that of the folder, or another index, configuration, object or reference store of it.
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_COMMON_DIR',
  'GIT_CONFIG',
  'GIT_DIR',
  'GIT_GRAFT_FILE',
  'GIT_IMPLICIT_WORK_TREE',
  'GIT_INDEX_FILE',
  'GIT_INTERNAL_SUPER_PREFIX',
  'GIT_NAMESPACE',
  'GIT_OBJECT_DIRECTORY',
  'GIT_PREFIX',
  'GIT_QUARANTINE_PATH',
  'GIT_REFERENCE_BACKEND',
  'GIT_REF_STORAGE_FORMAT',
  'GIT_REPLACE_REF_BASE',
  'GIT_SHALLOW_FILE',
  'GIT_WORK_TREE',
  // They change how git reads paths, of which the user has typed none here.
  'GIT_GLOB_PATHSPECS',
  'GIT_ICASE_PATHSPECS',
  'GIT_LITERAL_PATHSPECS',
  'GIT_NOGLOB_PATHSPECS',
  // They take away what git prints, which is read here.
  'GIT_REDIRECT_STDERR',
  'GIT_REDIRECT_STDIN',
  'GIT_REDIRECT_STDOUT',
])

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Returns the user's environment for git, without the variables that must have no effect. Messages are in English. Without a
 * terminal, git and ssh fail instead of prompting; `configuredSsh` is then the program of `core.sshCommand`, which the
 * variable for that would replace.
 */
export function gitEnvironment(
  env: Environment,
  isTerminal: boolean,
  configuredSsh?: string,
): Record<string, string> {
  const kept = Object.entries(env).flatMap(([name, value]) =>
    value === undefined || WITHOUT_EFFECT.has(name) ? [] : [[name, value] as const],
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
 * The switches of simple-git, which passes an environment on only if each variable, and each key of GIT_CONFIG_COUNT, that can
 * name a program or a file is allowed. All are: the user who sets the environment of this process can run programs anyway, and
 * git has the same environment without this program. Arguments gain nothing by them: all that come from others follow a `--`.
 * The type lists every switch, so that a new one of simple-git is decided here instead of failing in a hook.
 */
export const ALLOWED: Required<NonNullable<SimpleGitOptions['unsafe']>> = {
  allowAbbreviatedOptions: false,
  allowUnsafeCustomBinary: false,
  allowUnsafeAlias: true,
  allowUnsafeAskPass: true, // GIT_ASKPASS and SSH_ASKPASS: how CI gives passwords
  allowUnsafeCommandBinaries: true,
  allowUnsafeConfigEnvCount: true, // GIT_CONFIG_COUNT: how CI sets safe.directory; GIT_CONFIG_PARAMETERS: git -c
  allowUnsafeConfigPaths: true, // GIT_CONFIG_GLOBAL
  allowUnsafeCredentialHelper: true,
  allowUnsafeDiffExternal: true,
  allowUnsafeDiffTextConv: true,
  allowUnsafeEditor: true, // GIT_EDITOR: git sets it for hooks
  allowUnsafeExec: true, // GIT_EXEC_PATH: git sets it for hooks, aliases and rebase --exec
  allowUnsafeFilter: true, // those of LFS
  allowUnsafeFsMonitor: true, // also for core.fsmonitor=false, which keeps a repository from naming a program
  allowUnsafeGitProxy: true, // GIT_PROXY_COMMAND
  allowUnsafeGpgProgram: true,
  allowUnsafeHooksPath: true,
  allowUnsafeInclude: true,
  allowUnsafeMergeDriver: true,
  allowUnsafePack: true,
  allowUnsafePager: true, // PAGER: no command here runs it
  allowUnsafeProtocolOverride: true, // protocol.file.allow: how CI clones from a folder
  allowUnsafeSshCommand: true, // GIT_SSH_COMMAND, also for the batch mode of ssh
  allowUnsafeSubmodule: true,
  allowUnsafeTemplateDir: true, // GIT_TEMPLATE_DIR
  allowUnsafeUrlRewrite: true, // url.*.insteadOf, also for the credentials of a URL
}
