import type {LogOptions} from './cluster-api.js'
import type {ApiRequest, Sender} from './sender.js'

const MAX_BYTES = 4096

/** Reads the end of a log. `pod` is the request for the Pod itself. Throws the errors of the sender. */
export async function readLog(
  sender: Sender,
  pod: Omit<ApiRequest, 'method'>,
  {container, previous, lines}: LogOptions,
): Promise<string> {
  const {body} = await sender.open({
    ...pod,
    method: 'GET',
    path: `${pod.path}/log`,
    resource: 'pods/log',
    accept: '*/*',
    query: {container, previous: String(previous), tailLines: String(lines), limitBytes: String(MAX_BYTES)},
  })
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    size += chunk.length
    if (size >= MAX_BYTES) break
  }
  return Buffer.concat(chunks).subarray(0, MAX_BYTES).toString('utf8')
}
