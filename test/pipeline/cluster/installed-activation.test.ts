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
const definition = (name: string) => ({
  apiVersion: 'apiextensions.crossplane.io/v1alpha1',
  kind: 'ManagedResourceDefinition',
  metadata: {name, uid: name, ownerReferences: [{uid: 'sql-1'}]},
})
/** A Provider with a kind of its group. */
const provider = (name: string, capabilities = ['safe-start']) => {
  const defines = {
    group: `${name}.example.org`,
    kind: 'Table',
    plural: 'tables',
    scope: 'Cluster',
    versions: [],
  }
  const base = {apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition'}
  const place = {name: `tables.${name}.example.org`, file: 'package.yaml', line: 1}
  return {
    ...{repository: `h.io/${name}`, version: 'v2.0.0', kind: 'Provider', dependencies: [], capabilities},
    objects: [{...base, ...place, role: 'crd' as const, defines, functions: []}],
  }
}
const SQL = provider('sql')
const WITH_NEW = [SQL, provider('new')]
const ALL = {activation: undefined, said: []}
const UNSAID = {activation: 'none', said: []}
const says = (message: string) => ({activation: 'none', said: [message]})
const KEPT = 'the activation policy of the cluster stays as it is (app)'
const UNNAMED = `${KEPT}: kinds that only new versions need are not activated`
const IDLE = 'no policy activates a kind of h.io/new'

it.each([
  {name: 'nothing without policies', of: [], want: UNSAID},
  {name: 'nothing where others have policies', of: [policy(['*.sql.example.org'], 'helm')], want: UNSAID},
  {
    name: 'nothing of a new package without policies, and says so',
    packages: WITH_NEW,
    of: [],
    want: says(`the cluster gets no activation policy: ${IDLE}`),
  },
  {
    name: 'nothing of a new package where a policy of others is not for it',
    packages: WITH_NEW,
    of: [policy(['*.sql.example.org'], 'helm')],
    want: says(`the cluster gets no activation policy: ${IDLE}`),
  },
  {
    name: 'a new package by a policy of others',
    packages: WITH_NEW,
    of: [policy(['*'], 'helm')],
    want: UNSAID,
  },
  {
    name: 'nothing of a package without the capability before',
    revisions: [revision(['safe-start']), {...revision([]), repository: 'h.io/new'}],
    packages: WITH_NEW,
    of: [],
    want: says(`the cluster gets no activation policy: ${IDLE}`),
  },
  {name: 'all as before', packages: WITH_NEW, of: [policy(['*.sql.example.org'])], want: ALL},
  {
    name: 'no more than a policy does at a rollback',
    keepsPolicies: true,
    of: [policy(['*.sql.example.org'])],
    want: UNSAID,
  },
  {
    name: 'nothing of what a rollback adds, and says so',
    keepsPolicies: true,
    packages: WITH_NEW,
    of: [policy(['*.sql.example.org'])],
    want: says(`the cluster gets no activation policy: ${IDLE}`),
  },
  {
    name: 'only the groups that a policy names',
    of: [policy(['*.sql.example.org'])],
    definitions: [definition('tables.sql.example.org'), definition('queues.mq.example.org')],
    want: says(UNNAMED),
  },
  {name: 'what a policy for everything does', of: [policy(['*'])], want: says(UNNAMED)},
  {name: 'the kinds that a policy names', of: [policy(['tables.sql.example.org'])], want: says(UNNAMED)},
  {
    name: 'the kinds that a policy names, and none of a new package',
    packages: WITH_NEW,
    of: [policy(['tables.sql.example.org'])],
    want: says(`${KEPT}: ${IDLE}`),
  },
  {name: 'all where no installed package needs a policy', revisions: [revision([])], of: [], want: ALL},
  {
    name: 'all where no revision that needs a policy is active',
    revisions: [revision(['safe-start'], 'Inactive')],
    of: [],
    want: ALL,
  },
])('activates $name', async ({of, want, packages = [SQL], ...each}) => {
  const {definitions = [definition('tables.sql.example.org')], keepsPolicies = false} = each
  const {revisions = [revision(['safe-start'])]} = each
  const query = {packages, coreVersion: 'v2.3.0', keepsPolicies}
  const {activation, notes} = await installedActivation(query, {revisions}, listing([...of, ...definitions]))
  expect({activation, said: notes.map(({message}) => message)}).toEqual(want)
  for (const {rule, severity} of notes)
    expect({rule, severity}).toEqual({rule: 'xpkg-activation-kept', severity: 'note'})
})

it.each([
  {name: 'no package with the capability', packages: [provider('sql', [])], coreVersion: 'v2.3.0'},
  {name: 'a core without policies', packages: [SQL], coreVersion: 'v1.20.0'},
])('reads no policy for $name', async ({packages, coreVersion}) => {
  const none = {
    list: () => {
      throw new Error('policies are read')
    },
  }
  const core = {revisions: [revision(['safe-start'])]}
  expect(await installedActivation({packages, coreVersion}, core, none)).toEqual({notes: []})
})

function listing(objects: readonly KubernetesObject[]) {
  return {
    async *list({kind}: {readonly kind: string}) {
      await Promise.resolve()
      yield* objects.filter(object => object.kind === kind)
    },
  }
}
