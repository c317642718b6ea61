import {describe, expect, it} from '@jest/globals'
import {crdApiVersionFor} from '../../src/crd/kube-version.js'
import {outcome} from '../outcome.js'

describe('the API version of CRDs for a Kubernetes', () => {
  it.each([
    {in: '1.15', want: 'v1beta1'},
    {in: 'v1.15.12', want: 'v1beta1'},
    {in: '1.16', want: 'v1'},
    {in: 'v1.20.2', want: 'v1'},
    {in: '1.36.3-gke.1', want: 'v1'},
    {in: 'v1.27.4+k3s1', want: 'v1'},
    {in: '1.21+', want: 'v1'},
    {in: '2.0', want: 'v1'},
    {in: '', want: 'usage'},
    {in: '1', want: 'usage'},
    {in: 'latest', want: 'usage'},
    {in: '1.20; rm', want: 'usage'},
  ])('$in: $want', async ({in: version, want}) => {
    expect(await outcome(() => crdApiVersionFor(version))).toBe(want)
  })
})
