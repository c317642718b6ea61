import {startServer} from './server-process.js'
import type {ServerProcess} from './server-process.js'
import {makeTempFolder} from './temp-folder.js'

type Environment = Readonly<Record<string, string>>

/** Servers that belong together: they share a folder, and end together. */
export interface ServerGroup {
  readonly folder: string
  pids(): readonly number[]
  /** @throws Error if it has no such server */
  pidOf(name: string): number
  /** `env` is added to the environment of the server. */
  start(name: string, program: string, flags: readonly string[], env?: Environment): Promise<void>
  /** Kills one of them, and returns a function that starts it again as it was. */
  kill(name: string): Promise<() => Promise<void>>
  /** @throws Error when a server has ended, which none does by itself */
  assertRunning(): void
  /** The last lines of every log. */
  lastLines(count: number): string
  /** Ends them and removes the folder; a second call changes nothing. */
  stop(): Promise<void>
}

/** A group without servers yet, with a folder of its own below the system's for temporary ones. */
export async function openServerGroup(prefix: string): Promise<ServerGroup> {
  const folder = await makeTempFolder(prefix)
  const servers: ServerProcess[] = []
  const commands = new Map<string, Parameters<ServerGroup['start']>>()
  const start: ServerGroup['start'] = async (...command) => {
    const [name, program, flags, env] = command
    commands.set(name, command)
    servers.push(await startServer(name, program, flags, folder.path, env))
  }
  return {
    folder: folder.path,
    pids: () => servers.map(({pid}) => pid),
    pidOf(name) {
      const server = servers.find(one => one.name === name)
      if (server === undefined) throw new Error(`no ${name} runs`)
      return server.pid
    },
    start,
    async kill(name) {
      const index = servers.findIndex(server => server.name === name)
      const command = commands.get(name)!
      await servers.splice(index, 1)[0]!.kill()
      return () => start(...command)
    },
    assertRunning() {
      const ended = servers.filter(server => server.ended()).map(({name}) => name)
      if (ended.length > 0) throw new Error(`${ended.join(' and ')} ended by itself`)
    },
    lastLines: count => servers.map(server => `--- ${server.name}\n${server.lastLines(count)}`).join('\n'),
    async stop() {
      // Together: each would wait for another that is gone.
      await Promise.all(servers.map(server => server.kill()))
      await folder.remove()
    },
  }
}
