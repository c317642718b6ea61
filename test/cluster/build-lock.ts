import {spawn} from 'node:child_process'
import {once} from 'node:events'

/**
 * Does something while no other process does it under the same lock file, waiting for its turn. The lock is a child's,
 * which ends with this process however that ends: nothing stale can be left. `waiting` is called when it takes a while.
 *
 * @throws Error when flock(1) is missing or cannot lock
 */
export async function withLock<T>(path: string, waiting: () => void, act: () => Promise<T> | T): Promise<T> {
  const holder = spawn('flock', [path, 'sh', '-c', 'echo held; cat'], {stdio: ['pipe', 'pipe', 'inherit']})
  await once(holder, 'spawn')
  const patience = setTimeout(waiting, 1000)
  try {
    const held = once(holder.stdout, 'data').then(() => true)
    if (!(await Promise.race([held, once(holder, 'exit').then(() => false)]))) {
      throw new Error(`${path} cannot be locked`)
    }
    clearTimeout(patience)
    return await act()
  } finally {
    clearTimeout(patience)
    holder.stdin.end()
  }
}
