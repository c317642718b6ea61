import {afterAll, afterEach, beforeAll, describe} from '@jest/globals'
import {execSync} from 'node:child_process'
import {describeCluster} from '../../cluster/describe-cluster.js'
import {itCanBeFollowed} from '../../transcripts.js'
import {setVariable} from '../../set-variable.js'

/** Replaces what differs between clusters and runs: their names and addresses, times, ages, commits, the widths of columns. */
const normalize = (text: string) =>
  readable(text)
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replaceAll(/\b(?:\d+[dhms])+\b/g, 'AGE')
    .replaceAll(/\b[0-9a-f]{12,40}\b/g, 'COMMIT')
    .replaceAll(/ {2,}/g, '  ')

/** Names the cluster as a reader would have it. */
const readable = (text: string) =>
  text
    .replaceAll(/context test\b/g, 'context kind-kind')
    .replaceAll(/https:\/\/127\.0\.0\.1:\d+/g, 'https://127.0.0.1:6443')

describe('the guides to clusters', () => {
  describeCluster({version: 'current', pods: true}, 'on a current server', cluster => {
    const {KUBECONFIG} = process.env

    beforeAll(() => {
      process.env.KUBECONFIG = cluster().kubeconfig
    })

    afterAll(() => {
      setVariable('KUBECONFIG', KUBECONFIG)
    })

    // What an uninstall keeps, so that each page begins with an empty cluster.
    afterEach(() => {
      const left =
        '$(kubectl get crds,clusterroles,clusterrolebindings -o name | grep -E "crossplane|queue|demo")'
      execSync(`kubectl delete --ignore-not-found namespace/crossplane-system ${left}`, {env: process.env})
    }, 60_000)

    itCanBeFollowed('docs/tutorial.md', {normalize, edit: readable})
    itCanBeFollowed('docs/cluster.md', {normalize, edit: readable})
    itCanBeFollowed('docs/upgrading.md', {normalize, edit: readable})
    itCanBeFollowed('docs/package-manager.md', {normalize, edit: readable})
    itCanBeFollowed('docs/template-running.md', {normalize, edit: readable})
  })
})
