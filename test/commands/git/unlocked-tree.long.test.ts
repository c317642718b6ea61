import {cpSync, readdirSync, readFileSync} from 'node:fs'
import {expect, it} from '@jest/globals'
import {missingTool} from '../../missing-tool.js'
import {describeReal} from '../../real-parts.js'
import {runCli} from '../../run-cli.js'
import {writeTree} from '../../temporary-folder.js'
import {writeGate} from './gate-package.js'
import {GitWorlds, Repository} from './git-world.js'

const REGISTRY = 'registry.example.org/example'

describeReal('packages for a current Crossplane, upgraded with --git,', missingTool('git'), () => {
  const worlds = new GitWorlds()
  const repository = (files: Readonly<Record<string, string>>) => {
    const packages = worlds.folder()
    cpSync('examples/xpkg/packages', packages, {recursive: true})
    const made = new Repository(worlds.folder(), packages)
    made.git('init', '--quiet', '--initial-branch=main')
    made.write(files)
    return Object.assign(made, {packages})
  }

  it.each([
    {name: 'without a lock', lock: undefined},
    {name: 'whose lock has none of its packages', lock: 'packages: {}\nxpkgs: {}\n'},
  ])(
    'lose no custom resources in a tree $name',
    async ({lock}) => {
      const made = repository({
        'crossplane-packages.yaml': `apiVersion: packages.kubectl-crossplane.dev/v1alpha1
kind: PackageDeclaration
packages:
- {package: ${REGISTRY}/gate, version: '>=v1.0.0'}
`,
      })
      writeGate(made.packages, 'v1.0.0')
      const rendered = await runCli(
        ...['package', 'render', '--declaration', made.at('crossplane-packages.yaml')],
        ...['--packages', made.packages, '--output-dir', made.at('packages')],
      )
      expect({status: rendered.status, errors: rendered.status === 0 ? '' : rendered.stderr}).toEqual({
        status: 0,
        errors: '',
      })
      if (lock !== undefined)
        made.write({
          'crossplane-packages.lock': `apiVersion: packages.kubectl-crossplane.dev/v1alpha1\nkind: PackageLock\nformatVersion: 1\nrenderVersion: 2\nrequestHash: sha256:${'0'.repeat(64)}\n${lock}`,
        })
      made.git('add', '--all')
      made.git('commit', '--quiet', '--message=rendered')
      writeGate(made.packages, 'v2.0.0', {scope: 'Namespaced'})
      const {status, stderr} = await made.run('upgrade', '--yes')
      expect({status, stderr}).toEqual({
        status: 5,
        stderr: expect.stringContaining(
          `${REGISTRY}/gate v1.0.0 -> v2.0.0: CustomResourceDefinition gates.example.org: the scope changes from "Cluster" to "Namespaced"`,
        ),
      })
    },
    120_000,
  )

  it('remember in which versions custom resources are stored', async () => {
    const made = repository({
      'crossplane-packages.yaml': `apiVersion: packages.kubectl-crossplane.dev/v1alpha1
kind: PackageDeclaration
packages:
- {package: ${REGISTRY}/gate, version: '>=v1.0.0'}
`,
    })
    writeGate(made.packages, 'v1.0.0', {versions: ['v1alpha1']})
    const rendered = await runCli(
      ...['package', 'render', '--declaration', made.at('crossplane-packages.yaml')],
      ...['--packages', made.packages, '--output-dir', made.at('packages')],
    )
    expect(rendered.status).toBe(0)
    made.git('add', '--all')
    made.git('commit', '--quiet', '--message=rendered')
    writeGate(made.packages, 'v2.0.0', {versions: ['v1', 'v1alpha1']})
    expect(await made.run('upgrade', '--yes')).toMatchObject({status: 0})
    expect(made.git('show', 'HEAD:crossplane-packages.lock')).toMatch(
      /gates\.example\.org:\s+- name: v1alpha1/,
    )
    writeGate(made.packages, 'v3.0.0')
    const {status, stderr} = await made.run('upgrade', '--yes')
    expect({status, stderr}).toEqual({status: 5, stderr: expect.stringContaining('v1alpha1')})
  }, 120_000)

  it('count files that cannot be read for the policy', async () => {
    const made = repository({
      'policy.yaml':
        'apiVersion: packages.kubectl-crossplane.dev/v1alpha1\nkind: Policy\ncontact: Team A\nreject: {crdChanges: [all]}\n',
      'crossplane-packages.yaml': `apiVersion: packages.kubectl-crossplane.dev/v1alpha1
kind: PackageDeclaration
policy: policy.yaml
packages:
- {package: ${REGISTRY}/gate, version: '>=v1.0.0'}
`,
    })
    writeTree(made.packages, {
      'example/gate@v1.0.0/crossplane.yaml':
        'apiVersion: meta.pkg.crossplane.io/v1\nkind: Provider\nmetadata: {name: gate}\n',
    })
    const rendered = await runCli(
      ...['package', 'render', '--declaration', made.at('crossplane-packages.yaml')],
      ...['--packages', made.packages, '--output-dir', made.at('packages')],
    )
    expect(rendered.status).toBe(0)
    const [file = ''] = readdirSync(made.at('packages/xpkgs')).filter(name => name.startsWith('provider'))
    made.write({
      [`packages/xpkgs/${file}`]: `<<<<<<< HEAD\n${readFileSync(made.at(`packages/xpkgs/${file}`), 'utf8')}`,
    })
    made.git('add', '--all')
    made.git('commit', '--quiet', '--message=merged')
    const {status, stderr} = await made.run('upgrade', '--yes')
    expect({status, stderr}).toEqual({status: 4, stderr: expect.stringContaining(file)})
  }, 120_000)
})
