import {describe, expect, it} from '@jest/globals'
import {readdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {asObject} from '../../../src/yaml/json-value.js'
import type {JsonObject} from '../../../src/yaml/json-value.js'
import {auditOf, isWrite} from '../../cluster/audit.js'
import type {TestCluster} from '../../cluster/api-server.js'
import {describeCluster} from '../../cluster/describe-cluster.js'
import {accepted, until} from '../../cluster/kube.js'
import {runCli} from '../../run-cli.js'
import {temporaryFolder} from '../../temporary-folder.js'
import {schemaOf, schemaViolations} from '../../json-schema.js'
import {runIn, runWith} from './installing.js'

const PACKAGE = [
  './test/testdata/packages/cli-database',
  'db',
  '--as-package',
  'example/database:v0.2.0',
  '--no-dependencies',
  '--with-package-api',
  '--create-namespace',
]
const DIFF = ['package', 'diff', ...PACKAGE]
const ACCOUNT = {
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: {namespace: 'crossplane-system', name: 'db'},
}

interface ClusterDiff {
  readonly objects: readonly JsonObject[]
  readonly unchanged: number
  readonly rejections: readonly {readonly rule: string}[]
}

/** Takes a label from the service account of the install. */
async function takeLabel({kube}: TestCluster): Promise<string> {
  const live = accepted(await kube.get(ACCOUNT))
  const metadata = asObject(live.metadata)
  const [[taken, value], ...labels] = Object.entries(asObject(metadata.labels)) as [
    [string, string],
    ...[string, string][],
  ]
  accepted(await kube.replace({...live, metadata: {...metadata, labels: Object.fromEntries(labels)}}))
  return `${taken}: ${value}`
}

describe('package diff', () => {
  it('exits with 7 where no cluster can be compared', async () => {
    const {status} = await runCli(...DIFF, '--kubeconfig', '/absent')
    expect(status).toBe(7)
  })
})

describeCluster('current', 'package diff on a server', cluster => {
  const [folder, programs] = [temporaryFolder(), temporaryFolder()]

  it('shows new objects, and those that the server cannot check yet', async () => {
    const audit = auditOf(cluster())
    const mark = await audit.mark()
    const {status, stdout, stderr} = await runIn(cluster(), ...DIFF)
    expect({status, stderr}).toMatchObject({status: 1})
    expect(stdout).toMatch(/^PACKAGE +example\/database:v0[.]2[.]0 +crossplane-system\/db\nIMAGE .*\nGAINS /)
    expect(stdout).toMatch(/^create Namespace crossplane-system: the object does not exist$/m)
    expect(stdout).toMatch(
      /^create Deployment crossplane-system\/db-controller: .*\nnot checked by the server: namespace crossplane-system does not exist yet\n--- \/dev\/null\n\+\+\+ b\/apps[.]v1[.]Deployment[.]crossplane-system[.]db-controller$/m,
    )
    expect(stderr).toMatch(/^\d+ to create, 0 unchanged$/m)
    const writes = (await audit.since(mark)).filter(isWrite)
    expect(writes.filter(({userAgent}) => userAgent.startsWith('kubectl-crossplane'))).toEqual([])
  })

  it('prints nothing after the install', async () => {
    expect(await runIn(cluster(), 'package', 'install', ...PACKAGE, '--yes', '--no-wait')).toMatchObject({
      status: 0,
    })
    expect(await runIn(cluster(), ...DIFF)).toMatchObject({status: 0, stdout: ''})
  }, 120_000)

  it('shows a field that the install would change back', async () => {
    const label = await takeLabel(cluster())
    const {status, stdout} = await runIn(cluster(), ...DIFF)
    expect(status).toBe(1)
    expect(stdout).toMatch(/^PACKAGE .*\nupdate ServiceAccount crossplane-system\/db: /)
    expect(stdout.split('\n').filter(line => /^[+-] /.test(line))).toEqual([`+    ${label}`])
  })

  it('prints a document with -o json', async () => {
    const {status, stdout} = await runIn(cluster(), ...DIFF, '-o', 'json')
    const document = JSON.parse(stdout) as ClusterDiff
    const {objects} = document
    expect(schemaViolations(schemaOf('cluster-diff'), document)).toEqual([])
    expect({status, changes: objects.map(({change}) => change)}).toEqual({status: 1, changes: ['update']})
    expect(asObject(objects[0]?.before).kind).toBe('ServiceAccount')
  })

  it('runs the diff program of the user on two folders', async () => {
    const {status, stdout} = await runWith(
      cluster(),
      {TMPDIR: folder, KUBECTL_EXTERNAL_DIFF: 'diff -U1 -N'},
      ...DIFF,
    )
    expect({status, left: readdirSync(folder)}).toEqual({status: 1, left: []})
    expect(stdout).toMatch(/^--- .*LIVE-.*\/v1[.]ServiceAccount[.]crossplane-system[.]db\s/m)
  })

  it.each([
    {name: 'no difference', program: 'true', status: 0},
    {name: 'a difference', program: 'false', status: 1},
    {name: 'a failure', program: 'failing', status: 7},
    {name: 'an absent program', program: 'absent-program', status: 7},
  ])('exits as the diff program does: $name', async ({program, status}) => {
    writeFileSync(join(programs, 'failing'), '#!/bin/sh\nexit 3\n', {mode: 0o755})
    const PATH = `${programs}:${process.env.PATH ?? ''}`
    const {status: exited} = await runWith(cluster(), {PATH, KUBECTL_EXTERNAL_DIFF: program}, ...DIFF)
    expect(exited).toBe(status)
  })

  it('exits with 5 where the install would be rejected', async () => {
    const labels = Object.keys(
      asObject(asObject(accepted(await cluster().kube.get(ACCOUNT)).metadata).labels),
    )
    const taken = {...ACCOUNT, metadata: {...ACCOUNT.metadata, labels: {[labels[0] ?? '']: 'theirs'}}}
    accepted(await cluster().kube.apply(taken, {manager: 'someone', force: true}))
    const {status, stdout} = await runIn(cluster(), ...DIFF, '-o', 'json')
    const document = JSON.parse(stdout) as ClusterDiff
    expect({status, rules: document.rejections.map(({rule}) => rule)}).toEqual({
      status: 5,
      rules: ['field-conflict'],
    })
    expect(schemaViolations(schemaOf('cluster-diff'), document)).toEqual([])
    expect(await runIn(cluster(), ...DIFF, '--force-conflicts')).toMatchObject({
      status: 1,
      stdout: expect.stringMatching(/^-.*theirs$/m) as unknown,
    })
  })
})

describeCluster('current', 'package install --dry-run', cluster => {
  const install = (...args: string[]) => runIn(cluster(), 'package', 'install', ...PACKAGE, ...args)
  const quota = {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: {namespace: 'crossplane-system', name: 'none'},
    spec: {hard: {'count/serviceaccounts': '0'}},
  }

  it('reports objects that the server cannot check yet', async () => {
    const {status, stderr} = await install('--dry-run', 'server')
    expect(status).toBe(0)
    expect(stderr).toMatch(/^Note: .*namespace crossplane-system does not exist yet \(\d+ operations\)/m)
  })

  it('reports objects that admission rejects with server, and not with client', async () => {
    const namespace = {apiVersion: 'v1', kind: 'Namespace', metadata: {name: 'crossplane-system'}}
    accepted(await cluster().kube.create(namespace))
    accepted(await cluster().kube.create(quota))
    // No controller counts here.
    const path = '/api/v1/namespaces/crossplane-system/resourcequotas/none/status'
    const status = {hard: quota.spec.hard, used: {'count/serviceaccounts': '0'}}
    const type = 'application/merge-patch+json'
    accepted(await cluster().kube.send('PATCH', path, {status}, type))
    const rejected = await until(
      () => install('--dry-run', 'server'),
      ({status}) => status === 5,
    )
    expect(rejected.stderr).toMatch(/ServiceAccount crossplane-system\/db is rejected .*exceeded quota: none/)
    expect(await install('--dry-run', 'client')).toMatchObject({status: 0})
  }, 60_000)
})
