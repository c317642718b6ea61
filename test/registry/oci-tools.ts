import {execFile} from 'node:child_process'
import {promisify} from 'node:util'
import {findServer, missingPrograms} from '../cluster/find-server.js'
import {crane, oras} from '../cluster/servers.js'

const run = promisify(execFile)

/** What keeps a suite with oras and crane from running here; undefined when nothing does. */
export const missingOciTools = missingPrograms([oras, crane])

/** Runs oras with a home of its own; prints what failed. */
export async function runOras(folder: string, ...args: readonly string[]): Promise<string> {
  return await runTool(findServer(oras) ?? oras.name, folder, args)
}

/** Runs crane in the same way. Registries on loopback are asked by plain HTTP. */
export async function runCrane(folder: string, ...args: readonly string[]): Promise<string> {
  return await runTool(findServer(crane) ?? crane.name, folder, args)
}

async function runTool(program: string, folder: string, args: readonly string[]): Promise<string> {
  const env = {PATH: process.env.PATH, HOME: folder, TMPDIR: folder}
  const {stdout} = await run(program, args, {cwd: folder, env, timeout: 60_000})
  return stdout
}
