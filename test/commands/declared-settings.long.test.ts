import {describe, expect, it} from '@jest/globals'
import fc from 'fast-check'
import {mkdtempSync, readFileSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {type CliResult, runCli} from '../run-cli.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'
import {owner, prefixed} from './locked-world.js'
import {declarationWith, type FieldAndFlag, SETTINGS} from './settings-as-flags.js'

const folder = temporaryFolder()
const PACKAGES = `- {package: example/app-press:v0.1.0, namespace: team-a}
- package: example/stack-starter
- crd: schedules.backup.example.org
`

/** Writes a declaration of the example's packages; returns the flags that select it. */
function declared(settings: readonly FieldAndFlag[]): readonly string[] {
  const root = writeTree(mkdtempSync(join(folder, 'declared-')), {
    'wanted.yaml': declarationWith(settings, PACKAGES),
  })
  return ['--declaration', join(root, 'wanted.yaml'), '--packages', 'examples/platform/packages']
}

/** Settings that make no difference to these packages: folders have no digest. */
const INVISIBLE = [
  'render.templatesFrom',
  'render.pin',
  'render.nonStructural',
  'render.allowCorePermissions',
  'assume',
]

const flagsOf = (settings: readonly FieldAndFlag[]) => settings.flatMap(({flags}) => flags)

/** The result of a command, without the folder of its declaration. */
async function resultOf(command: readonly string[], settings: readonly FieldAndFlag[]): Promise<CliResult> {
  const flags = declared(settings)
  const {stderr, ...result} = await runCli('package', ...command, ...flags)
  return {...result, stderr: stderr.replaceAll(dirname(flags[1] ?? ''), 'FOLDER')}
}

describe('a setting of a declaration', () => {
  it.each(SETTINGS)('renders as its flag: $field', async setting => {
    expect(await resultOf(['render'], [setting])).toEqual(await resultOf(['render', ...setting.flags], []))
  })

  it.each(SETTINGS.filter(({field}) => !INVISIBLE.includes(field)))(
    'is not ignored: $field',
    async setting => {
      expect(await resultOf(['render'], [setting])).not.toEqual(await resultOf(['render'], []))
    },
  )

  it('renders as its flag, whichever are fields and whichever are flags', async () => {
    // The others make the command fail here, as the tests above show.
    const successful = SETTINGS.filter(({field}) => field !== 'crossplaneVersion')
    const settings = fc.subarray([...successful])
    await fc.assert(
      fc.asyncProperty(settings, fc.integer({min: 0, max: SETTINGS.length}), async (chosen, at) => {
        const [fields, flags] = [chosen.slice(0, at), chosen.slice(at)]
        const mixed = await resultOf(['render', ...flagsOf(flags)], fields)
        expect(mixed).toEqual(await resultOf(['render', ...flagsOf(chosen)], []))
      }),
      {numRuns: 10},
    )
  })

  it.each(SETTINGS)('and its flag can both have one value: $field', async setting => {
    expect(await resultOf(['render', ...setting.flags], [setting])).toEqual(
      await resultOf(['render'], [setting]),
    )
  })

  it.each([
    ...SETTINGS.filter(({value}) => value === 'true').map(setting => ({...setting, value: 'false'})),
    {field: 'render.pin', value: 'true', flags: ['--no-pin-image']},
    {field: 'render.kubeVersion', value: '"1.16"', flags: ['--kube-version', '1.15']},
    {field: 'crossplaneVersion', value: 'v0.12', flags: ['--crossplane-version', 'none']},
    {field: 'assume', value: '[ys.y.example.org]', flags: ['--assume', 'zs.z.example.org/v1']},
  ])('and its flag are mutually exclusive with different values: $field', async setting => {
    const [flag = ''] = setting.flags
    const flags = declared([setting])
    const {status, stdout, stderr} = await runCli('package', 'render', ...flags, ...setting.flags)
    expect({status, stdout}).toEqual({status: 2, stdout: ''})
    const message = `${flag} and ${setting.field} in ${flags[1] ?? ''} are mutually exclusive`
    expect(stderr).toContain(message)
  })

  it.each([
    ...['lock', 'tree', 'outdated', 'pull'].map(command => ({command: [command]})),
    {command: ['why', 'example/stack-starter']},
  ])('decides in $command as its flag, beside which it can be', async ({command: [name = '', ...args]}) => {
    const settings = SETTINGS.filter(({field}) => ['crossplaneVersion', 'assume'].includes(field))
    const locked = join(mkdtempSync(join(folder, 'lock-')), 'a.lock')
    const isLocking = name === 'lock' || name === 'outdated'
    const files = isLocking ? ['--lock-file', locked] : []
    if (isLocking) expect(await resultOf(['lock', ...files], [])).toMatchObject({status: 0})
    if (name === 'lock') files.push('--dry-run')
    for (const setting of settings) {
      const by = await resultOf([name, ...args, ...files], [setting])
      expect(by).toEqual(await resultOf([name, ...args, ...files, ...setting.flags], []))
      const both = await resultOf([name, ...args, ...files, ...setting.flags], [setting])
      expect(both).toEqual(by)
    }
  })

  it('takes precedence over an environment variable', async () => {
    const [stacks] = SETTINGS
    const settings = stacks === undefined ? [] : [stacks]
    const plain = await resultOf(['render'], settings)
    const variables = {
      CROSSPLANE_API: 'packages',
      CROSSPLANE_KUBE_VERSION: '1.15',
      CROSSPLANE_VERSION: 'none',
    }
    const withVersions: readonly FieldAndFlag[] = [
      ...settings,
      {field: 'render.kubeVersion', value: '"1.36"', flags: []},
      {field: 'crossplaneVersion', value: 'v0.12', flags: []},
    ]
    Object.assign(process.env, variables)
    try {
      expect(await resultOf(['render'], withVersions)).toEqual(plain)
    } finally {
      for (const name of Object.keys(variables)) Reflect.deleteProperty(process.env, name)
    }
  })

  it('is part of the request hash of the lock, as its flag', async () => {
    const none = SETTINGS.filter(({field}) => field === 'assume')
    const hash = async (...args: readonly string[]) => {
      const locked = join(mkdtempSync(join(folder, 'lock-')), 'a.lock')
      expect(await runCli('package', 'lock', '--lock-file', locked, ...args)).toMatchObject({status: 0})
      return /requestHash: (\S+)/.exec(readFileSync(locked, 'utf8'))?.[1]
    }
    const byField = await hash(...declared(none))
    expect(byField).toBe(await hash(...declared([]), ...flagsOf(none)))
    expect(byField).not.toBe(await hash(...declared([])))
  })
})

describe('assumed CRDs of a declaration', () => {
  const world = (assume: string, files: Readonly<Record<string, string>>) =>
    writeTree(mkdtempSync(join(folder, 'assumed-')), {
      ...prefixed('packages/', owner('v1.0.0', 'as', 'v1', 'dependsOn: [{crd: zs.z.example.org/v1}]\n')),
      'platform/crossplane-packages.yaml': declarationWith(
        [{field: 'assume', value: assume, flags: []}],
        '- package: x/as\n',
      ),
      ...files,
    })
  const tree = (root: string) =>
    runCli(
      ...['package', 'tree', '--declaration', join(root, 'platform/crossplane-packages.yaml')],
      ...['--packages', join(root, 'packages')],
    )
  const CRD = (version: string) => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: zs.z.example.org}
spec:
  group: z.example.org
  scope: Cluster
  names: {plural: zs, kind: Z}
  versions:
  - {name: ${version}, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
`

  it.each<{name: string; assume: string; files: Record<string, string>; want: number}>([
    {name: 'a CRD', assume: '[zs.z.example.org]', files: {}, want: 0},
    {name: 'a file', assume: '[./crds/z.yaml]', files: {'platform/crds/z.yaml': CRD('v1')}, want: 0},
    {name: 'a file of a parent', assume: '[../z.yaml]', files: {'z.yaml': CRD('v1')}, want: 0},
    {name: 'another version', assume: '[./z.yaml]', files: {'platform/z.yaml': CRD('v2')}, want: 3},
    {name: 'no CRD', assume: '[]', files: {}, want: 3},
    {name: 'a missing file', assume: '[./z.yaml]', files: {'z.yaml': CRD('v1')}, want: 1},
  ])('satisfy requirements: $name', async ({assume, files, want}) => {
    expect(await tree(world(assume, files))).toMatchObject({status: want})
  })
})
