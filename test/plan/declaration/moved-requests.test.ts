import {describe, expect, it} from '@jest/globals'
import type {Lock, LockedXpkg} from '../../../src/declaration/lock.js'
import type {KubernetesObject} from '../../../src/kubernetes/kubernetes-object.js'
import {leavingRequests, withMovedNames} from '../../../src/plan/declaration/moved-requests.js'

const [FORMER, NEXT] = ['r.example.org/market/sql', 'r.example.org/community/sql']
const DIGEST = `sha256:${'1'.repeat(64)}`

function locked(repository: string, digest: string, name?: string): LockedXpkg {
  return {
    ...{repository, kind: 'Provider', tag: 'v1.0.0', digest, summaryHash: 'a', mode: 'requested'},
    ...{requires: {}, more: {}},
    ...(name === undefined ? {} : {name}),
  }
}

function lockOf(...xpkgs: readonly LockedXpkg[]): Lock {
  return {
    requestHash: '',
    renderVersion: 1,
    packages: [],
    xpkgs,
    acceptedMismatches: [],
    assumptions: {},
    more: {},
  }
}

function request(name: string, repository: string): KubernetesObject {
  return {
    apiVersion: 'pkg.crossplane.io/v1',
    kind: 'Provider',
    metadata: {name},
    spec: {package: `${repository}:v1.0.0`},
  }
}

describe('a request from which a package moves', () => {
  const move = {from: 'my-sql', to: 'community-sql', isBack: false, entry: {package: `${NEXT}:v1.0.0`}}

  it('is kept with its locked digest', () => {
    const [moving] = leavingRequests(
      [move],
      {entries: new Map(), lock: lockOf(locked(FORMER, DIGEST, 'my-sql'))},
      [[request('my-sql', FORMER)], [request('community-sql', NEXT)]],
    )
    expect(moving).toMatchObject({
      ...{from: 'my-sql', to: 'community-sql', digest: DIGEST},
      objects: [{kind: 'Provider', spec: {revisionActivationPolicy: 'Manual'}}],
    })
  })

  it.each([
    {name: 'of another repository', repository: NEXT},
    {name: 'of the same repository', repository: FORMER},
  ])('has that digest again on the way back from a request $name', ({repository}) => {
    const back = {
      ...{from: 'community-sql', to: 'my-sql', isBack: true, entry: {package: `${FORMER}:v1.0.0`}},
      locked: {repository: FORMER, tag: 'v1.0.0', digest: DIGEST},
    }
    const lock = withMovedNames(lockOf(locked(repository, `sha256:${'2'.repeat(64)}`, 'community-sql')), [
      back,
    ])
    expect(lock.xpkgs?.filter(one => one.repository === FORMER)).toEqual([
      {...locked(FORMER, DIGEST, 'my-sql'), summaryHash: ''},
    ])
  })

  it('takes no other request out of the tree', () => {
    const all = [request('my-sql', FORMER), request('other', 'r.example.org/market/other')]
    expect(() =>
      leavingRequests([move], {entries: new Map(), lock: lockOf()}, [all, [request('community-sql', NEXT)]]),
    ).toThrow('provider/other would leave the tree')
  })
})
