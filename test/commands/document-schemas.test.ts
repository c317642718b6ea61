import {describe, expect, it} from '@jest/globals'
import {readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {EXIT_CODES} from '../../src/cli/shell/exit-code.js'
import {readYaml} from '../../src/yaml/read-yaml.js'
import {type JsonSchema, schemaOf, schemaViolations, undescribed} from '../json-schema.js'
import {present} from '../outcome.js'
import {runCli} from '../run-cli.js'
import {writeTree} from '../temporary-folder.js'
import {documentOf, IndexedWorlds} from './indexed-world.js'
import {APP_YAML, locked, owner, prefixed} from './locked-world.js'

const FOLDER = 'docs/schemas'
const FILES = readdirSync(FOLDER).filter(name => name.endsWith('.json'))
const schemaIn = (file: string) => JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as JsonSchema

const worlds = new IndexedWorlds()

/** A folder as kubebuilder makes it, with a controller that has arguments. */
function project(): string {
  return worlds.tree({
    'config/crd/bases/a.yaml': Object.values(owner('v1', 'as', 'v1'))[1] ?? '',
    'config/manager/manager.yaml': `apiVersion: apps/v1
kind: Deployment
metadata: {name: manager}
spec: {template: {spec: {containers: [{name: manager, image: "x:v1", args: [--leader-elect]}]}}}
`,
  })
}

/** Everything newer, one package held back, one that cannot be read, and one version that is accepted. */
async function world() {
  const made = await locked()
  made.publish()
  writeTree(
    made.root,
    prefixed('packages/', {
      ...owner('v3.0.0', 'cs', 'v3'),
      'x/broken@v1.0.0/.registry/app.yaml': 'title: 5\n',
      'x/odd@v1.0.0/.registry/app.yaml': `version: v1.0.0\n${APP_YAML}dependsOn: [{crd: bs.x.example.org/v9}, {package: x/odd}, {crd: "*.core.crossplane.io/v1alpha1"}]\n`,
    }),
  )
  return made
}

describe('the schemas of documents that commands print', () => {
  it.each([
    {name: 'dependency-tree', kind: 'a tree', in: ['tree']},
    {name: 'dependency-tree', kind: 'a tree of one level', in: ['tree', '--depth', '0']},
    {name: 'dependency-tree', kind: 'a tree of what is there', in: ['tree', '--assume', 'as.x.example.org']},
    {
      name: 'dependency-tree',
      kind: 'a tree with an unsatisfied requirement',
      in: ['tree', '--owner', 'x.example.org=x/nobody'],
    },
    {name: 'install-reasons', kind: 'reasons', in: ['why', 'x/cs']},
    {name: 'lock-changes', kind: 'an upgrade', in: ['lock', '--upgrade', 'x/as', '--upgrade', 'x/bs']},
    {name: 'lock-changes', kind: 'a first lock', in: ['lock', '--lock-file', 'FIRST']},
    {name: 'plan', kind: 'a plan of a lock', in: ['lock', '--upgrade', 'x/as', '--dry-run']},
    {name: 'plan', kind: 'a plan of a folder', in: ['render', '--output-dir', 'FOLDER', '--dry-run']},
    {name: 'outdated-packages', kind: 'what is outdated', in: ['outdated']},
  ])('$name validates $kind', async ({name, in: [command = '', ...args]}) => {
    const made = await world()
    const places = new Map([
      ['FIRST', made.at('first.lock')],
      ['FOLDER', made.at('deploy')],
    ])
    const given = args.map(each => places.get(each) ?? each)
    const {stdout} = await runCli(
      ...['package', command, ...given, '--declaration', made.at('wanted.yaml')],
      ...['--packages', made.at('packages'), '-o', 'json'],
    )
    expect(schemaViolations(schemaOf(name), JSON.parse(stdout))).toEqual([])
  })

  it.each(['*.x.example.org', 'as.x.example.org/v1', 'a.b.org'])('providers validates %s', async crd => {
    const packages = (await world()).at('packages')
    const {stdout} = await runCli('package', 'provides', crd, '--packages', packages, '-o', 'json')
    const document = JSON.parse(stdout) as {unreadable: unknown[]}
    expect(document.unreadable).toHaveLength(1)
    expect(schemaViolations(schemaOf('providers'), document)).toEqual([])
  })

  it.each(['./examples/broken', './test/testdata/packages/cli-database'])(
    'lint-report validates %s',
    async folder => {
      const {stdout} = await runCli('package', 'lint', folder, '-o', 'json')
      expect(schemaViolations(schemaOf('lint-report'), JSON.parse(stdout))).toEqual([])
    },
  )

  it.each([
    {name: 'a new package', flags: [], notes: 0},
    {name: 'a project whose arguments are left out', flags: ['--from-crds', 'config/crd'], notes: 1},
  ])('init-report validates $name', async ({flags, notes}) => {
    const folder = project()
    const given = flags.map(each => each.replace('config', join(folder, 'config')))
    const {stdout} = await runCli('package', 'init', join(folder, 'new'), ...given, '-o', 'json')
    const document = JSON.parse(stdout) as {readonly notes: readonly unknown[]}
    expect(schemaViolations(schemaOf('init-report'), document)).toEqual([])
    expect(document.notes).toHaveLength(notes)
  })

  it('index-compaction validates an index with an unreadable part', async () => {
    const indexed = await worlds.filled()
    const gears = present(indexed.server.contents.repository('team/gears'))
    const manifest = present(gears.manifest('v1.0.0'))
    for (let patch = 1; patch < 40; patch += 1) gears.putManifest(`v1.0.${patch}`, manifest)
    await indexed.index('rebuild', `${indexed.server.host}/team/gears`, '--index', indexed.root)
    // Publishers write snapshots, too: these are gone.
    const index = present(indexed.server.contents.repository('all/index/gears.example.org'))
    for (const tag of index.tags.keys()) if (tag.startsWith('snapshot')) index.tags.delete(tag)
    const compact = () => runCli('registry', 'index', 'compact', '--index', indexed.root, '-o', 'json')
    const whole = documentOf(await compact())
    indexed.server.contents.remove('all/index/gears.example.org')
    const part = documentOf(await compact())
    expect([whole, part].flatMap(each => schemaViolations(schemaOf('index-compaction'), each))).toEqual([])
    expect([whole.compacted, part.warnings]).not.toContainEqual([])
  })

  it.each([
    {name: 'a usage error', in: ['package', 'render', './x', '--ouput-dir', 'x']},
    {name: 'a package with diagnostics', in: ['package', 'render', './examples/broken']},
    {name: 'a package that does not exist', in: ['package', 'inspect', './no-such-folder']},
    {name: 'an error with a subject', in: ['package', 'tree', 'x/a', '--packages', 'examples', '--offline']},
  ])('error validates $name', async ({in: argv}) => {
    const {stdout, stderr} = await runCli(...argv, '-o', 'json')
    expect({stdout, violations: schemaViolations(schemaOf('error'), JSON.parse(stderr))}).toEqual({
      stdout: '',
      violations: [],
    })
  })

  it('error lists every code', () => {
    const codes = (schemaOf('error').properties?.code as {readonly enum: readonly string[]}).enum
    expect([...codes].sort()).toEqual([...Object.keys(EXIT_CODES), 'internal'].sort())
  })

  it('package-lock validates a lock with all fields', async () => {
    const made = await world()
    const declaration = writeTree(made.at('odd'), {
      'odd.yaml':
        'apiVersion: packages.kubectl-crossplane.dev/v1alpha1\nkind: PackageDeclaration\npackages:\n- package: x/odd\n- crd: as.x.example.org\n',
    })
    const {status} = await runCli(
      ...['package', 'lock', '--declaration', join(declaration, 'odd.yaml')],
      ...['--packages', made.at('packages'), '--allow-version-mismatch'],
    )
    const [document] = readYaml(readFileSync(join(declaration, 'odd.lock')), 'odd.lock')
    expect({status, violations: schemaViolations(schemaOf('package-lock'), document?.value)}).toEqual({
      status: 0,
      violations: [],
    })
    // Packages for a current Crossplane, their moves and accepted effects have suites of their own.
    const others = {xpkgs: {}, moving: [], acceptedImpacts: {}}
    expect(Object.keys({...(document?.value as object), ...others}).sort()).toEqual(
      Object.keys(schemaOf('package-lock').properties ?? {}).sort(),
    )
  })

  it('package-lock validates a golden lock, and rejects an invalid one', () => {
    const text = readFileSync('test/testdata/golden/lock.yaml', 'utf8')
    const violations = (yaml: string) =>
      schemaViolations(schemaOf('package-lock'), readYaml(Buffer.from(yaml), 'a.lock')[0]?.value)
    expect(violations(text)).toEqual([])
    expect(violations(text.replace('mode: auto', 'mode: perhaps'))).toEqual([
      '$.packages.example/provider-cloud.installs.crossplane-system/example-provider-cloud.mode: is none of requested, auto',
    ])
    expect(violations(text.replace('  requirer:', '  other:'))).toEqual([
      '$.acceptedMismatches[1].other: is not in the schema',
    ])
  })

  it.each(FILES)('%s describes every name, and its ID is its file name', file => {
    const schema = schemaIn(file) as JsonSchema & {readonly $id: string}
    expect({undescribed: undescribed(schema), id: schema.$id}).toEqual({
      undescribed: [],
      id: `https://packages.kubectl-crossplane.dev/schemas/${file}`,
    })
  })

  it.each(FILES.filter(file => schemaIn(file).properties !== undefined))(
    '%s is listed if it describes one document',
    file => {
      const listed = readFileSync(join(FOLDER, 'README.md'), 'utf8')
      expect(listed).toContain(`| [${schemaIn(file).title ?? ''}](${file}) |`)
    },
  )
})
