import {describe, expect, it} from '@jest/globals'
import {readFileSync, symlinkSync} from 'node:fs'
import {join} from 'node:path'
import {LINT_RULES} from '../../src/author/lint/lint-rules.js'
import {runCli} from '../run-cli.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'
import {DATABASE, fixture} from './fixtures.js'

const lint = (...args: readonly string[]) => runCli('package', 'lint', ...args)
const APP = 'title: Example\npermissionScope: Cluster\n'

const folder = writeTree(temporaryFolder(), {
  'clean/.registry/app.yaml': APP,
  'odd/.registry/app.yaml': `${APP}packageType: "A\\e[31m\\nB"\n`,
  'faulty/.registry/app.yaml': `${APP}Category: yes\n`,
  'tagged/.registry/app.yaml': `${APP}version: v0.1.0\n`,
  'packages/example/.keep': '',
  'linked/.registry/.keep': '',
  'empty/.keep': '',
  'not-a-tarball': 'text',
})
symlinkSync(join(folder, 'tagged'), join(folder, 'packages/example/tagged@v0.2.0'))
symlinkSync('/etc/hostname', join(folder, 'linked/.registry/app.yaml'))
const at = (path: string) => join(folder, path)

describe('package lint', () => {
  it('prints one line per problem, and counts and suggestions to stderr', async () => {
    expect(await lint(fixture('cli-broken'))).toEqual({
      status: 1,
      stdout: `.registry/app.yaml:1: error: title must be a string, not the number 5; quote it [field-type]
.registry/app.yaml:2: error: version must be a string, not the number 1; quote it [field-type]
.registry/app.yaml:3: error: permissionScope must be Cluster or Namespaced, not Everywhere [permission-scope]
.registry/install.yaml:2: error: install.yaml must be a Deployment (apps/v1), but is a Job [install-kind]
.registry/resources/broken.crd.yaml:2: error: the file must contain CustomResourceDefinitions, but this document is a ConfigMap [crd-kind]
`,
      stderr: `${fixture('cli-broken')}: 5 errors, 0 warnings
  crd-kind: Move the object out of the file: a package contains CRDs and one Deployment, and no other objects.
  field-type: Use a value of the type that the message names; quote text.
  install-kind: Use a Deployment (apps/v1). Convert a Job that prepares something to an init container.
  permission-scope: Set permissionScope to Cluster or Namespaced.
`,
    })
  })

  it('suggests ./NAME for a name without a registry that is a folder, without using the network', async () => {
    const before = process.cwd()
    process.chdir(folder)
    try {
      const {status, stderr} = await lint('clean', '-o', 'json')
      expect({status, error: JSON.parse(stderr) as unknown}).toMatchObject({
        status: 2,
        error: {
          code: 'reference-invalid',
          suggestions: ['Write ./clean for the folder, or clean:TAG for the package in a registry.'],
        },
      })
      expect(await lint('./clean')).toMatchObject({status: 0})
    } finally {
      process.chdir(before)
    }
  })

  it('names the reference where the registry cannot be reached', async () => {
    const {stderr} = await lint('localhost:1/team/a:v1', '-o', 'json')
    expect(JSON.parse(stderr)).toMatchObject({
      message: 'cannot pull localhost:1/team/a:v1: cannot connect to localhost:1: connection refused',
    })
  })

  it.each([
    {name: 'no problem', reason: 'it is clean', in: [at('clean')], want: {status: 0, lines: 0}},
    {name: 'a warning', reason: 'it stops nothing', in: [at('odd')], want: {status: 0, lines: 1}},
    {
      name: 'a warning with --strict',
      reason: 'a build requests it',
      in: [at('odd'), '--strict'],
      want: {status: 1, lines: 1},
    },
    {
      name: 'no problem with --strict',
      reason: 'it is clean',
      in: [at('clean'), '--strict'],
      want: {status: 0, lines: 0},
    },
    {name: 'an error', reason: 'errors exit with 1', in: [at('faulty')], want: {status: 1, lines: 2}},
    {
      name: 'a version and no tag',
      reason: 'there is no tag to compare it with',
      in: [at('tagged')],
      want: {status: 0, lines: 0},
    },
    {
      name: 'a version and another tag',
      reason: '--as-package sets its identity',
      in: [at('tagged'), '--as-package', 'example/tagged:v0.2.0'],
      want: {status: 0, lines: 1},
    },
    {
      name: 'a package in a folder of packages',
      reason: 'it is found as by render',
      in: ['example/tagged', '--packages', at('packages')],
      want: {status: 0, lines: 1},
    },
  ])('$name: $reason', async ({in: argv, want}) => {
    const {status, stdout} = await lint(...argv)
    expect({status, lines: stdout.split('\n').length - 1}).toEqual(want)
  })

  it.each([
    {name: 'a missing folder', in: [at('nowhere')], want: {status: 7, code: 'not-found'}},
    {name: 'a folder without .registry/', in: [at('empty')], want: {status: 7, code: 'not-found'}},
    {
      name: 'an invalid tarball',
      in: [`oci-archive:${at('not-a-tarball')}`],
      want: {status: 7, code: 'source-invalid'},
    },
    {name: 'a link out of the package', in: [at('linked')], want: {status: 4, code: 'source-unsafe'}},
    {name: 'no package', in: [], want: {status: 2, code: 'usage'}},
    {name: 'an unknown flag', in: [at('clean'), '--fix'], want: {status: 2, code: 'usage'}},
    {name: 'an invalid reference', in: ['Example'], want: {status: 2, code: 'reference-invalid'}},
  ])('$name is an error of the command, not a diagnostic', async ({in: argv, want}) => {
    const {status, stdout, stderr} = await lint(...argv, '-o', 'json')
    expect({status, stdout, code: (JSON.parse(stderr) as {code: string}).code}).toEqual({...want, stdout: ''})
  })

  it('exits with 7 in the form package:lint, too, where render exits with 1', async () => {
    expect((await runCli('package:lint', at('nowhere'))).status).toBe(7)
    expect((await runCli('package', 'render', at('nowhere'))).status).toBe(1)
  })

  it('prints a document', async () => {
    const {status, stdout, stderr} = await lint(at('faulty'), '--output', 'json')
    expect({status, stderr, document: JSON.parse(stdout) as unknown}).toEqual({
      status: 1,
      stderr: '',
      document: {
        apiVersion: 'packages.kubectl-crossplane.dev/v1alpha1',
        kind: 'LintReport',
        package: at('faulty'),
        counts: {errors: 2, warnings: 0},
        findings: [
          {
            rule: 'field-type',
            severity: 'error',
            message: 'Category must be a string, not the boolean true; quote it',
            file: '.registry/app.yaml',
            line: 3,
            field: 'Category',
            advice: 'Use a value of the type that the message names; quote text.',
          },
          {
            rule: 'field-case',
            severity: 'error',
            message: 'Category is read as category: write it that way',
            file: '.registry/app.yaml',
            line: 3,
            field: 'Category',
            advice: 'Use the name that the message gives.',
          },
        ],
      },
    })
  })

  it('escapes the text of a package', async () => {
    const {stdout} = await lint(at('odd'))
    expect(stdout).toBe(
      '.registry/app.yaml:3: warning: packageType is A\\u001b[31m B, not one of Provider, Stack, Application or Addon [package-type]\n',
    )
  })

  it.each([
    {name: 'requested', in: ['--color', 'always'], want: true},
    {name: 'into a file', in: [], want: false},
  ])('colors the severity when $name', async ({in: argv, want}) => {
    const {stdout} = await lint(at('odd'), ...argv)
    expect(stdout.includes('\u001b[33mwarning\u001b[39m')).toBe(want)
  })

  it('reports no error for a package that renders', async () => {
    const [rendered, linted] = [await runCli('package', 'render', ...DATABASE), await lint(...DATABASE)]
    expect({rendered: rendered.status, linted: linted.status}).toEqual({rendered: 0, linted: 0})
  })
})

