import {beforeAll, describe} from '@jest/globals'
import {apiServerHttp} from '../../src/adapters/http/api-server-http.js'
import {systemClock} from '../../src/adapters/system-clock.js'
import {openClusterApi} from '../../src/cluster/api/open-cluster-api.js'
import {coreContract, type InstalledCore} from './core-contract.js'
import {installedPackage} from './core-answers.js'
import {coreServer} from './core-server.js'

describe('a server in place of a core', () => {
  const [repository, tag] = ['registry.example.org/contract/network', 'v1.0.0']
  let core: InstalledCore | undefined

  beforeAll(async () => {
    const config = await coreServer(installedPackage('Configuration', repository, tag))
    const {clusters} = JSON.parse(config) as {clusters: readonly [{cluster: {server: string}}]}
    const server = new URL(clusters[0].cluster.server)
    const connection = {context: 'test', server, namespace: 'default', http: apiServerHttp({})}
    const headers = () => Promise.resolve({})
    const api = openClusterApi({...connection, headers}, {clock: systemClock, userAgent: 'suite'})
    core = {api, repository, tag}
  })

  coreContract(() => {
    if (core === undefined) throw new Error('the server runs in tests only')
    return core
  })
})
