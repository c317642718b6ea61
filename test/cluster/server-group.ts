import {startServer} from './server-process.js'
import type {ServerProcess} from './server-process.js'
import {makeTempFolder} from './temp-folder.js'

/** Servers that belong together: they share a folder, and end together. */
export interface ServerGroup {
  readonly folder: string
  pids(): readonly number[]
  start(name: string, program: string, flags: readonly string[]): Promise<void>
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
  return {
    folder: folder.path,
    pids: () => servers.map(({pid}) => pid),
    async start(name, program, flags) {
      servers.push(await startServer(name, program, flags, folder.path))
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
