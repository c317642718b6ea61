import {nodeHttp} from '../../src/adapters/http/node-http.js'
import {canary} from '../canary.js'
import {missingTool} from '../missing-tool.js'
import {LOOPBACK, privateAuthority} from '../private-authority.js'
import {describeReal} from '../real-parts.js'
import {temporaryFolder} from '../temporary-folder.js'
import {DOCKER_REGISTRY_TOOLS, dockerRegistries} from './docker-registry.js'
import {describeRegistry} from './registry-contract.js'

const missing = missingTool('openssl', ...DOCKER_REGISTRY_TOOLS)

describeReal("Debian's docker-registry", missing, () => {
  const start = dockerRegistries()
  const stop = () => Promise.resolve() // with the file

  describeRegistry('without authentication', async () => ({...(await start()), stop}))

  const account = {username: 'anna', password: canary('htpasswd')}
  describeRegistry('with htpasswd', async () => ({
    ...(await start({account})),
    credentials: {kind: 'password', ...account},
    stop,
  }))

  const folder = temporaryFolder()
  describeRegistry('with TLS under a private authority', async () => {
    const authority = privateAuthority(folder)
    const {host} = await start({tls: authority.issue('registry', LOOPBACK)})
    const http = nodeHttp({authorities: [{path: authority.certFile, source: '--ca-file'}]})
    return {host, http, schemeOf: () => 'https:', stop}
  })
})
