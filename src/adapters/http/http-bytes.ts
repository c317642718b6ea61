import type {ClientRequest, IncomingMessage} from 'node:http'
import type {HttpBody} from '../../http/http.js'
import {idleTimer} from './idle-timer.js'
import type {IdleTimer} from './idle-timer.js'

/** Small enough that a slow connection sends a piece well within the timeout. */
const PIECE = 64 * 1024

/** Sends a body and ends the request. The timer runs only while the peer has data to receive. */
export async function sendBytes(
  outgoing: ClientRequest,
  body: HttpBody | undefined,
  timer: IdleTimer,
): Promise<void> {
  for await (const chunk of body?.open() ?? []) {
    for (let at = 0; at < chunk.length && !outgoing.destroyed; at += PIECE) {
      if (outgoing.write(chunk.subarray(at, at + PIECE))) continue
      timer.arm()
      await drained(outgoing)
      timer.disarm()
    }
    if (outgoing.destroyed) return
  }
  timer.arm()
  outgoing.end()
}

/** Waits for `drain` or `close`: a closed connection never drains. */
async function drained(outgoing: ClientRequest): Promise<void> {
  await new Promise<void>(resolve => {
    const done = () => {
      outgoing.off('drain', done).off('close', done)
      resolve()
    }
    outgoing.once('drain', done).once('close', done)
    if (outgoing.destroyed) done()
  })
}

/** The time limit for further bytes of a response, and the errors to throw. */
export interface Patience {
  readonly milliseconds: number
  expired(): Error
  failed(cause: unknown): Error
}

/**
 * Streams the bytes of a response. Time only counts while bytes are requested, so that a slow reader causes no
 * timeout.
 */
export async function* receivedBytes(
  answer: IncomingMessage,
  patience: Patience,
): AsyncGenerator<Uint8Array, void> {
  const timer = idleTimer(patience.milliseconds, () => answer.destroy(patience.expired()))
  const chunks = answer[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>
  try {
    for (;;) {
      timer.arm()
      const next = await chunks.next().catch((cause: unknown) => {
        throw patience.failed(cause)
      })
      timer.disarm()
      if (next.done === true) return
      yield next.value
    }
  } finally {
    timer.stop()
    answer.destroy()
  }
}
