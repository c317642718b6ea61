import {userInfo} from 'node:os'

/**
 * Sets SHELL for a user without an entry in /etc/passwd, as in many containers. oclif looks up the login shell there, and
 * fails; nothing uses the shell.
 */
export function ensureShell(env: NodeJS.ProcessEnv): void {
  if (env.SHELL !== undefined) return
  try {
    userInfo()
  } catch {
    // eslint-disable-next-line no-param-reassign -- the environment is where oclif looks first
    env.SHELL = 'sh'
  }
}
