import {afterAll, beforeAll, describe, expect, it} from '@jest/globals'
import {cpSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {LINT_RULES} from '../../src/author/lint/lint-rules.js'
import {runCli} from '../run-cli.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'
import {fixture} from './fixtures.js'

const folder = join(temporaryFolder(), 'repository')
const APP = 'title: Example\npermissionScope: Cluster\n'
const PACKAGES = join(import.meta.dirname, '../../examples/platform')
const before = process.cwd()

beforeAll(() => {
  for (const path of ['broken', '../broken', 'store/example/broken/v1'])
    cpSync(fixture('cli-broken'), join(folder, path), {recursive: true})
  cpSync(PACKAGES, join(folder, 'platform'), {recursive: true})
  writeTree(folder, {
    'clean/.registry/app.yaml': APP,
    'versioned/.registry/app.yaml': `${APP}version: 1/2\n`,
    'bad/crossplane-packages.yaml': 'kind: Nope\n',
  })
  process.chdir(folder)
})
afterAll(() => process.chdir(before))

const lines = (text: string) => text.trimEnd().split('\n')
const annotationsIn = (text: string) => lines(text).filter(line => line.startsWith('::'))

describe('lint --output github', () => {
  it('annotates the files of a folder', async () => {
    const {status, stdout} = await runCli('package', 'lint', './broken', '-o', 'github')
    expect({status, first: lines(stdout)[0]}).toEqual({
      status: 1,
      first:
        '::error file=broken/.registry/app.yaml,line=1,title=field-type::title must be a string, not the number 5; quote it',
    })
    expect(lines(stdout).every(line => line.startsWith('::error file=broken/.registry/'))).toBe(true)
  })

  it('prints nothing for a package without problems', async () => {
    expect(await runCli('package', 'lint', './clean', '-o', 'github')).toMatchObject({status: 0, stdout: ''})
  })

  it('annotates a failure', async () => {
    const {status, stderr} = await runCli('package', 'lint', './absent', '-o', 'github')
    expect(status).toBe(7)
    expect(stderr).toMatch(/^Error: .*\n[^]*^::error::cannot read /m)
  })
})

interface SarifRun {
  readonly tool: {readonly driver: {readonly name: string; readonly rules: readonly {readonly id: string}[]}}
  readonly results: readonly {readonly ruleId: string; readonly ruleIndex: number; readonly level: string}[]
}

describe('lint --output sarif', () => {
  it('is a log of SARIF 2.1.0 with places and rules', async () => {
    const {status, stdout} = await runCli('package', 'lint', './broken', '-o', 'sarif')
    const log = JSON.parse(stdout) as {readonly version: string; readonly runs: readonly SarifRun[]}
    const [run] = log.runs
    expect({status, version: log.version, runs: log.runs.length}).toEqual({
      status: 1,
      version: '2.1.0',
      runs: 1,
    })
    expect(run?.results[0]).toEqual({
      ruleId: 'field-type',
      ruleIndex: 1,
      level: 'error',
      message: {text: 'title must be a string, not the number 5; quote it'},
      locations: [
        {
          physicalLocation: {
            artifactLocation: {uri: 'broken/.registry/app.yaml'},
            region: {startLine: 1},
          },
        },
      ],
    })
    const ids = run?.tool.driver.rules.map(({id}) => id) ?? []
    expect(run?.results.map(({ruleId, ruleIndex}) => ids[ruleIndex] === ruleId)).not.toContain(false)
    const rule = LINT_RULES.find(({id}) => id === 'field-type')!
    expect(run?.tool.driver.rules[1]).toEqual({
      id: rule.id,
      shortDescription: {text: rule.title},
      fullDescription: {text: rule.why},
      help: {text: rule.advice},
      defaultConfiguration: {level: rule.severity},
    })
  })

  it('has no results for a package without problems', async () => {
    const {stdout} = await runCli('package', 'lint', './clean', '-o', 'sarif')
    expect(JSON.parse(stdout)).toMatchObject({runs: [{results: [], tool: {driver: {rules: []}}}]})
  })
})

describe('render and check --output github', () => {
  const declaration = [
    '--declaration',
    'platform/crossplane-packages.yaml',
    '--packages',
    'platform/packages',
  ]
  const render = ['package', 'render', ...declaration, '--output-dir', 'platform/deploy', '--quiet']
  const check = ['package', 'check', ...declaration, '--output-dir', 'platform/deploy']

  it('announce the files that a render would write', async () => {
    const {status, stdout} = await runCli(...render, '--dry-run', '-o', 'github')
    expect({status, first: lines(stdout)[0]}).toEqual({
      status: 0,
      first: expect.stringMatching(/^::notice file=platform\/deploy\/[^:,]+,title=create::/),
    })
  })

  it('annotate the first line that differs', async () => {
    await runCli('package', 'lock', ...declaration, '--quiet')
    expect((await runCli(...render)).status).toBe(0)
    expect(await runCli(...check, '-o', 'github')).toMatchObject({status: 0, stdout: ''})
    writeFileSync('platform/deploy/kustomization.yaml', 'kind: Kustomization\n')
    const {status, stdout} = await runCli(...check, '-o', 'github')
    expect({status, stdout}).toEqual({
      status: 1,
      stdout: expect.stringMatching(
        /^::error file=platform\/deploy\/kustomization\.yaml,line=1,title=edited::[^\n]+\n$/,
      ),
    })
  })

  it('annotate the lines of a declaration that cannot be read', async () => {
    const args = ['--declaration', 'bad/crossplane-packages.yaml', '--output-dir', 'platform/deploy']
    const {stderr} = await runCli('package', 'render', ...args, '--dry-run', '-o', 'github')
    expect(stderr).toMatch(/^::error file=bad\/crossplane-packages\.yaml,line=1,title=[a-z-]+::/m)
  })

  const FIELD_TYPE = 'title must be a string, not the number 5; quote it'

  it.each([
    {
      name: 'annotate the files of a package in a folder',
      args: ['./broken'],
      want: `::error file=broken/.registry/app.yaml,line=1,title=field-type::${FIELD_TYPE}`,
    },
    {
      name: 'annotate the files of a package in a folder of packages',
      args: ['example/broken:v1', '--packages', 'store'],
      want: `::error file=store/example/broken/v1/.registry/app.yaml,line=1,title=field-type::${FIELD_TYPE}`,
    },
    {
      name: 'annotate the version of a package in a folder',
      args: ['./versioned', '--as-package', 'example/versioned'],
      want: expect.stringMatching(/^::error file=versioned\/\.registry\/app\.yaml,title=version::/),
    },
    {
      name: 'name the files of a package that is not in the repository in messages',
      args: ['../broken'],
      want: `::error title=field-type::.registry/app.yaml:1: ${FIELD_TYPE}`,
    },
  ])('$name', async ({args, want}) => {
    const flags = ['--output-dir', 'out', '--dry-run', '-o', 'github']
    const {status, stderr} = await runCli('package', 'render', ...args, ...flags)
    const [first, second] = annotationsIn(stderr)
    expect({status, first, second}).toEqual({
      status: 1,
      first: expect.stringMatching(/^::error::/),
      second: want,
    })
  })

  it('annotate a rejected file once, at its place', async () => {
    const {stdout, stderr} = await runCli(...render, '--dry-run', '-o', 'github')
    expect(annotationsIn(stdout)).toContainEqual(
      expect.stringMatching(
        /^::error file=platform\/deploy\/kustomization\.yaml,title=edited-file::(?!.*kustomization)/,
      ),
    )
    expect(annotationsIn(stderr)).toEqual([expect.stringMatching(/^::error::cannot write /)])
  })

  it('reject render without --dry-run', async () => {
    const {status} = await runCli('package', 'render', './clean', '-o', 'github')
    expect(status).toBe(2)
  })
})
