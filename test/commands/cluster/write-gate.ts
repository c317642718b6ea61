import {createServer, type IncomingMessage, type Server, type ServerResponse} from 'node:http'
import {Agent, request} from 'node:https'
import type {TestCluster} from '../../cluster/api-server.js'

/** A change that a client sends: no dry run, and no question about permissions. */
export interface Write {
  /** Counts from 1, since the observer was set. */
  readonly number: number
  /** Method, and path with query. */
  readonly line: string
}

/** Learns of writes before they reach the API server, and after it answered them. */
export interface WriteObserver {
  /** Returns whether the write is to reach the API server; it is held until then. */
  readonly before: (write: Write) => boolean | Promise<boolean>
  readonly after: (write: Write) => void
}

/**
 * An HTTP server in front of the API server of a cluster, for one client at a time. It authenticates as the
 * administrator, because no client sends credentials over plain HTTP.
 */
export interface WriteGate {
  readonly server: Server
  /**
   * Lets an observer learn of the writes of `work`, and of none after it. A write for which it fails passes, and the error is
   * thrown when `work` has ended.
   */
  observed<T>(observer: WriteObserver, work: () => Promise<T>): Promise<T>
}

export function writeGate({url, ca, tokens}: TestCluster): WriteGate {
  const agent = new Agent({keepAlive: true, ca})
  let [observer, number] = [PASSIVE, 0]
  const failures: unknown[] = []
  const pass = (incoming: IncomingMessage, outgoing: ServerResponse, answered: () => void) => {
    const headers = {...incoming.headers, host: new URL(url).host, authorization: `Bearer ${tokens.admin}`}
    const options = {method: incoming.method, agent, headers}
    const onward = request(`${url}${incoming.url ?? ''}`, options, answer => {
      answered()
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      // A client must not wait for the rest of an answer that has broken off.
      answer.on('error', () => outgoing.destroy())
      answer.pipe(outgoing)
    })
    onward.on('error', () => outgoing.destroy())
    incoming.pipe(onward)
  }
  const server = createServer((incoming, outgoing) => {
    const line = `${incoming.method ?? ''} ${incoming.url ?? ''}`
    if (!isWriteLine(line)) return pass(incoming, outgoing, () => undefined)
    const [write, {before, after}] = [{number: ++number, line}, observer]
    const failed = (error: unknown) => {
      failures.push(error)
      return true
    }
    const isPassed = Promise.resolve(write).then(before).catch(failed)
    const answered = () => {
      try {
        after(write)
      } catch (error) {
        failed(error)
      }
    }
    void isPassed.then(isIt => (isIt ? pass(incoming, outgoing, answered) : outgoing.destroy()))
  })
  return {
    server,
    observed: async (next, work) => {
      ;[observer, number] = [next, 0]
      try {
        const result = await work()
        if (failures.length > 0) throw failures.splice(0)[0]
        return result
      } finally {
        observer = PASSIVE
      }
    },
  }
}

const PASSIVE: WriteObserver = {before: () => true, after: () => undefined}

function isWriteLine(line: string): boolean {
  return !line.startsWith('GET ') && !/accessreviews|dryRun=All/.test(line)
}
