import {describe, expect, it} from '@jest/globals'
import {createHash} from 'node:crypto'
import {existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {Bench, expectDone} from '../checks/places.js'
import type {Authored} from '../checks/worlds.js'
import {runCli} from '../run-cli.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'
import {APP_YAML} from './locked-world.js'

const folder = temporaryFolder()
const API = 'apiVersion: packages.kubectl-crossplane.dev/v1alpha1\n'

interface Definition {
  readonly plural?: string
  readonly scope?: string
  readonly kind?: string
  readonly versions?: readonly string[]
  readonly fields?: string
}

/** A CRD whose first version is the stored one; those that begin with `-` are not served. */
function crd({
  plural = 'sizes',
  scope = 'Cluster',
  kind = 'Size',
  versions = ['v1', 'v1beta1'],
  fields = 'size: {type: string}, color: {type: string}',
}: Definition): string {
  const listed = versions.map(
    (version, index) =>
      `  - {name: ${version.replace('-', '')}, served: ${!version.startsWith('-')}, storage: ${index === 0}, schema: {openAPIV3Schema: {type: object, properties: {${fields}}}}}\n`,
  )
  return `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: ${plural}.x.example.org}
spec:
  group: x.example.org
  scope: ${scope}
  names: {plural: ${plural}, kind: ${kind}}
  versions:
${listed.join('')}`
}

/** An output folder of a package, and a command that renders a later version of it. */
async function world(fields: string) {
  const root = writeTree(mkdtempSync(join(folder, 'plans-')), {
    'app/.registry/app.yaml': `version: v1.0.0\n${APP_YAML}`,
    'app/.registry/resources/a.crd.yaml': crd({}),
    'policy.yaml': `${API}kind: Policy\n${fields}`,
  })
  const at = (path: string) => join(root, path)
  const render = (...more: readonly string[]) =>
    runCli(
      ...['package', 'render', at('app'), '--as-package', 'x/app:v1.0.0', '--cluster'],
      ...['--policy', at('policy.yaml'), '--output-dir', at('out'), ...more],
    )
  expect(await render()).toMatchObject({status: 0})
  const crdFile = readdirSync(at('out'), {recursive: true, encoding: 'utf8'}).find(path => /sizes/.test(path))
  return {
    at,
    render,
    rendered: () => readFileSync(at(`out/${crdFile ?? ''}`), 'utf8'),
    publish: (definition: Definition) => {
      writeTree(root, {'app/.registry/resources/a.crd.yaml': crd(definition)})
    },
  }
}

const CHANGES: readonly {change: string; to: Definition; text: string}[] = [
  {change: 'dropped', to: {plural: 'others'}, text: 'dropped'},
  {
    change: 'fields-pruned',
    to: {fields: 'size: {type: string}'},
    text: 'it accepts less in v1: color, v1beta1: color (fields-pruned)',
  },
  {change: 'names-changed', to: {kind: 'Dimension'}, text: 'names-changed'},
  {
    change: 'schema-narrowed',
    to: {fields: 'size: {type: string, maxLength: 3}, color: {type: string}'},
    text: 'it accepts less in v1: size, v1beta1: size (schema-narrowed)',
  },
  {change: 'scope-changed', to: {scope: 'Namespaced'}, text: 'scope-changed'},
  {
    change: 'stored-version-removed',
    to: {versions: ['v1beta1']},
    text: 'it loses v1 (stored-version-removed)',
  },
  {change: 'version-removed', to: {versions: ['v1']}, text: 'it loses v1beta1 (version-removed)'},
  {
    change: 'version-unserved',
    to: {versions: ['v1', '-v1beta1']},
    text: 'it no longer serves v1beta1 (version-unserved)',
  },
]

describe('reject.crdChanges for an output folder', () => {
  it.each(CHANGES)('rejects $change, and nothing else', async ({change, to, text}) => {
    const {render, publish, rendered} = await world(`contact: Team A\nreject:\n  crdChanges: [${change}]\n`)
    const before = rendered()
    for (const other of CHANGES.filter(one => one.change !== change && !isPartOf(one.change, change))) {
      publish(other.to)
      expect(await render('--dry-run')).toMatchObject({status: 0})
    }
    publish(to)
    for (const flags of [[], ['--dry-run']]) {
      const {status, stderr} = await render(...flags)
      expect({status, stderr}).toEqual({
        status: 4,
        stderr: expect.stringContaining(
          `policy.yaml:5: the plan: CustomResourceDefinition sizes.x.example.org: ${text} [policy-crd-change]`,
        ),
      })
      expect(stderr).toContain('cannot apply the plan: the policy ')
      expect(stderr).toContain('policy.yaml of Team A rejects it')
    }
    expect(rendered()).toBe(before)
  })

  /** The stored version is a version, too. */
  function isPartOf(one: string, other: string): boolean {
    return one === 'stored-version-removed' && other === 'version-removed'
  }

  it.each([
    {what: 'conflict markers', edit: (text: string) => `<<<<<<< HEAD\n${text}`},
    {
      what: 'bytes that are not UTF-8',
      edit: (text: string) => Buffer.concat([Buffer.from(text), Buffer.of(0xff)]),
    },
    {what: 'two CRDs', edit: (text: string) => `${text}---\n${text}`},
    {what: 'no name', edit: (text: string) => text.replace(/^ +name: sizes.*\n/m, '')},
  ])('rejects the change of a file with $what: what it had is unknown', async ({edit}) => {
    const {at, render, publish, rendered} = await world('reject: {crdChanges: [scope-changed]}\n')
    const [text, list] = [rendered(), readFileSync(at('out/.kubectl-crossplane/files.sha256'), 'utf8')]
    const hashOf = (content: string | Uint8Array) => createHash('sha256').update(content).digest('hex')
    const edited = edit(text)
    expect(Buffer.from(edited).equals(Buffer.from(text))).toBe(false)
    writeTree(at('out'), {
      '.kubectl-crossplane/files.sha256': list.replace(hashOf(text), hashOf(edited)),
    })
    writeFileSync(at('out/crds/sizes.x.example.org.yaml'), edited)
    for (const definition of [{}, {plural: 'others'}]) {
      publish(definition)
      expect(await render()).toMatchObject({
        status: 4,
        stderr: expect.stringMatching(
          /policy\.yaml:3: the plan: CustomResourceDefinition \S*sizes\.x\.example\.org\S*: its former content cannot be read \(unknown\) \[policy-crd-change\]/,
        ),
      })
    }
  })

  it.each(['crds', 'base'])('rejects dropped CRDs also with %s: external', async field => {
    const {at} = await world('reject: {crdChanges: [dropped]}\n')
    const declare = (more: string) =>
      writeTree(at('.'), {
        'crossplane-packages.yaml': `${API}kind: PackageDeclaration\npolicy: policy.yaml\n${more}packages:\n- {package: 'x/app:v1.0.0'}\n`,
        'packages/x/app@v1.0.0/.registry/app.yaml': `version: v1.0.0\n${APP_YAML}`,
        'packages/x/app@v1.0.0/.registry/resources/a.crd.yaml': crd({}),
      })
    const render = () =>
      runCli(
        ...['package', 'render', '--declaration', at('crossplane-packages.yaml')],
        ...['--packages', at('packages'), '--output-dir', at('tree')],
      )
    declare('')
    expect(await render()).toMatchObject({status: 0})
    declare(`${field}: external\n`)
    const name = field === 'crds' ? 'sizes.x.example.org' : 'packages.packages.crossplane.io'
    expect(await render()).toMatchObject({
      status: 4,
      stderr: expect.stringContaining(`CustomResourceDefinition ${name}: dropped [policy-crd-change]`),
    })
  })

  it('lets new CRDs and wider schemas pass', async () => {
    const {render, publish} = await world('reject: {crdChanges: [all]}\n')
    publish({
      versions: ['v1', 'v1beta1', 'v2'],
      fields: 'size: {type: string}, color: {type: string}, b: {type: string}',
    })
    expect(await render()).toMatchObject({status: 0})
  })

  it('names words that are none', async () => {
    const {status, stderr} = await runCli(
      ...[
        'package',
        'render',
        writeTree(mkdtempSync(join(folder, 'w-')), {'.registry/app.yaml': `version: v1.0.0\n${APP_YAML}`}),
      ],
      ...['--as-package', 'x/app:v1.0.0', '--policy'],
      join(
        writeTree(mkdtempSync(join(folder, 'p-')), {
          'p.yaml': `${API}kind: Policy\nreject: {crdChanges: [removed]}\n`,
        }),
        'p.yaml',
      ),
    )
    expect({status, stderr}).toEqual({
      status: 1,
      stderr: expect.stringContaining('"removed" is not one of dropped,'),
    })
  })
})

describe('reject.crdChanges for packages of a current Crossplane', () => {
  /** A lock and a tree of a package that stored v1, then v2, and then drops v1: objects can still be stored in it. */
  async function migrated() {
    const versions = [['v1'], ['v2', 'v1'], ['v2']].map((own, index): Authored => ({
      name: 'gate',
      tag: `v${index + 1}.0.0`,
      crds: [{plural: 'gates', versions: own}],
    }))
    const bench = new Bench(mkdtempSync(join(folder, 'xpkg-')), 'xpkg', {after: versions.slice(-1)})
    const upgrade = async (to: Authored) => {
      await bench.author([to])
      return await bench.lockFirst(...(existsSync(bench.lockFile) ? ['--upgrade'] : []))
    }
    bench.declare()
    for (const version of versions.slice(0, 2)) expectDone(await upgrade(version))
    expectDone(await bench.render())
    const tree = () =>
      readFileSync(join(dirname(bench.lockFile), 'packages/xpkgs/provider-example-gate.yaml'), 'utf8')
    return {bench, tree, upgrade: async () => await upgrade(versions[2]!)}
  }

  const REJECTS = {reject: {crdChanges: ['stored-version-removed']}}
  const LOST = 'gates.example.org: it loses v1 (stored-version-removed) [policy-crd-change]'

  it('leaves the lock as it is', async () => {
    const {bench, upgrade} = await migrated()
    bench.declare(REJECTS)
    const before = readFileSync(bench.lockFile, 'utf8')
    const {status, stderr} = await upgrade()
    expect({status, stderr}).toEqual({status: 4, stderr: expect.stringContaining(LOST)})
    expect(stderr).toContain('cannot write the lock: the policy ')
    expect(readFileSync(bench.lockFile, 'utf8')).toBe(before)
  })

  it('leaves a tree as it is, for a lock that was made without the policy', async () => {
    const {bench, tree, upgrade} = await migrated()
    const before = tree()
    expectDone(await upgrade())
    bench.declare(REJECTS)
    for (const flags of [[], ['--dry-run']]) {
      const {status, stderr} = await bench.render(...flags)
      expect({status, stderr}).toEqual({status: 4, stderr: expect.stringContaining(LOST)})
    }
    expect(tree()).toBe(before)
    bench.declare()
    expectDone(await bench.render())
    bench.declare(REJECTS)
    expect(await bench.render()).toMatchObject({status: 0})
  })

  it('rejects a request of a tree that cannot be read: it can have had any version', async () => {
    const {bench, tree, upgrade} = await migrated()
    expectDone(await upgrade())
    const home = dirname(bench.lockFile)
    const list = readFileSync(join(home, 'packages/.kubectl-crossplane/files.sha256'), 'utf8')
    const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')
    const edited = `<<<<<<< HEAD\n${tree()}`
    writeTree(join(home, 'packages'), {
      'xpkgs/provider-example-gate.yaml': edited,
      '.kubectl-crossplane/files.sha256': list.replace(hashOf(tree()), hashOf(edited)),
    })
    bench.declare(REJECTS)
    const {status, stderr} = await bench.render()
    expect({status, stderr}).toEqual({
      status: 4,
      stderr: expect.stringContaining('its former content cannot be read (unknown) [policy-crd-change]'),
    })
  })
})

describe('rules with plan', () => {
  it('are evaluated once for a plan, and never without one', async () => {
    const {render, publish, at} = await world(
      `rules:\n- name: one-at-a-time\n  expression: plan.target == "folder" && plan.operations.filter(o, o.action == "replace").size() < 1\n  messageExpression: |\n    "replaces " + plan.operations.filter(o, o.action == "replace").map(o, o.object).join(", ")\n`,
    )
    publish({fields: 'size: {type: string}'})
    const {status, stderr} = await render()
    expect({status, stderr}).toEqual({
      status: 4,
      stderr: expect.stringMatching(
        /policy\.yaml:4: the plan: replaces CustomResourceDefinition sizes\.x\.example\.org.* \[policy\/one-at-a-time\]/,
      ),
    })
    expect(existsSync(at('out'))).toBe(true)
    const printed = await runCli(
      ...['package', 'render', at('app'), '--as-package', 'x/app:v1.0.0', '--policy', at('policy.yaml')],
    )
    expect(printed).toMatchObject({status: 0})
    const linted = await runCli('package', 'lint', at('app'), '--policy', at('policy.yaml'))
    expect(linted.stdout + linted.stderr).not.toContain('one-at-a-time')
  })

  it('are evaluated for each package if they name other variables', async () => {
    const {render, publish} = await world(
      `rules:\n- name: ours\n  expression: |\n    pkg.repository.startsWith("docker.io/y/") || plan.crds.all(c, !("fields-pruned" in c.changes))\n  message: prunes\n`,
    )
    publish({fields: 'size: {type: string}'})
    expect(await render()).toMatchObject({
      status: 4,
      stderr: expect.stringMatching(/policy\.yaml:4: x\/app:v1\.0\.0: prunes \[policy\/ours\]/),
    })
  })

  it.each([
    {
      expression: 'plan.crd.size() == 0',
      want: /plan has no field crd: its fields are target, operations, crds/,
    },
    {
      expression: 'plan.crds.all(c, c.change.size() == 0)',
      want: /c has no field change: its fields are name, changes,/,
    },
  ])('are compiled before anything is rendered: $expression', async ({expression, want}) => {
    const {at} = await world('')
    writeTree(at('.'), {
      'policy.yaml': `${API}kind: Policy\nrules:\n- name: typo\n  expression: ${expression}\n`,
    })
    const {status, stderr} = await runCli(
      ...['package', 'render', at('app'), '--as-package', 'x/app:v1.0.0', '--policy', at('policy.yaml')],
    )
    expect({status, stderr}).toEqual({status: 1, stderr: expect.stringMatching(want)})
  })

  it('are tested with plan.yaml', async () => {
    const root = writeTree(mkdtempSync(join(folder, 'tests-')), {
      'policy.yaml': `${API}kind: Policy\nreject: {crdChanges: [dropped]}\nrules:\n- name: few\n  expression: plan.operations.size() < 2\n`,
      'two/plan.yaml':
        'target: cluster\noperations: [{action: apply}, {action: apply}]\ncrds: [{name: a.example.org, changes: [dropped]}]\n',
      'one/plan.yaml': 'operations: [{action: delete, object: Deployment a/b}]\n',
      'bad/plan.yaml': '[]\n',
      'test.yaml': `${API}kind: PolicyTest\npolicy: policy.yaml\ncases:\n- {name: two, folder: two, expect: denied, rules: [policy-crd-change, policy/few]}\n- {name: one, folder: one, expect: allowed}\n`,
      'bad.yaml': `${API}kind: PolicyTest\npolicy: policy.yaml\ncases:\n- {name: bad, folder: bad, expect: denied}\n`,
    })
    const {status, stdout} = await runCli('policy', 'test', join(root, 'test.yaml'))
    expect({status, stdout}).toEqual({status: 0, stdout: expect.stringContaining('2 passed, 0 failed')})
    expect(await runCli('policy', 'test', join(root, 'bad.yaml'))).toMatchObject({
      status: 7,
      stderr: expect.stringContaining('plan is not a map'),
    })
  })
})
