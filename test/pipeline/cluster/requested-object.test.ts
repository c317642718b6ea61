import {describe, expect, it} from '@jest/globals'
import {readRequestedObject} from '../../../src/pipeline/cluster/requested-object.js'

describe('the runtime in the annotation of a request', () => {
  const request = (runtime: string) => ({
    apiVersion: 'packages.crossplane.io/v1alpha1',
    kind: 'PackageInstall',
    metadata: {name: 'app', namespace: 'team', annotations: {'kubectl-crossplane.dev/runtime': runtime}},
    spec: {package: 'example/app:v1.0.0'},
  })

  it('is that of its controller', () => {
    const {requested} = readRequestedObject(request('{"replicas":2}'))
    expect(requested.parameters.runtime).toEqual({replicas: 2})
  })

  it.each([
    {text: '{"securityContext":{"privileged":true}}', want: 'securityContext.privileged must be false'},
    {text: '{"replica":2}', want: 'replica'},
    {text: '{', want: 'line 1'},
  ])('is rejected: $text', ({text, want}) => {
    expect(() => readRequestedObject(request(text))).toThrow(want)
  })
})
