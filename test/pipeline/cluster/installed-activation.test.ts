import {expect, it} from '@jest/globals'
import type {KubernetesObject} from '../../../src/kubernetes/kubernetes-object.js'
import {installedActivation} from '../../../src/pipeline/cluster/core/installed-activation.js'
import {coreRevision} from '../../../src/plan/cluster/core/read-core-object.js'

const revision = (capabilities: readonly string[], desiredState = 'Active') =>
  coreRevision('Provider', {
    apiVersion: 'pkg.crossplane.io/v1',
    kind: 'ProviderRevision',
    metadata: {name: 'sql-1', uid: 'sql-1'},
    spec: {image: 'h.io/sql:v1.0.0', desiredState},
    status: {capabilities: [...capabilities]},
  })
const policy = (activate: readonly string[], manager = 'crossplane-packages') => ({
  apiVersion: 'apiextensions.crossplane.io/v1alpha1',
  kind: 'ManagedResourceActivationPolicy',
  metadata: {name: 'app', uid: 'app', managedFields: [{manager, operation: 'Apply'}]},
  spec: {activate: [...activate]},
})
const ITSELF = {
  apiVersion: 'apiextensions.crossplane.io/v1alpha1',
  kind: 'ManagedResourceActivationPolicy',
  metadata: {name: 'app'},
  spec: {activate: ['tables.sql.example.org']},
}

it.each([
  {name: 'nothing without policies', of: [], want: 'none', rules: []},
  {name: 'nothing where others have policies', of: [policy(['*'], 'helm')], want: 'none', rules: []},
  {name: 'all as before', of: [policy(['*.sql.example.org'])], want: undefined, rules: []},
  {
    name: 'the kinds that a policy names',
    of: [policy(['tables.sql.example.org'])],
    want: [ITSELF],
    rules: ['xpkg-activation-kept'],
  },
])('activates $name', async ({of, want, rules}) => {
  const {activation, notes} = await installedActivation({revisions: [revision(['safe-start'])]}, listing(of))
  expect(activation).toEqual(want)
  expect(notes.map(({rule}) => rule)).toEqual(rules)
})

it.each([
  {name: 'no capability', of: revision([])},
  {name: 'no active revision', of: revision(['safe-start'], 'Inactive')},
])('reads no policy with $name', async ({of}) => {
  const none = {
    list: () => {
      throw new Error('policies are read')
    },
  }
  expect(await installedActivation({revisions: [of]}, none)).toEqual({notes: []})
})

function listing(policies: readonly KubernetesObject[]) {
  return {
    async *list() {
      await Promise.resolve()
      yield* policies
    },
  }
}
