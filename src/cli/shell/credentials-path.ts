import {homedir} from 'node:os'
import {isAbsolute, join} from 'node:path'

/**
 * Lists the files with registry credentials, in the order in which they are searched: that of podman and skopeo
 * (https://github.com/containers/image/blob/main/docs/containers-auth.json.5.md), in which docker's file is the last.
 * REGISTRY_AUTH_FILE names the only one.
 */
export function credentialsPaths(env: Environment, userId = process.getuid?.()): readonly string[] {
  const only = env.REGISTRY_AUTH_FILE ?? ''
  if (only !== '') return [only]
  const docker = env.DOCKER_CONFIG ?? ''
  return [
    ...runtimeFiles(env, userId),
    join(configFolder(env), 'containers/auth.json'),
    join(docker === '' ? join(homedir(), '.docker') : docker, 'config.json'),
  ]
}

/** The folder of configuration files; a relative XDG_CONFIG_HOME is ignored, as its specification requires. */
export function configFolder({XDG_CONFIG_HOME: folder = ''}: Environment): string {
  return isAbsolute(folder) ? folder : join(homedir(), '.config')
}

/** Podman stores logins until the next boot; a system user without a runtime folder has a folder by its ID. */
function runtimeFiles(
  {XDG_RUNTIME_DIR: folder = ''}: Environment,
  userId: number | undefined,
): readonly string[] {
  if (isAbsolute(folder)) return [join(folder, 'containers/auth.json')]
  return userId === undefined ? [] : [`/run/containers/${userId}/auth.json`]
}

type Environment = Readonly<Record<string, string | undefined>>
