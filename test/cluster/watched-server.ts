import {once} from 'node:events'
import {readFileSync, writeFileSync} from 'node:fs'
import type {IncomingMessage, ServerResponse} from 'node:http'
import {createServer, request as httpsRequest} from 'node:https'
import type {AddressInfo} from 'node:net'
import {dirname, join} from 'node:path'
import {makeTempFolder} from './temp-folder.js'
import type {TestCluster} from './api-server.js'

/** Another address of an API server, at which requests can be seen before the server receives them. */
export interface WatchedServer {
  readonly kubeconfig: string
  /**
   * Calls a function at the first request whose method and path match, such as
   * `PATCH /apis/apps/v1/namespaces/demo/deployments/app`. That request is neither forwarded nor answered.
   */
  at(line: RegExp, act: () => void): void
  /** The requests that were forwarded, as METHOD PATH. */
  readonly forwarded: readonly string[]
  /** Cuts the connection to the server, or continues it: until then requests and responses are late. */
  partition(isCut: boolean): void
  close(): Promise<void>
}

/** Opens another address of a cluster. */
export async function watchedServer({kubeconfig}: Pick<TestCluster, 'kubeconfig'>): Promise<WatchedServer> {
  const text = readFileSync(kubeconfig, 'utf8')
  const [, origin] = /"server":"([^"]+)"/.exec(text)!
  let awaited: {readonly line: RegExp; readonly act: () => void} | undefined
  const [forwarded, flow] = [[] as string[], new Flow()]
  // The certificate of the API server is for every port of its address.
  const [cert, key] = ['crt', 'key'].map(kind => readFileSync(join(dirname(kubeconfig), `apiserver.${kind}`)))
  const server = createServer({cert, key}, (request, response) => {
    const line = `${request.method} ${request.url}`
    if (awaited?.line.test(line) !== true) {
      flow.whenOpen(() => {
        if (response.destroyed) return
        forwarded.push(line)
        forward(origin!, request, response, flow)
      })
      return
    }
    awaited.act()
    awaited = undefined
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const folder = await makeTempFolder('kubectl-crossplane-watched-')
  const file = join(folder.path, 'kubeconfig')
  writeFileSync(file, text.replace(origin!, `https://127.0.0.1:${(server.address() as AddressInfo).port}`))
  return {
    kubeconfig: file,
    at: (line, act) => void (awaited = {line, act}),
    forwarded,
    partition: isCut => flow.cut(isCut),
    close: async () => {
      server.close()
      server.closeAllConnections()
      await folder.remove()
    },
  }
}

/** A connection that can be cut for some time. */
class Flow {
  #isCut = false
  #waiting: (() => void)[] = []
  readonly #answers = new Map<IncomingMessage, ServerResponse>()

  cut(isCut: boolean): void {
    this.#isCut = isCut
    for (const [answer, response] of this.#answers) {
      if (isCut) answer.unpipe(response)
      else answer.pipe(response)
    }
    if (!isCut) for (const act of this.#waiting.splice(0)) act()
  }

  whenOpen(act: () => void): void {
    if (this.#isCut) this.#waiting.push(act)
    else act()
  }

  pipe(answer: IncomingMessage, response: ServerResponse): void {
    this.#answers.set(answer, response)
    response.on('close', () => {
      this.#answers.delete(answer)
      answer.destroy()
    })
    if (!this.#isCut) answer.pipe(response)
  }
}

function forward(origin: string, request: IncomingMessage, response: ServerResponse, flow: Flow): void {
  const {method, headers, url = '/'} = request
  // The certificate is of the server's own making, and on loopback.
  const forwarded = httpsRequest(new URL(url, origin), {method, headers, rejectUnauthorized: false})
  forwarded.on('response', answer => {
    flow.whenOpen(() => response.writeHead(answer.statusCode!, answer.headers))
    flow.pipe(answer, response)
  })
  forwarded.on('error', () => response.destroy())
  request.pipe(forwarded)
}
