import {once} from 'node:events'
import {createServer} from 'node:net'
import {randomInt} from 'node:crypto'

/** Each of jest's workers has ports of its own: two suites that start servers at the same time never share one. */
const PORTS = 1000
const FIRST = 15_000 + PORTS * (Number(process.env.JEST_WORKER_ID ?? 0) % 17)

/** What was returned before: its server may not have started yet. */
const taken = new Set<number>()

/**
 * A port of 127.0.0.1 on which nothing listens. It lies below those that the kernel hands out to whoever asks for any,
 * so that until its server has started nobody takes it by accident.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, FIRST + PORTS)
    if (taken.has(port) || !(await isFree(port))) continue
    taken.add(port)
    return port
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
    return true
  } catch {
    return false
  } finally {
    server.close()
  }
}
