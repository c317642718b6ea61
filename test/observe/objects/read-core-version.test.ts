import {describe, expect, it} from '@jest/globals'
import type {ClusterApi} from '../../../src/cluster/api/cluster-api.js'
import type {KubernetesObject} from '../../../src/kubernetes/kubernetes-object.js'
import {readCoreVersion} from '../../../src/observe/objects/read-core-version.js'
import {deniedError} from '../../cluster/api/denied-error.js'

function deployment(...images: readonly string[]): KubernetesObject {
  const containers = images.map(image => ({name: 'crossplane', image}))
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {name: 'crossplane'},
    spec: {template: {spec: {containers}}},
  }
}

/** Port of a cluster with these Deployments. */
function clusterWith(...deployments: readonly KubernetesObject[]): Pick<ClusterApi, 'list'> {
  return {
    // oxlint-disable-next-line typescript/require-await -- a port is asynchronous
    async *list() {
      yield* deployments
    },
  }
}

const IMAGE = 'xpkg.crossplane.io/crossplane/crossplane'

describe('the version of a running Crossplane', () => {
  it.each([
    {name: 'the tag of its image', in: [deployment(`${IMAGE}:v2.1.0`)], want: 'v2.1.0'},
    {name: 'the tag beside a digest', in: [deployment(`${IMAGE}:v1.19.2@sha256:12`)], want: 'v1.19.2'},
    {
      name: 'the same tag of two',
      in: [deployment(`${IMAGE}:v2.1.0`), deployment(`r.io/crossplane:v2.1.0`)],
      want: 'v2.1.0',
    },
    {
      name: 'nothing of two that disagree',
      in: [deployment(`${IMAGE}:v2.1.0`), deployment(`r.io/crossplane:v1.9.0`)],
      want: undefined,
    },
    {name: 'nothing of a digest', in: [deployment(`${IMAGE}@sha256:12`)], want: undefined},
    {name: 'nothing of another image', in: [deployment('r.io/not-crossplane:v2.1.0')], want: undefined},
    {name: 'nothing of a tag that is no release', in: [deployment(`${IMAGE}:v2.1.0-rc.1`)], want: undefined},
    {name: 'nothing without one', in: [], want: undefined},
  ])('is $name', async ({in: deployments, want}) => {
    expect(await readCoreVersion(clusterWith(...deployments))).toBe(want)
  })

  it('is unknown to a user who may not read it', async () => {
    const unreachable = new Error('unreachable')
    const failing = (error: Error): Pick<ClusterApi, 'list'> => ({
      // oxlint-disable-next-line typescript/require-await -- a port that fails
      async *list() {
        throw error
      },
    })
    expect(await readCoreVersion(failing(deniedError('denied', 'forbidden')))).toBeUndefined()
    await expect(readCoreVersion(failing(unreachable))).rejects.toBe(unreachable)
  })
})
