import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {mkdtempSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'

/** A folder that goes when it is told to, or when this process ends in whatever way. */
export interface TempFolder {
  readonly path: string
  remove(): Promise<void>
}

/**
 * What removes it is a child that waits for the end of its input, which comes with the end of this process. It tries
 * more than once: servers that write there die at the same moment, not before.
 */
export async function makeTempFolder(prefix: string): Promise<TempFolder> {
  const path = mkdtempSync(join(tmpdir(), prefix))
  const script = 'cat; for _ in 1 2 3 4 5 6 7 8 9; do rm -rf -- "$1" && exit; sleep 0.3; done'
  const remover = spawn('sh', ['-c', script, 'sh', path], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  await once(remover, 'spawn')
  const exit = once(remover, 'exit')
  return {
    path,
    async remove() {
      remover.stdin.end()
      await exit
    },
  }
}
