import {describe, expect, it} from '@jest/globals'
import {auditOf, isWrite} from '../../cluster/audit.js'
import {describeCluster} from '../../cluster/describe-cluster.js'
import {accepted} from '../../cluster/kube.js'
import {describeCorpus} from '../../corpus.js'
import {corpusPackage, objectsIn, ownEntries, runIn, signaledIn} from './installing.js'

const OLD = [
  'package',
  'install',
  ...corpusPackage('provider-gcp', 'v0.10.0', 'gcp'),
  '--with-package-api',
  '--create-namespace',
]
const NEW = [
  'package',
  'install',
  ...corpusPackage('provider-gcp', 'v0.11.0', 'gcp'),
  '--with-package-api',
  '--create-namespace',
]
const UNINSTALL = ['package', 'uninstall', 'crossplane-system/gcp', '--yes']

const BUCKET = {
  apiVersion: 'storage.gcp.crossplane.io/v1alpha3',
  kind: 'Bucket',
  metadata: {name: 'mine'},
  spec: {location: 'EU', providerRef: {name: 'default'}},
}

describeCorpus('package install, upgrade and uninstall', () => {
  describeCluster({version: 'current', pods: true}, 'on a current server', cluster => {
    let before: string[] = []

    it('shows the plan and changes nothing with --dry-run', async () => {
      before = await objectsIn(cluster())
      const {status, stdout} = await runIn(cluster(), ...OLD, '--dry-run', 'client')
      expect({status, after: await objectsIn(cluster())}).toEqual({status: 0, after: before})
      expect(stdout).toMatch(/^create +1 +Namespace +crossplane-system$/m)
      expect(stdout).toMatch(/^create +\d{2} +CustomResourceDefinition +.* and \d+ more$/m)
      expect(stdout).not.toContain('the object does not exist')
    })

    it.each([['--show-objects'], ['-o', 'wide']])('shows every object with %s %s', async (...flags) => {
      const {stdout} = await runIn(cluster(), ...OLD, '--dry-run', 'client', ...flags)
      expect(stdout).toMatch(/^create +Namespace crossplane-system +the object does not exist$/m)
      const crds = stdout.match(/^create +CustomResourceDefinition \S+ +the object does not exist$/gm)
      expect(crds?.length).toBeGreaterThan(9)
    })

    it.each([[], ['--quiet']])('requires --yes without a terminal, and names it: %s', async (...flags) => {
      const {status, stderr} = await runIn(cluster(), ...OLD, ...flags)
      expect({status, after: await objectsIn(cluster())}).toEqual({status: 2, after: before})
      expect(stderr).toMatch(/^create +1 +Namespace +crossplane-system$/m)
      expect(stderr).toMatch(/^Try: .*--yes\.$/m)
    })

    it('installs, waits until all is ready, and installs again without a write', async () => {
      expect(await runIn(cluster(), ...OLD, '--yes')).toMatchObject({status: 0})
      const audit = auditOf(cluster())
      const mark = await audit.mark()
      const again = await runIn(cluster(), ...OLD)
      expect(again).toMatchObject({status: 0, stdout: ''})
      expect(again.stderr).toMatch(/^\d+ unchanged$/m)
      const ours = ownEntries(await audit.since(mark))
      expect(ours.length).toBeGreaterThan(0)
      expect(ours.filter(isWrite)).toEqual([])
    }, 180_000)

    it.each([
      /^CustomResourceDefinition .* configured$/,
      /^ClusterRoleBinding gcp replaced$/,
      /^Deployment .* configured$/,
    ])(
      'is upgraded by the same command after it was killed at %s',
      async at => {
        expect(await runIn(cluster(), ...OLD, '--yes')).toMatchObject({status: 0})
        expect(await signaledIn(cluster(), {at, signal: 'SIGKILL'}, ...NEW, '--yes')).toMatchObject({
          signal: 'SIGKILL',
        })
        const {stdout} = await runIn(cluster(), 'package', 'list', '-A', '-o', 'wide')
        expect(stdout).toMatch(
          /^crossplane-system +gcp +crossplane\/provider-gcp:v0.11.0 .* Interrupted +inventory /m,
        )
        expect(await runIn(cluster(), ...NEW, '--yes')).toMatchObject({status: 0})
        const listed = await runIn(cluster(), 'package', 'list', '-A', '-o', 'wide')
        expect(listed.stdout).toMatch(
          /^crossplane-system +gcp +crossplane\/provider-gcp:v0.11.0 .* Complete +inventory /m,
        )
        const roles = (await objectsIn(cluster())).filter(
          name => name.startsWith('ClusterRole.') && name.includes(':gcp:'),
        )
        expect(roles).toHaveLength(4)
        expect(roles.every(name => name.includes(':v0.11.0:'))).toBe(true)
      },
      240_000,
    )

    it('is not removed while an instance exists', async () => {
      accepted(await cluster().kube.create(BUCKET))
      const audit = auditOf(cluster())
      const mark = await audit.mark()
      const {status, stderr} = await runIn(cluster(), ...UNINSTALL)
      expect(status).toBe(5)
      expect(stderr).toContain(
        '1 custom resource of buckets.storage.gcp.crossplane.io would lose its controller: mine',
      )
      const ours = ownEntries(await audit.since(mark))
      expect(ours.filter(isWrite)).toEqual([])
    })

    it('is removed without one, and leaves the cluster as it was but for the base', async () => {
      accepted(await cluster().kube.delete(BUCKET))
      const {status, stderr} = await runIn(cluster(), ...UNINSTALL, '--quiet')
      expect({status, lines: stderr.match(/^\w+ /gm)?.length}).toEqual({status: 0, lines: 1})
      const added = (await objectsIn(cluster())).filter(name => !before.includes(name))
      expect(added.filter(name => !isOfBase(name))).toEqual([])
    }, 180_000)

    it('is not found afterwards, which --ignore-not-found accepts', async () => {
      const missing = await runIn(cluster(), ...UNINSTALL)
      expect(missing.status).toBe(1)
      expect(missing.stderr).toMatch(
        /^Error: install .* not found\n(?:Try: .*\n)*Try: Pass --ignore-not-found /m,
      )
      expect(await runIn(cluster(), ...UNINSTALL, '--ignore-not-found=false')).toMatchObject({status: 1})
      const ignored = await runIn(cluster(), ...UNINSTALL, '--ignore-not-found')
      expect(ignored).toMatchObject({status: 0, stdout: ''})
      expect(ignored.stderr).toMatch(/^not installed: crossplane-system\/\S+\nnothing to change$/m)
      const json = await runIn(cluster(), ...UNINSTALL, '--ignore-not-found', '--output', 'json')
      expect(JSON.parse(json.stdout)).toMatchObject({kind: 'ClusterChange', counts: {}})
      const upgraded = await runIn(cluster(), 'package', 'upgrade', '--yes')
      expect(upgraded).toMatchObject({status: 0, stdout: ''})
      expect(upgraded.stderr).toMatch(/^nothing to change$/m)
    })
  })
})

describe('the base and the namespace', () => {
  it('are distinguished from the objects of an install', () => {
    expect(
      ['ClusterRole.rbac.authorization.k8s.io package:crossplane-system:gcp:v1:view'].some(isOfBase),
    ).toBe(false)
  })
})

/** What stays: the base, the Namespace, and what Kubernetes creates in it. */
function isOfBase(name: string): boolean {
  return (
    /^CustomResourceDefinition[.]apiextensions[.]k8s[.]io [a-z]+[.]packages[.]crossplane[.]io$/.test(name) ||
    /^ClusterRole(Binding)?[.]rbac[.]authorization[.]k8s[.]io crossplane[:-]/.test(name) ||
    [
      'Namespace. crossplane-system',
      'ServiceAccount. crossplane-system/default',
      'ConfigMap. crossplane-system/kube-root-ca.crt',
    ].includes(name)
  )
}
