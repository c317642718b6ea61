import {setTimeout} from 'node:timers/promises'

/** Repeats a read until its result is accepted, and returns that. Throws with the last result after a time, by default 60 s. */
export async function until<Result>(
  read: () => Promise<Result>,
  isAccepted: (result: Result) => boolean,
  seconds = 60,
): Promise<Result> {
  const end = performance.now() + seconds * 1000
  for (;;) {
    const result = await read()
    if (isAccepted(result)) return result
    if (performance.now() > end)
      throw new Error(`not reached within ${seconds} s; last: ${JSON.stringify(result)}`)
    await setTimeout(100)
  }
}
