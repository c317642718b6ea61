import {expect, it} from '@jest/globals'
import {join} from 'node:path'
import {startRegistry} from '../../fakes/registry-server.js'
import {missingTool} from '../../missing-tool.js'
import {describeReal} from '../../real-parts.js'
import {runCli} from '../../run-cli.js'
import {newKeys} from '../../signatures/signed-images.js'
import {writeTree} from '../../temporary-folder.js'
import {APP_YAML, owner} from '../locked-world.js'
import {GitWorlds, type Repository} from './git-world.js'

const API = 'apiVersion: packages.kubectl-crossplane.dev/v1alpha1\n'
const xpkg = (tag: string, plural: string, version: string) => ({
  [`example/gate@${tag}/crossplane.yaml`]:
    'apiVersion: meta.pkg.crossplane.io/v1\nkind: Provider\nmetadata: {name: gate}\n',
  [`example/gate@${tag}/crd.yaml`]: `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: ${plural}.example.org}
spec:
  group: example.org
  scope: Cluster
  names: {plural: ${plural}, singular: ${plural}, kind: ${plural.toUpperCase()}}
  versions:
  - {name: ${version}, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
`,
})

describeReal('the policy of a team with --git', missingTool('git'), () => {
  const worlds = new GitWorlds()
  const policy = (fields: string) => `${API}kind: Policy\ncontact: Team A\n${fields}`
  const repository = (fields: string): Repository =>
    worlds.repository({
      'crossplane-packages.yaml': `${API}kind: PackageDeclaration\npolicy: policy.yaml\npackages: []\n`,
      'policy.yaml': policy(fields),
    })
  /** Expects a rejection after which nothing is different. */
  async function rejected(made: Repository, args: readonly string[], want: string): Promise<void> {
    const [before, status] = [made.commits(), made.status()]
    const result = await made.upgrade(...args, '--assume-no-instances')
    expect(result).toMatchObject({status: 4, stdout: '', stderr: expect.stringContaining(want)})
    expect(result.stderr).toContain('policy.yaml of Team A rejects it')
    expect([made.commits(), made.status()]).toEqual([before, status])
  }

  it('rejects changes of CRDs', async () => {
    writeTree(worlds.packages, {
      ...owner('v1.0.0', 'ds', 'v1'),
      ...owner('v2.0.0', 'ds', 'v2'),
      'x/ds@v3.0.0/.registry/app.yaml': `version: v3.0.0\n${APP_YAML}`,
    })
    const made = repository('reject:\n  crdChanges: [all]\n')
    await made.committed(made.install('x/ds:v1.0.0'))
    await rejected(
      made,
      ['x/ds:v2.0.0'],
      'policy.yaml:5: the plan: CustomResourceDefinition ds.x.example.org: it loses v1 (stored-version-removed) and it loses v1 (version-removed) [policy-crd-change]',
    )
    await rejected(made, ['x/ds:v3.0.0'], 'CustomResourceDefinition ds.x.example.org: dropped')
  })

  it('rejects those of packages for a current Crossplane', async () => {
    writeTree(worlds.packages, {
      ...xpkg('v1.0.0', 'gates', 'v1'),
      ...xpkg('v2.0.0', 'gates', 'v2'),
      ...xpkg('v3.0.0', 'doors', 'v1'),
    })
    const at = (tag: string) => `registry.example.org/example/gate:${tag}`
    const made = repository('reject:\n  crdChanges: [all]\n')
    await made.committed(made.install(at('v1.0.0')))
    await rejected(made, [at('v2.0.0')], 'gates.example.org: it loses v1 (stored-version-removed)')
    await rejected(made, [at('v3.0.0')], 'CustomResourceDefinition gates.example.org: dropped')
  })

  /** Everything by which a policy can reject packages as they are, without their signatures. */
  const REJECTING = `owners: {"*.example.org": other/owner}
sources: [quay.io]
limits: {packages: 1}
reject: {widePermissions: [all], imagesWithoutDigest: true, privilegedDeployments: true}
rules:
- {name: elsewhere, expression: 'pkg.repository.startsWith("quay.io/")'}
`
  const decide = (made: Repository, fields: string) => {
    made.write({'policy.yaml': policy(fields)})
    made.git('commit', '--quiet', '--all', '--message=policy')
  }

  it('keeps no package from being uninstalled, beside others that it rejects', async () => {
    writeTree(worlds.packages, xpkg('v1.0.0', 'gates', 'v1'))
    const gate = 'registry.example.org/example/gate'
    const made = repository('')
    await made.committed(made.install('x/bs:v1.0.0'))
    await made.committed(made.install('x/as:v1.0.0'))
    await made.committed(made.install(`${gate}:v1.0.0`))
    decide(made, REJECTING)
    expect(await made.upgrade()).toMatchObject({status: 4})
    const uninstall = (name: string) => made.run('uninstall', name, '--assume-no-instances')
    await made.committed(uninstall('x-bs'))
    await made.committed(uninstall('x-bs'))
    decide(made, 'reject: {crdChanges: [dropped]}\n')
    expect(await uninstall('x-bs')).toMatchObject({
      status: 4,
      stderr: expect.stringContaining('CustomResourceDefinition bs.x.example.org: dropped'),
    })
    decide(made, REJECTING)
    await made.committed(uninstall('x-bs'))
    await made.committed(uninstall(gate))
    expect(made.text('crossplane-packages.lock')).not.toMatch(/x\/bs|gate/)
    expect(made.text('crossplane-packages.lock')).toContain('x/as')
  })

  it('judges what the same commit would add', async () => {
    const made = repository('')
    await made.committed(made.install('x/bs:v1.0.0'))
    decide(made, REJECTING)
    const declaration = made.text('crossplane-packages.yaml')
    made.write({'crossplane-packages.yaml': `${declaration}- package: x/as:v1.0.0\n`})
    made.git('commit', '--quiet', '--all', '--message=add')
    expect(await made.run('uninstall', 'x-bs')).toMatchObject({
      status: 4,
      stderr: expect.stringContaining('policy.yaml does not allow its source'),
    })
  })

  it('lets --yes confirm no other signer than in the lock', async () => {
    const registry = await startRegistry()
    const folder = worlds.folder()
    const keys = [newKeys(), newKeys()]
    const signers = keys.map(({pem}) => `  - key: |\n      ${pem.trim().replaceAll('\n', '\n      ')}\n`)
    const made = repository(
      `signatures:\n- repositories: [${registry.host}]\n  signers:\n${signers.join('')}`,
    )
    const at = (tag: string) => `${registry.host}/x/ms:${tag}`
    const cache = ['--cache-dir', join(folder, 'cache')]
    try {
      for (const [index, {privateKey}] of keys.entries()) {
        const tag = `v${index + 1}.0.0`
        const key = privateKey.export({type: 'pkcs8', format: 'pem'}).toString()
        writeTree(folder, {...owner(tag, 'ms', 'v1'), 'key.pem': key})
        const signed = ['--no-lint', '--sign-key', join(folder, 'key.pem')]
        const pushed = await runCli('package', 'push', at(tag), join(folder, `x/ms@${tag}`), ...signed)
        expect(pushed).toMatchObject({status: 0})
      }
      await made.committed(made.install(at('v1.0.0'), ...cache))
      expect(await made.upgrade(at('v2.0.0'), ...cache)).toMatchObject({
        status: 5,
        stderr: expect.stringContaining(
          `cannot commit without a prompt: the signer of ${registry.host}/x/ms`,
        ),
      })
      expect([made.commits(), made.status()]).toEqual([2, ''])
      // What the suggestion says: the signer is in the lock before the tree is.
      made.write({
        'crossplane-packages.yaml': made.text('crossplane-packages.yaml').replace('v1.0.0', 'v2.0.0'),
      })
      const declaration = ['--declaration', made.at('crossplane-packages.yaml')]
      expect(await runCli('package', 'lock', ...declaration, ...cache)).toMatchObject({status: 0})
      made.git('commit', '--quiet', '--all', '--message=reviewed')
      await made.committed(made.upgrade(at('v2.0.0'), ...cache))
    } finally {
      await registry.close()
    }
  })

  it('evaluates rules over the plan', async () => {
    const made = repository(
      'rules:\n- name: reviewed\n  expression: plan.operations.all(o, o.kind != "CustomResourceDefinition" || o.action != "create-only") || plan.target != "git"\n',
    )
    const result = await made.install('x/bs:v1.0.0')
    expect(result).toMatchObject({
      status: 4,
      stderr: expect.stringContaining('the plan: failed expression: plan.operations.all('),
    })
    expect(made.commits()).toBe(1)
  })
})
