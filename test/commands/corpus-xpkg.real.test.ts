import {beforeAll, expect, it} from '@jest/globals'
import {cpSync, existsSync, mkdirSync, writeFileSync} from 'node:fs'
import {basename, join} from 'node:path'
import {CORPUS_ROOT, corpusEntries, describeCorpus} from '../corpus.js'
import {runCli} from '../run-cli.js'
import {temporaryFolder} from '../temporary-folder.js'

const root = temporaryFolder()
const PACKAGES = join(root, 'packages')
const OWNER = 'xpkg.upbound.io/example'
const offline = ['--packages', PACKAGES, '--offline']
const names = corpusEntries('corpus-xpkg').filter(name => name.includes('@'))

/** The dependencies of real packages are in two organizations. */
const OWNERS = ['upbound', 'crossplane-contrib', 'example']

/** Copies the packages as `PATH@VERSION`, without what belongs to other programs. */
function copyPackages(): void {
  for (const owner of OWNERS)
    for (const name of names)
      cpSync(join(CORPUS_ROOT, 'corpus-xpkg', name), join(PACKAGES, owner, name), {
        recursive: true,
        filter: path => !['auth.yaml', 'kustomize'].includes(basename(path)),
      })
  mkdirSync(join(PACKAGES, 'crossplane'), {recursive: true})
  const of2020 = 'provider-gcp@v0.11.0'
  cpSync(join(CORPUS_ROOT, 'corpus', of2020), join(PACKAGES, 'crossplane', of2020), {recursive: true})
}

const run = async (command: string, ...args: readonly string[]) =>
  await runCli('package', command, ...args, ...offline)

/** Packages that require what the corpus lacks, and the exit code for them: 1 if it is not read, 3 if no version fits. */
const INCOMPLETE: ReadonlyMap<string, number> = new Map([
  ['configuration-aws-eks@v0.15.0', 3],
  ['configuration-aws-eks@v0.16.0', 1],
  ['configuration-aws-network@v0.22.0', 3],
  ['platform-ref-aws@v1.3.0', 3],
  ['platform-ref-aws@v1.4.0', 1],
])

describeCorpus('commands with each real package for a current Crossplane', () => {
  beforeAll(copyPackages)

  it.each(names)('%s', async name => {
    const [repository = '', tag = ''] = `${OWNER}/${name}`.split('@')
    const reference = `${repository}:${tag}`
    const request = `example-${name.slice(0, name.indexOf('@'))}`
    const local = join(PACKAGES, 'example', name)

    const inspected = await run('inspect', reference, '-o', 'json')
    expect(JSON.parse(inspected.stdout)).toMatchObject({kind: 'XpkgReport', package: {installsAs: request}})
    expect(await run('lint', local)).toMatchObject({status: 0})
    const versions = await run('versions', repository, '-o', 'name')
    expect(versions).toMatchObject({status: 0, stderr: '', stdout: expect.stringContaining(`${reference}\n`)})

    const status = INCOMPLETE.get(name) ?? 0
    const [tree, rendered] = [await run('tree', reference), await run('render', reference, '-o', 'name')]
    expect([tree.status, rendered.status]).toEqual([status, status])
    const shown = status === 0 ? [tree.stdout, rendered.stdout] : [tree.stderr, rendered.stderr]
    const [inTree, inSet] = status === 0 ? [reference, `/${request}\n`] : ['Try: ', 'Try: ']
    expect(shown).toEqual([expect.stringContaining(inTree), expect.stringContaining(inSet)])
  })
})

/** Each package of the corpus and its next version there. */
const neighbors = names.flatMap((name, index) => {
  const next = names[index + 1]
  return next?.split('@')[0] === name.split('@')[0] ? [[name, next] as const] : []
})

describeCorpus('real packages and their next version', () => {
  beforeAll(() => {
    if (!existsSync(PACKAGES)) copyPackages()
  })

  it.each(neighbors)('%s and %s are compared', async (before, after = '') => {
    const references = [before, after].map(name => `${OWNER}/${name.replace('@', ':')}`)
    const {status, stdout, stderr} = await run('compare', ...references, '-o', 'json')
    const {totals, unread} = JSON.parse(stdout) as {totals: {breaking: number}; unread: readonly unknown[]}
    expect({stderr, unread, status}).toEqual({stderr: '', unread: [], status: totals.breaking > 0 ? 1 : 0})
  })
})

const DECLARATION = `apiVersion: packages.kubectl-crossplane.dev/v1alpha1
kind: PackageDeclaration
coreVersion: v2.3.4
packages:
- package: crossplane/provider-gcp:v0.11.0
  namespace: gcp
- package: xpkg.upbound.io/upbound/configuration-aws-network:v0.23.0
- package: xpkg.upbound.io/upbound/provider-helm
  version: v0
`
const FAMILY = 'xpkg.upbound.io/upbound/provider-family-aws'

describeCorpus('real packages of both formats in one declaration', () => {
  const declaration = join(root, 'crossplane-packages.yaml')
  const declared = async (command: string, ...args: readonly string[]) =>
    await run(command, ...args, '--declaration', declaration)

  beforeAll(async () => {
    if (!existsSync(PACKAGES)) copyPackages()
    writeFileSync(declaration, DECLARATION)
    expect(await declared('lock')).toMatchObject({status: 0})
  })

  it('are drawn, rendered, written and checked from one lock', async () => {
    const tree = await declared('tree')
    expect(tree).toMatchObject({status: 0})
    expect(tree.stdout).toContain(`Provider ${FAMILY}:v2.6.0 (>= 0.0.0)`)
    expect(tree.stdout).toContain('crossplane/provider-gcp:v0.11.0 in gcp/crossplane-provider-gcp')
    const rendered = await declared('render', '--locked', '-o', 'name')
    expect(rendered.stdout.split('\n')).toEqual(
      expect.arrayContaining([
        'provider.pkg.crossplane.io/upbound-provider-helm',
        'package.packages.crossplane.io/crossplane-provider-gcp',
      ]),
    )
    const output = join(root, 'rendered')
    expect(await declared('render', '--locked', '--output-dir', output)).toMatchObject({status: 0})
    expect(await declared('check', '--output-dir', output)).toMatchObject({status: 0})
  })

  it.each([
    {
      command: 'why',
      args: [FAMILY],
      want: `${FAMILY}:v2.6.0 would be installed as upbound-provider-family-aws`,
    },
    {command: 'why', args: ['vpcs.ec2.aws.upbound.io'], want: 'upbound/provider-aws-ec2:v1.23.0 would be'},
    {
      command: 'why',
      args: ['buckets.storage.gcp.crossplane.io'],
      want: 'crossplane/provider-gcp:v0.11.0 would',
    },
    {command: 'outdated', args: [], want: 'HELD BACK'},
    {command: 'pull', args: [], want: ''},
  ])('$command $args', async ({command, args, want}) => {
    const {status, stdout} = await declared(command, ...args)
    expect({status, stdout}).toEqual({status: 0, stdout: expect.stringContaining(want)})
  })

  it('provide their kinds', async () => {
    const {stdout} = await run('provides', 'releases.helm.crossplane.io', '-o', 'name')
    expect(stdout.split('\n')).toEqual(
      expect.arrayContaining(['upbound/provider-helm:v0.20.4', 'upbound/provider-helm:v1.4.0']),
    )
  })
})
