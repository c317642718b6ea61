import {describe, expect, it} from '@jest/globals'
import {reinstall} from '../../src/health/reinstall.js'
import {nameOf} from '../../src/kubernetes/object-key.js'
import type {JsonObject} from '../../src/yaml/json-value.js'
import {changed, INSTALL, inventory, REQUESTED, request, snapshotWith} from './some-install.js'

const NEVER_INSTALLED = snapshotWith({record: null})
const forRequest = (spec: JsonObject) => reinstall({...NEVER_INSTALLED, request: changed(request, {spec})})
const LOOK = 'kubectl describe clusterpackageinstall.packages.crossplane.io sql --namespace infra'

describe('the command that installs a request', () => {
  it.each<{name: string; spec: JsonObject}>([
    {name: 'a flag', spec: {package: '--yes'}},
    {name: 'a path', spec: {package: './sql'}},
    {name: 'a layout', spec: {package: 'oci:sql'}},
    {name: 'an archive', spec: {package: 'docker-archive:sql'}},
    {name: 'a flag as a CRD', spec: {package: '', crd: '--yes'}},
    {name: 'a flag as a registry', spec: {source: '--yes'}},
    {name: 'a flag as a Secret', spec: {imagePullSecrets: [{name: '--yes'}]}},
    {name: 'a flag as an annotation', spec: {serviceAccount: {annotations: {'--yes': 'a'}}}},
  ])('is to look at a request with $name', ({spec}) => {
    expect(forRequest(spec)).toBe(LOOK)
  })

  it('has its parameters', () => {
    const spec = {
      source: 'registry.example.org',
      imagePullPolicy: 'Always',
      imagePullSecrets: [{name: 'pull'}],
      serviceAccount: {annotations: {'example.org/role': 'a b'}},
    }
    const flags = `--source registry.example.org --image-pull-policy Always --image-pull-secret pull --service-account-annotation 'example.org/role=a b'`
    expect(forRequest(spec)).toBe(`${REQUESTED} ${flags} --adopt`)
  })

  it('names the package that defines a CRD', () => {
    const command = forRequest({package: '', crd: 'databases.sql.example.org'})
    expect(command).toBe(
      'kubectl crossplane package install crd:databases.sql.example.org sql --namespace infra --adopt',
    )
  })
})

describe('the command that installs an inventory again', () => {
  const {install, ...rest} = inventory('complete', [nameOf(request)])

  it('has its parameters, era and request', () => {
    const parameters = {source: 'registry.example.org', imagePullSecrets: [], serviceAccountAnnotations: {}}
    const snapshot = snapshotWith(
      {},
      {era: 'stacks', inventory: {...rest, install: {...install, request: parameters}}},
    )
    expect(reinstall(snapshot)).toBe(
      `${INSTALL} --source registry.example.org --api stacks --include-request`,
    )
  })

  it.each([
    {
      name: 'has the runtime that flags can give',
      runtime: {
        replicas: 2,
        env: [{name: 'A', value: 'b c'}],
        resources: {limits: {cpu: '1', memory: '1Gi'}, requests: {cpu: '1'}},
      },
      want: `${INSTALL} --replicas 2 --env 'A=b c' --limits cpu=1,memory=1Gi --requests cpu=1`,
    },
    {
      name: 'prints the inventory for another runtime',
      runtime: {nodeSelector: {a: 'b'}},
      want: 'kubectl describe configmap crossplane-package.sql --namespace infra',
    },
  ])('$name', ({runtime, want}) => {
    const request = {imagePullSecrets: [], serviceAccountAnnotations: {}, runtime}
    const snapshot = snapshotWith({}, {inventory: {...inventory('complete'), install: {...install, request}}})
    expect(reinstall(snapshot)).toBe(want)
  })

  it('is a command that prints the inventory if its package is a flag', () => {
    const odd = {identity: '--yes', tag: 'v0.1.0', version: '', summaryHash: ''}
    const snapshot = snapshotWith({}, {inventory: {...rest, install: {...install, package: odd}}})
    expect(reinstall(snapshot)).toBe('kubectl describe configmap crossplane-package.sql --namespace infra')
  })
})
