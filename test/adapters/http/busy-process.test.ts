import {expect, it} from '@jest/globals'
import {once} from 'node:events'
import {setImmediate} from 'node:timers'
import {setImmediate as nextTurn} from 'node:timers/promises'
import {Worker} from 'node:worker_threads'
import {apiServerHttp} from '../../../src/adapters/http/api-server-http.js'
import {missingTool} from '../../missing-tool.js'
import {LOOPBACK, privateAuthority} from '../../private-authority.js'
import {describeReal} from '../../real-parts.js'
import {temporaryFolder} from '../../temporary-folder.js'
import {exchange} from './exchange.js'

const folder = temporaryFolder()

const SERVER = `
  const {createServer} = require('node:https')
  const {parentPort, workerData} = require('node:worker_threads')
  const server = createServer(workerData, (_, answer) => answer.end('hello'))
  server.on('secureConnection', () => parentPort.postMessage({}))
  server.listen(0, 'localhost', () => parentPort.postMessage({port: server.address().port}))`

describeReal('a busy process', missingTool('openssl'), () => {
  // Node reports that it has sent a request in the next turn of its loop, after the response that arrived meanwhile.
  it('keeps a connection whose response it sees before the end of its request', async () => {
    const authority = privateAuthority(folder)
    const {cert, key} = authority.issue('good', LOOPBACK)
    const worker = new Worker(SERVER, {eval: true, workerData: {cert, key}})
    const [{port}] = (await once(worker, 'message')) as [{readonly port: number}]
    let connections = 0
    worker.on('message', () => connections++)
    const http = apiServerHttp({authorities: authority.cert})
    for (let left = 20; left > 0; left--) {
      const turn = nextTurn()
      setImmediate(() => blockFor(5))
      await turn
      expect(await exchange(http, `https://localhost:${port}/`)).toEqual({status: 200, body: 'hello'})
    }
    await worker.terminate()
    expect(connections).toBe(1)
  })
})

function blockFor(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}
