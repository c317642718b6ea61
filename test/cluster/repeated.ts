import {setTimeout as sleep} from 'node:timers/promises'

/** Makes a pass again and again, as a controller does, also after one that failed. The result ends that, and waits for the last pass. */
export function repeated(pass: () => Promise<void>, milliseconds: number): () => Promise<void> {
  const end = new AbortController()
  const running = (async () => {
    for (; !end.signal.aborted; await sleep(milliseconds)) await pass().catch(() => undefined)
  })()
  return async () => {
    end.abort()
    await running
  }
}
