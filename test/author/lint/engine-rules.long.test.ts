import {afterAll, describe, expect, it, jest} from '@jest/globals'
import {mkdtempSync} from 'node:fs'
import {join} from 'node:path'
import {checkWithEngine} from '../../../plugins/template-stacks/src/lint/check-with-engine.js'
import {startEngine} from '../../../plugins/template-stacks/src/engines/start-engine.js'
import {EXAMPLE_APP, type LintExample} from '../../../src/author/lint/lint-rule.js'
import {LINT_RULES} from '../../../src/author/lint/lint-rules.js'
import {folderPorts} from '../../../src/cli/packages/package-ports.js'
import {readBehavior} from '../../../src/unpack/behavior.js'
import {lint} from '../../../src/pipeline/author/lint.js'
import {runCliWith} from '../../run-cli.js'
import {temporaryFolder, writeTree} from '../../temporary-folder.js'

// The first request compiles the engines, which takes long where every core is busy.
jest.setTimeout(240_000)

const SRC = join(import.meta.dirname, '../../../plugins/template-stacks/src')
const root = temporaryFolder()
const RULES = LINT_RULES.filter(({foundByEngine}) => foundByEngine !== undefined)
const engine = startEngine()
afterAll(async () => {
  await engine.close()
})

/** Writes the example of a rule as a package. */
function packageOf({files = {}, templates = {}, tests = {}}: LintExample): string {
  const registry: LintExample['files'] = {'app.yaml': EXAMPLE_APP, ...files}
  const textAt = (path: string) => {
    const content = registry[path]
    return typeof content === 'string' ? content : ''
  }
  const bytes = Buffer.from(textAt('behavior.yaml'))
  const behavior = readBehavior([{path: 'behavior.yaml', bytes}], {errors: [], warnings: []})
  const entries = [
    ...Object.keys(registry).map(path => [`.registry/${path}`, textAt(path)] as const),
    ...Object.entries(templates).map(([path, text]) => [`${behavior?.source.path}/${path}`, text] as const),
    ...Object.entries(tests).map(([name, text]) => [`tests/${name}/cr.yaml`, text] as const),
  ]
  return writeTree(mkdtempSync(join(root, 'package-')), Object.fromEntries(entries))
}

async function findings(folder: string) {
  const ports = await folderPorts({})
  const report = await lint(
    {reference: folder},
    {...ports, checkTemplates: async (templates, own) => await checkWithEngine(templates, own, engine)},
  )
  return report.findings.map(({file, line, rule, severity, message}) => ({
    file,
    line,
    rule,
    severity,
    message,
  }))
}

describe('rules of lint that need an engine', () => {
  it.each(RULES)(
    '$id is reported for its failing example',
    async ({id, severity, failing, foundByEngine}) => {
      const wanted = {rule: id, severity, line: undefined, ...foundByEngine}
      expect(await findings(packageOf(failing))).toEqual([wanted])
    },
  )

  it.each(RULES)('$id is not reported for its passing example', async ({passing}) => {
    expect(await findings(packageOf(passing))).toEqual([])
  })
})

describe('template lint', () => {
  const [rule] = RULES

  it('reports what the engine finds beside the rules of package lint, and exits with 1', async () => {
    const folder = packageOf(rule?.failing ?? {files: {}})
    const result = await runCliWith(SRC, 'template', 'lint', folder)
    expect(result).toMatchObject({status: 1, stdout: expect.stringContaining(`[${rule?.id}]`)})
    // The same, started by the other command.
    expect((await runCliWith(SRC, 'package', 'lint', folder)).stdout).toBe(result.stdout)
  })

  it('rejects a package without templates', async () => {
    const folder = writeTree(mkdtempSync(join(root, 'package-')), {'.registry/app.yaml': EXAMPLE_APP})
    const {status, stderr} = await runCliWith(SRC, 'template', 'lint', folder)
    expect([status, stderr]).toEqual([2, expect.stringContaining('contains no behavior.yaml')])
    expect(stderr).toContain(`kubectl crossplane package lint ${folder}`)
  })

  it('looks up the kinds of objects in the packages of --packages', async () => {
    const template =
      'apiVersion: storage.example.org/v2\nkind: Bucket\nmetadata: {name: "{{ .Release.Name }}"}\n'
    const folder = packageOf({
      ...(rule?.passing ?? {files: {}}),
      templates: {...rule?.passing.templates, 'templates/b.yaml': template},
    })
    const provider = {
      'buckets@v1.0.0/.registry/app.yaml': EXAMPLE_APP,
      'buckets@v1.0.0/.registry/crd.yaml': `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: buckets.storage.example.org}
spec:
  group: storage.example.org
  names: {kind: Bucket, plural: buckets}
  scope: Namespaced
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
`,
    }
    const packages = writeTree(mkdtempSync(join(root, 'packages-')), provider)
    const {stdout} = await runCliWith(SRC, 'template', 'lint', folder, '--packages', packages)
    expect(stdout).toContain(
      'no package serves Bucket of storage.example.org/v2: its packages serve only v1 [template-dependency]',
    )
  })
})
