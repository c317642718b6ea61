// The clusters of docs/rings.md, in a process of their own: a page is followed by commands for which its test waits.
import {createServer} from 'node:http'
import type {AddressInfo} from 'node:net'
import {coreAnswers} from '../../../test/fakes/core-answers.js'
import {livePackage} from './live-provider.js'

const SOURCE = 'registry.example.org/example'

/** The versions of provider-sql, provider-family and function-template. */
const CLUSTERS: Readonly<Record<string, readonly [string, string, string]>> = {
  dev: ['v1.6.0', 'v2.0.0', 'v0.4.1'],
  staging: ['v1.5.0', 'v1.1.0', 'v0.4.1'],
  ...Object.fromEntries(
    ['eu-1', 'eu-2', 'eu-3', 'eu-4', 'us-1', 'us-2'].map(name => [name, ['v1.2.0', 'v1.0.0', 'v0.3.0']]),
  ),
  'us-3': ['v1.2.0', 'v1.1.0', 'v0.3.0'],
  'us-4': ['v1.5.0', 'v1.1.0', 'v0.3.0'],
}

const servers: Record<string, string> = {}
for (const [name, [sql, family, template]] of Object.entries(CLUSTERS)) {
  const server = createServer(
    coreAnswers([
      ...livePackage('Provider', `${SOURCE}/provider-sql`, sql),
      ...livePackage('Provider', `${SOURCE}/provider-family`, family),
      ...livePackage('Function', `${SOURCE}/function-template`, template),
    ]),
  )
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  servers[name] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
const names = Object.keys(servers)
const kubeconfig = {
  ...{apiVersion: 'v1', kind: 'Config', users: [{name: 'a', user: {}}]},
  contexts: names.map(name => ({name, context: {cluster: name, user: 'a'}})),
  clusters: names.map(name => ({name, cluster: {server: servers[name]}})),
}
process.stdout.write(`${JSON.stringify(kubeconfig)}\n`)
// It ends with the process that reads it.
process.stdin.resume().on('end', () => process.exit(0))
