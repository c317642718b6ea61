import {createServer} from 'node:http'
import {listener} from '../listening.js'
import {coreAnswers, type ServedObject} from './core-answers.js'

const listen = listener()

/** Serves objects of a current Crossplane as an API server does. Returns a kubeconfig for it. */
export async function coreServer(objects: readonly ServedObject[]): Promise<string> {
  const address = `http://127.0.0.1:${await listen(createServer(coreAnswers(objects)))}`
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'production',
    contexts: [{name: 'production', context: {cluster: 'a', user: 'a'}}],
    clusters: [{name: 'a', cluster: {server: address}}],
    users: [{name: 'a', user: {}}],
  })
}
