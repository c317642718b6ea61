import {missingTool} from '../missing-tool.js'
import {describeReal} from '../real-parts.js'
import {startDockerRegistry} from './docker-registry.js'
import {describeRegistry} from './registry-contract.js'

describeReal("Debian's docker-registry", missingTool('docker-registry', 'htpasswd'), () => {
  describeRegistry('open', () => startDockerRegistry())

  const user = {username: 'somebody', password: 'canary-of-htpasswd-4711'}
  describeRegistry('with htpasswd', async () => ({
    ...(await startDockerRegistry({htpasswd: user})),
    credentials: {kind: 'password', ...user},
  }))
})
