// The programs of others that `npm run cluster:setup` builds.
import {existsSync, readdirSync} from 'node:fs'
import {homedir} from 'node:os'
import {join} from 'node:path'

/** Returns the path of a program; undefined if it was not built. @param {string} name */
export function testServer(name) {
  const {CROSSPLANE_TEST_SERVERS: own, XDG_CACHE_HOME: cache} = process.env
  const folder = own || join(cache || join(homedir(), '.cache'), 'kubectl-crossplane/test-servers')
  const entries = existsSync(folder) ? readdirSync(folder) : []
  return entries
    .filter(entry => entry.startsWith(`${name}-`))
    .map(entry => join(folder, entry, name))
    .find(existsSync)
}
