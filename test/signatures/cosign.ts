import {execFile} from 'node:child_process'
import {mkdirSync} from 'node:fs'
import {join} from 'node:path'
import {promisify} from 'node:util'
import {findServer, missingPrograms} from '../cluster/find-server.js'
import {cosign, oras, referrersRegistry} from '../cluster/servers.js'
import {missingTool} from '../missing-tool.js'
import {DOCKER_REGISTRY_TOOLS} from '../registry/docker-registry.js'

const run = promisify(execFile)

/** What keeps a suite with cosign and a real registry from running here; undefined when nothing does. */
export const missingCosign =
  missingPrograms([cosign, oras, referrersRegistry]) ?? missingTool(...DOCKER_REGISTRY_TOOLS)

/** Runs cosign in a folder, with a home of its own and without any network but loopback; prints what failed. */
export async function runCosign(folder: string, ...args: readonly string[]): Promise<string> {
  const program = findServer(cosign) ?? 'cosign'
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    COSIGN_PASSWORD: PASSWORD,
    TUF_ROOT: join(folder, '.sigstore'),
  }
  const {stdout} = await run(program, args, {cwd: folder, env, timeout: 60_000})
  return stdout
}

/** The password of all key pairs. */
export const PASSWORD = 'not-a-secret'

/** Makes a key pair, and returns its folder. */
export async function keyPair(folder: string): Promise<{readonly key: string; readonly pub: string}> {
  mkdirSync(folder, {recursive: true})
  await runCosign(folder, 'generate-key-pair')
  return {key: join(folder, 'cosign.key'), pub: join(folder, 'cosign.pub')}
}

/** Flags of `cosign sign` and `cosign attest` for a registry on loopback, without a transparency log. */
export const WITHOUT_LOG = [
  '--use-signing-config=false',
  '--tlog-upload=false',
  '--allow-http-registry',
  '--yes',
]
