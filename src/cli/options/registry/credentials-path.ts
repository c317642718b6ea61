import {homedir} from 'node:os'
import {join} from 'node:path'

/** The file with the credentials for registries: podman's variable wins over docker's, and that over docker's place. */
export function credentialsPath(env: Readonly<Record<string, string | undefined>>): string {
  const {REGISTRY_AUTH_FILE: file = '', DOCKER_CONFIG: folder = ''} = env
  if (file !== '') return file
  return join(folder === '' ? join(homedir(), '.docker') : folder, 'config.json')
}
