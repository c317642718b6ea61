// Requests to a cluster without the credentials and certificates of a kubeconfig.
import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {createInterface} from 'node:readline'
import {environment} from './execute.mjs'

/**
 * Runs work with the address of a `kubectl proxy`.
 *
 * @template T
 * @param {Record<string, string>} env
 * @param {(server: string) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function throughProxy(env, work) {
  const proxy = spawn('kubectl', ['proxy', '--port=0'], {
    env: {...environment, ...env},
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    return await work(await addressIn(proxy.stdout))
  } finally {
    const ended = once(proxy, 'exit')
    proxy.kill()
    await ended
  }
}

/** @param {import('node:stream').Readable} stdout */
async function addressIn(stdout) {
  for await (const line of createInterface({input: stdout})) {
    const found = /^Starting to serve on (.+)$/.exec(line)?.[1]
    if (found !== undefined) return `http://${found}`
  }
  throw new Error('kubectl proxy did not start')
}

/**
 * Sends a body; throws unless the response is a success.
 *
 * @param {string} address
 * @param {'PATCH' | 'POST'} method
 * @param {object} body
 */
export async function send(address, method, body) {
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
  const response = await globalThis.fetch(address, {
    method,
    headers: {'content-type': type},
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${method} ${address}: ${response.status} ${await response.text()}`)
  await response.arrayBuffer()
}
