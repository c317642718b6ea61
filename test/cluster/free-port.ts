import {once} from 'node:events'
import {createServer} from 'node:net'
import {randomInt} from 'node:crypto'

/**
 * A port of 127.0.0.1 on which nothing listens. It lies below those that the kernel hands out to whoever asks for any,
 * so that until its server has started nobody takes it by accident.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(15_000, 32_000)
    if (await isFree(port)) return port
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
