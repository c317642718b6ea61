import {expect, it} from '@jest/globals'
import {coreLock, coreRequest, coreRevision} from '../../../../src/plan/cluster/core/read-core-object.js'
import {unusedPolicies} from '../../../../src/plan/cluster/core/unused-policies.js'

function request(name: string) {
  return coreRequest('Provider', {
    apiVersion: 'pkg.crossplane.io/v1',
    kind: 'Provider',
    metadata: {name, uid: name},
    spec: {package: `h.io/${name}:v1.0.0`},
  })
}

function revision(name: string) {
  const labels = {'pkg.crossplane.io/package': name}
  return coreRevision('Provider', {
    apiVersion: 'pkg.crossplane.io/v1',
    kind: 'ProviderRevision',
    metadata: {name: `${name}-1`, uid: `${name}-1`, labels},
  })
}

function policy(name: string, activate: readonly string[], manager = 'crossplane-packages') {
  return {
    apiVersion: 'apiextensions.crossplane.io/v1alpha1',
    kind: 'ManagedResourceActivationPolicy',
    metadata: {name, managedFields: [{manager, operation: 'Apply'}]},
    spec: {activate},
  }
}

const [APP, SQL, NET] = [request('app'), request('sql'), request('net')]
const CORE = {
  requests: [APP, SQL, NET],
  revisions: [revision('sql'), revision('net')],
  lock: coreLock(undefined),
}
const SQL_ALL = ['*.sql.example.org']
const DEFINITIONS = [
  {name: 'tables.sql.example.org', owners: ['sql-1']},
  {name: 'users.sql.example.org', owners: ['other', 'sql']},
  {name: 'nets.net.example.org', owners: ['net', 'net-1']},
  {name: 'mine.example.org', owners: []},
]

it.each([
  {name: 'goes with its request', removed: [APP, SQL], policies: [policy('app', SQL_ALL)], want: ['app']},
  {
    name: 'goes where it activates nothing',
    removed: [APP],
    policies: [policy('app', ['*.x.org'])],
    want: ['app'],
  },
  {
    name: 'stays while a package that stays needs it',
    removed: [APP],
    policies: [policy('app', SQL_ALL)],
    want: [],
  },
  {
    name: 'stays while it is also for another package',
    removed: [APP, SQL],
    policies: [policy('app', [...SQL_ALL, 'nets.net.example.org'])],
    want: [],
  },
  {
    name: 'goes where another policy is for what stays',
    removed: [APP],
    policies: [policy('app', SQL_ALL), policy('default', ['*'], 'helm')],
    want: ['app'],
  },
  {
    name: 'does not go by another one that goes too',
    removed: [APP, NET],
    policies: [policy('app', SQL_ALL), policy('net', SQL_ALL)],
    want: [],
  },
  {
    name: 'stays for a kind without an owner',
    removed: [APP],
    policies: [policy('app', ['mine.*'])],
    want: [],
  },
  {
    name: 'goes with the last package that it is for, whatever its name',
    removed: [SQL],
    policies: [policy('gone', SQL_ALL), policy('ours', ['*.x.org'])],
    want: ['gone'],
  },
  {name: 'stays with the request of its name', removed: [SQL], policies: [policy('app', SQL_ALL)], want: []},
  {
    name: 'of another program stays',
    removed: [APP, SQL],
    policies: [policy('app', SQL_ALL, 'flux')],
    want: [],
  },
])('a policy $name', ({removed, policies, want}) => {
  const unused = unusedPolicies(policies, DEFINITIONS, removed, CORE)
  expect(unused.map(({metadata}) => metadata.name)).toEqual(want)
})
