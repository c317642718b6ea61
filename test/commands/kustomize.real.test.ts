import {describe, expect, it} from '@jest/globals'
import {existsSync, readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {asObject, asText, type JsonValue} from '../../src/yaml/json-value.js'
import {corpusEntries, describeCorpus} from '../corpus.js'
import {missingTool} from '../missing-tool.js'
import {describeReal} from '../real-parts.js'
import {runCli} from '../run-cli.js'
import {runProgram} from '../run-program.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'
import {BLOG, TEMPLATE} from './fixtures.js'
import {identityOf, objectsIn} from './printed-objects.js'
import {realPackage} from './some-packages.js'

describeReal('kubectl kustomize builds an output folder', missingTool('kubectl'), () => {
  const temporary = temporaryFolder()

  /** What is printed and what kustomize makes of the folder, by identity: kustomize has an order of its own. */
  async function printedAndBuilt(
    name: string,
    args: readonly string[],
  ): Promise<readonly [unknown, unknown]> {
    const folder = join(temporary, name.replace('@', '-'))
    const printed = await runCli('package', 'render', ...args)
    await runCli('package', 'render', ...args, '--output-dir', folder)
    const {status, stdout, stderr} = await runProgram('kubectl', ['kustomize', folder], {
      env: {HOME: temporary},
    })
    expect({status, stderr}).toEqual({status: 0, stderr: ''})
    return [byIdentity(printed.stdout), byIdentity(stdout)]
  }

  it.each([
    {
      name: 'a Namespaced package',
      in: [...BLOG, '--with-package-api', '--create-namespace', '--include-request'],
    },
    {name: 'a template stack', in: [...TEMPLATE, '--api', 'stacks', '--with-package-api']},
  ])('$name', async ({name, in: args}) => {
    const [printed, built] = await printedAndBuilt(name, args)
    expect(built).toEqual(printed)
  })

  /** The identities of the objects that controllers apply, and of those that are printed. */
  async function appliedAndPrinted(name: string, args: readonly string[], layout: readonly string[]) {
    const folder = join(temporary, `${layout.join('-').replace(/[^a-z-]/g, '')}-${name}`.replace('@', '-'))
    const included = ['--with-package-api', '--create-namespace'].filter(flag => !args.includes(flag))
    const printed = await runCli('package', 'render', ...args, ...included)
    await runCli('package', 'render', ...args, '--output-dir', folder, ...layout)
    const applied: unknown[] = []
    for (const path of partsOf(folder)) {
      const objects = objectsIn(await builtAsByController(join(folder, path)))
      applied.push(...objects.map(identityOf))
    }
    return [applied.sort(), objectsIn(printed.stdout).map(identityOf).sort()] as const
  }

  it('with an overlay that check does not report', async () => {
    const declared = (runtime: string) => `apiVersion: packages.kubectl-crossplane.dev/v1alpha1
kind: PackageDeclaration
packages:
- package: example/provider-cloud:v0.11.0
  runtime: ${runtime}
`
    const [, overlay = ''] =
      /(# overlay\/kustomization.yaml\n.*?)```/s.exec(readFileSync('docs/rendering.md', 'utf8')) ?? []
    const files = {
      'a/crossplane-packages.yaml': declared('{replicas: 3}'),
      'a/overlay/kustomization.yaml': overlay,
    }
    const root = join(writeTree(temporary, files), 'a')
    const place = ['--declaration', join(root, 'crossplane-packages.yaml')]
    const packages = ['--packages', 'examples/platform/packages']
    const run = (...args: readonly string[]) => runCli('package', ...args, ...place, ...packages)
    const check = async () => await run('check', '--output-dir', join(root, 'deploy'))
    expect(await run('lock')).toMatchObject({status: 0})
    expect(await run('render', '--output-dir', join(root, 'deploy'))).toMatchObject({status: 0})
    const {stdout} = await runProgram('kubectl', ['kustomize', join(root, 'overlay')], {
      env: {HOME: temporary},
    })
    const deployment = objectsIn(stdout).find(({kind}) => kind === 'Deployment')
    expect(deployment).toMatchObject({
      spec: {replicas: 3, template: {spec: {priorityClassName: 'system-cluster-critical'}}},
    })
    expect(await check()).toMatchObject({status: 0, stdout: ''})
    writeTree(temporary, {'a/crossplane-packages.yaml': declared('{replicas: 4}')})
    const {status, stdout: drift} = await check()
    expect(status).toBe(1)
    expect(drift).toMatch(/- {2}replicas: 3\n\+ {2}replicas: 4\n/)
  })

  /** The folders that the controller applies, each by itself. */
  function partsOf(folder: string): readonly string[] {
    const parts = ['flux/kustomizations', 'argocd/applications']
      .map(path => join(folder, path))
      .filter(existsSync)
      .flatMap(path => readdirSync(path).map(name => readFileSync(join(path, name), 'utf8')))
      .flatMap(text => objectsIn(text))
      .map(each => asObject((each as {readonly spec?: JsonValue}).spec))
    return parts.map(({path, source}) => asText(path ?? asObject(source).path))
  }

  /** A folder without a kustomization is scanned. */
  async function builtAsByController(folder: string): Promise<string> {
    if (!existsSync(join(folder, 'kustomization.yaml'))) {
      return readdirSync(folder)
        .map(name => readFileSync(join(folder, name), 'utf8'))
        .join('---\n')
    }
    const {status, stdout, stderr} = await runProgram('kubectl', ['kustomize', folder], {
      env: {HOME: temporary},
    })
    expect({folder, status, stderr}).toEqual({folder, status: 0, stderr: ''})
    return stdout
  }

  describe.each([
    {name: 'Flux', layout: ['--layout', 'flux']},
    {name: 'Argo CD', layout: ['--layout', 'argocd', '--repo-url', 'https://git.example.org/a']},
  ])('in the layout for $name', ({layout}) => {
    it.each([
      {
        name: 'a Namespaced package',
        in: [...BLOG, '--with-package-api', '--create-namespace', '--include-request'],
      },
      {name: 'a template stack', in: [...TEMPLATE, '--api', 'stacks', '--with-package-api']},
    ])('$name', async ({name, in: args}) => {
      const [applied, printed] = await appliedAndPrinted(name, args, layout)
      expect(applied).toEqual(printed)
    })

    describeCorpus('of real packages', () => {
      it.each(corpusEntries('corpus').filter(name => name.includes('@')))('%s', async tree => {
        const {folder, flags} = realPackage(tree)
        const [applied, printed] = await appliedAndPrinted(tree, [folder, ...flags], layout)
        expect(applied).toEqual(printed)
      })
    })
  })

  describeCorpus('of real packages', () => {
    it.each(corpusEntries('corpus').filter(name => name.includes('@')))('%s', async tree => {
      const {folder, flags} = realPackage(tree)
      const [printed, built] = await printedAndBuilt(tree, [folder, ...flags])
      expect(built).toEqual(printed)
    })
  })
})

function byIdentity(stream: string): Readonly<Record<string, unknown>> {
  const objects = objectsIn(stream)
  const keyed = Object.fromEntries(objects.map(object => [identityOf(object), object]))
  expect(Object.keys(keyed).length).toBe(objects.length)
  return keyed
}
