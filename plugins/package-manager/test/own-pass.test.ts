import {expect, it} from '@jest/globals'
import type {KubernetesObject} from 'kubectl-crossplane/plugin'
import {checkedAt, installedAt, type JointState, untilOwnPass} from '../src/run/joint-state.js'

const SECOND = 1000

it.each<{
  readonly name: string
  readonly state?: JointState
  readonly others?: readonly JointState[]
  readonly after: number
  readonly isDeleted?: boolean
  readonly want: number | undefined
}>([
  {name: 'is due for one that was not in a pass with others', after: 0, want: undefined},
  {name: 'is due for one that needs passes of its own', state: 'alone', after: 0, want: undefined},
  {name: 'waits while the request is being installed with others', state: 'installing', after: 0, want: 30},
  {name: 'waits while the request is being looked at', state: 'checking', after: 0, want: 30},
  {name: 'waits an hour after it was looked at', state: checkedAt(0), after: 10, want: 3590},
  {name: 'is due after an hour', state: checkedAt(0), after: 3600, want: undefined},
  {name: 'waits 30 seconds after it was found ready', state: installedAt(0), after: 10, want: 20},
  {name: 'is due then', state: installedAt(0), after: 30, want: undefined},
  {
    name: 'waits for others that are installed',
    state: installedAt(0),
    others: ['installing'],
    after: 30,
    want: 30,
  },
  {
    name: 'waits for none that is ready',
    state: installedAt(0),
    others: [installedAt(9)],
    after: 30,
    want: undefined,
  },
  {
    name: 'waits for five minutes at most',
    state: installedAt(0),
    others: ['installing'],
    after: 300,
    want: undefined,
  },
  {name: 'waits no longer if the clock is set back', state: installedAt(60 * SECOND), after: 0, want: 30},
  {name: 'is due for one that is deleted', state: 'installing', after: 0, isDeleted: true, want: undefined},
])('a pass of its own $name', ({state, others = [], after, isDeleted = false, want}) => {
  const joint = new Map<string, JointState>([
    ...(state === undefined ? [] : [['own', state] as const]),
    ...others.map((other, index) => [`other-${index}`, other] as const),
  ])
  const request: KubernetesObject = {
    apiVersion: 'packages.crossplane.io/v1alpha1',
    kind: 'PackageInstall',
    metadata: {name: 'app', uid: 'own', ...(isDeleted ? {deletionTimestamp: '1970-01-01T00:00:00Z'} : {})},
  }
  const now = () => new Date(after * SECOND).toISOString()
  expect(untilOwnPass(request, {joint, now})).toBe(want === undefined ? undefined : want * SECOND)
})
