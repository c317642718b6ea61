import {expect, it} from '@jest/globals'
import type {Diagnostic, InstallStatus, KubernetesObject, SetInstall} from 'kubectl-crossplane/plugin'
import {type JudgingPorts, judged} from '../src/run/judge-install.js'

const request = (name: string): KubernetesObject => ({
  apiVersion: 'packages.crossplane.io/v1alpha1',
  kind: 'PackageInstall',
  metadata: {namespace: 'team', name},
})

const install = (name: string, dependents: readonly string[]): SetInstall => ({
  ...{namespace: 'team', name, era: 'packages', scope: 'Namespaced'},
  mode: dependents.length === 0 ? 'requested' : 'auto',
  package: {identity: `example/${name}`, tag: 'v1.0.0', version: 'v1.0.0', digest: '', summaryHash: ''},
  for: Object.fromEntries(dependents.map(each => [`team/${each}`, ['gears.example.org']])),
})

const yanked = (name: string): Diagnostic => ({
  severity: 'warning',
  rule: 'yanked-version',
  message: `${name} was yanked`,
  subject: {package: `example/${name}`},
})

/** A cluster where the installs of these names are broken. */
const withBroken = (...names: readonly string[]): JudgingPorts => ({
  installer: {
    health: id =>
      Promise.resolve({
        ...{namespace: id.namespace, name: id.name, findings: [], denials: []},
        state: names.includes(id.name) ? 'progressing' : 'healthy',
      } as unknown as InstallStatus),
    read: () => Promise.resolve(undefined),
  },
})

// Another pass had not written to the end what requires the gears, so that a plan for the pedal corrected it.
const change = {
  installs: [install('gears', ['spoke']), install('pedal', []), install('spoke', [])],
  objects: [],
  notes: [yanked('gears')],
}

it.each([
  ['pedal', ''],
  ['spoke', 'gears was yanked'],
])('%s has only warnings about itself and its dependencies', async (name, message) => {
  const {state} = await judged(request(name), change, withBroken())
  expect(state.synced).toEqual({status: 'True', reason: 'ReconcileSuccess', message})
})

it.each([
  ['pedal', 'Available'],
  ['spoke', 'WaitingForDependency'],
])('%s waits for its own dependencies only', async (name, reason) => {
  const {state} = await judged(request(name), change, withBroken('gears'))
  expect(state.ready?.reason).toBe(reason)
})

it.each([
  ['pedal', []],
  ['spoke', ['gears']],
])('%s lists its own dependencies only', async (name, dependencies) => {
  const {state} = await judged(request(name), change, withBroken())
  expect(state.dependencies?.map(each => each.name)).toEqual(dependencies)
})