describe('package lint --list-rules', () => {
  it('lists the rules that --explain describes, without a package', async () => {
    const {status, stdout} = await runCli('package', 'lint', '--list-rules', '-o', 'json')
    const {rules} = JSON.parse(stdout) as {readonly rules: readonly {readonly id: string}[]}
    expect({status, rules: rules.map(({id}) => id)}).toEqual({status: 0, rules: LINT_RULES.map(({id}) => id)})
    const table = await runCli('package', 'lint', '--list-rules')
    expect(table.stdout.split('\n')[0]).toMatch(/^RULE +SEVERITY +TITLE$/)
  })
})

describe('package lint --explain', () => {
  it('prints the page of docs/lint', async () => {
    const page = readFileSync('docs/lint/crd-name.md', 'utf8')
    const {status, stdout} = await lint('--explain', 'crd-name')
    expect({status, page: page.endsWith(stdout), starts: stdout.startsWith('# crd-name\n')}).toEqual({
      status: 0,
      page: true,
      starts: true,
    })
  })

  it('prints a document', async () => {
    const {stdout} = await lint('--explain', 'crd-name', '-o', 'yaml')
    expect(stdout).toContain('kind: LintRule\n')
    expect(stdout).toContain('id: crd-name\n')
  })

  it.each([
    {in: 'crd-nam', want: 'crd-name'},
    {in: 'wildcard', want: 'permissions-wildcard'},
  ])('suggests a command that works for $in', async ({in: id, want}) => {
    const {status, stderr} = await lint('--explain', id, '-o', 'json')
    const {suggestions} = JSON.parse(stderr) as {suggestions: readonly string[]}
    expect({status, suggestion: suggestions[0]}).toEqual({
      status: 2,
      suggestion: `kubectl crossplane package lint --explain ${want}`,
    })
    expect((await runCli(...(suggestions[0] ?? '').split(' ').slice(2))).status).toBe(0)
  })

  it('is required if REF is omitted', async () => {
    const {status, stderr} = await lint()
    expect({status, missing: stderr.includes('missing argument REF')}).toEqual({status: 2, missing: true})
  })
})

it('prints reports as YAML', async () => {
  const {status, stdout} = await lint(at('odd'), '-o', 'yaml')
  expect({
    status,
    kind: /^kind: LintReport$/m.test(stdout),
    rule: stdout.includes('rule: package-type'),
  }).toEqual({
    status: 0,
    kind: true,
    rule: true,
  })
})

it('suggests init for a folder without a package', async () => {
  const bare = writeTree(at('bare'), {'README.md': ''})
  const {stderr} = await lint(bare, '-o', 'json')
  const {suggestions} = JSON.parse(stderr) as {suggestions: readonly string[]}
  const command = suggestions.find(each => each.startsWith('kubectl')) ?? ''
  expect((await runCli(...command.split(' ').slice(2))).status).toBe(0)
  expect((await lint(bare, '--strict')).status).toBe(0)
})
