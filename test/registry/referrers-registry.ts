import {afterAll} from '@jest/globals'
import {findServer} from '../cluster/find-server.js'
import {freePort} from '../cluster/free-port.js'
import {type ServerProcess, startServer} from '../cluster/server-process.js'
import {referrersRegistry} from '../cluster/servers.js'
import {makeTempFolder, type TempFolder} from '../cluster/temp-folder.js'
import {ready} from './docker-registry.js'

/** Starts empty registries on loopback that end with the tests of the file or describe, or with jest. */
export function referrersRegistries(): () => Promise<{readonly host: string}> {
  const running: {server: ServerProcess; folder: TempFolder}[] = []
  afterAll(async () => {
    await Promise.all(running.map(({server}) => server.kill()))
    await Promise.all(running.map(({folder}) => folder.remove()))
  })
  return async () => {
    const folder = await makeTempFolder('registry-of-kubectl-crossplane-')
    const host = `127.0.0.1:${await freePort()}`
    const program = findServer(referrersRegistry) ?? referrersRegistry.name
    const server = await startServer(referrersRegistry.name, program, [host], folder.path)
    running.push({server, folder})
    await ready(server, Number(host.split(':')[1]))
    return {host}
  }
}
