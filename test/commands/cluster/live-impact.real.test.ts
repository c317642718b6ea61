import {afterAll, beforeAll, expect, it} from '@jest/globals'
import {join} from 'node:path'
import {crdsOfXrd} from '../../../src/xpkg/content/xrd-crds.js'
import {asObject, type JsonObject} from '../../../src/yaml/json-value.js'
import {describeCluster} from '../../cluster/describe-cluster.js'
import {accepted, createServed} from '../../cluster/kube.js'
import {runCli} from '../../run-cli.js'
import {setVariable} from '../../set-variable.js'
import {temporaryFolder, writeTree} from '../../temporary-folder.js'
import {IDLE, LIVE_CASES, type LiveCase} from './live-impact-cases.js'

const folder = temporaryFolder()
const before = process.env.KUBECONFIG

/** A CRD of the time before `apiextensions.k8s.io/v1`. */
function ofV1beta1(crd: JsonObject): JsonObject {
  const spec = {...asObject(crd.spec), preserveUnknownFields: false}
  return {...crd, apiVersion: 'apiextensions.k8s.io/v1beta1', spec}
}

/** Writes a package with definitions, and returns its folder. */
function written(
  format: 'xpkg' | 'stack',
  {name, of = 'Provider'}: LiveCase,
  documents: readonly JsonObject[],
  tag: string,
): string {
  const at = join(folder, `${name.replaceAll(' ', '-')}-${format}-${tag}`)
  const meta = {
    ...{apiVersion: 'meta.pkg.crossplane.io/v1', kind: of, metadata: {name: 'a'}},
    spec: of === 'Provider' ? {capabilities: ['safe-start']} : {},
  }
  const files = documents.map((document, index): [string, string] =>
    format === 'xpkg'
      ? [`${index}.yaml`, JSON.stringify(document)]
      : [`.registry/resources/${index}.crd.yaml`, JSON.stringify(ofV1beta1(document))],
  )
  const own: [string, string] =
    format === 'xpkg'
      ? ['crossplane.yaml', JSON.stringify(meta)]
      : ['.registry/app.yaml', 'title: App\npermissionScope: Cluster\n']
  return writeTree(at, Object.fromEntries([own, ...files]))
}

/** Each of these verdicts fails. */
function resultOf(verdicts: readonly string[]) {
  return {status: verdicts.length === 0 ? 0 : 1, verdicts: [...verdicts].sort()}
}

interface Finding {
  readonly verdict: string
  readonly path: string
  readonly object?: {readonly kind: string}
}

describeCluster('current', 'an upgrade is judged by the objects of a cluster', cluster => {
  beforeAll(() => {
    process.env.KUBECONFIG = cluster().kubeconfig
  })
  afterAll(() => setVariable('KUBECONFIG', before))

  async function impact(sides: readonly string[], ...objects: readonly string[]) {
    const {status, stdout, stderr} = await runCli(
      'package',
      'impact',
      ...sides,
      ...objects,
      '--output',
      'json',
    )
    if (stdout === '') throw new Error(stderr)
    const {findings} = JSON.parse(stdout) as {findings: readonly Finding[]}
    const verdicts = findings.map(({verdict, path, object}) =>
      `${object?.kind ?? ''} ${verdict} ${path}`.trim(),
    )
    return {status, verdicts: verdicts.sort()}
  }

  it.each(LIVE_CASES)(
    'as by the files: $name',
    async one => {
      const {kube} = cluster()
      const served = one.old.flatMap(document =>
        document.kind === 'CustomResourceDefinition' ? [document] : crdsOfXrd(document),
      )
      for (const crd of served) accepted(await kube.create(crd))
      for (const object of one.objects) await createServed(kube, object)
      const list = {apiVersion: 'v1', kind: 'List', items: one.objects}
      const name = `${one.name.replaceAll(' ', '-')}.json`
      writeTree(folder, {[name]: JSON.stringify(list)})
      const isCrd = one.old.every(({kind}) => kind === 'CustomResourceDefinition')
      for (const format of isCrd ? (['xpkg', 'stack'] as const) : (['xpkg'] as const)) {
        const sides = [
          '--old',
          written(format, one, one.old, 'old'),
          '--new',
          written(format, one, one.now, 'new'),
        ]
        const files = await impact(sides, '--objects', join(folder, name))
        const live = await impact(sides, '--context', 'test')
        expect({format, files, live}).toEqual({
          ...{format, files: resultOf(one.want)},
          live: resultOf(one.live ?? one.want),
        })
      }
    },
    120_000,
  )

  it('as by the files: a kind is no longer active', async () => {
    const {kube} = cluster()
    const [definition, object] = IDLE
    accepted(await kube.create(definition))
    await createServed(kube, object)
    const repository = 'registry.example.org/team/idle'
    const meta = {apiVersion: 'meta.pkg.crossplane.io/v1', kind: 'Provider', metadata: {name: 'idle'}}
    const home = writeTree(join(folder, 'home'), {
      'packages/team/idle@v1.0.0/crossplane.yaml': JSON.stringify(meta),
      'packages/team/idle@v2.0.0/crossplane.yaml': JSON.stringify({
        ...{...meta, spec: {capabilities: ['safe-start']}},
      }),
      ...Object.fromEntries(
        ['v1.0.0', 'v2.0.0'].map(tag => [`packages/team/idle@${tag}/crd.yaml`, JSON.stringify(definition)]),
      ),
      'object.json': JSON.stringify(object),
      'crossplane-packages.yaml': `apiVersion: packages.kubectl-crossplane.dev/v1alpha1
kind: PackageDeclaration
coreVersion: v2.3.4
xpkg: {activate: [others.example.org]}
packages: [{package: '${repository}:v1.0.0'}]
`,
    })
    const at = ['--declaration', join(home, 'crossplane-packages.yaml'), '--packages', join(home, 'packages')]
    const locked = await runCli('package', 'lock', ...at)
    expect({status: locked.status, stderr: locked.stderr}).toMatchObject({status: 0})
    const upgrade = [`${repository}:v2.0.0`, ...at]
    const want = resultOf(['Idle unserved'])
    expect(await impact(upgrade, '--objects', join(home, 'object.json'))).toEqual(want)
    expect(await impact(upgrade, '--context', 'test')).toEqual(want)
  }, 120_000)
})
