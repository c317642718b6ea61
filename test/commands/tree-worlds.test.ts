import {describe, expect, it} from '@jest/globals'
import {mkdtempSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {type JsonSchema, schemaViolations} from '../json-schema.js'
import {runCli} from '../run-cli.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'
import {APP_YAML, owner, rulesIn} from './locked-world.js'

const folder = temporaryFolder()

/** A folder of packages. */
const world = (files: Readonly<Record<string, string>>) =>
  writeTree(mkdtempSync(join(folder, 'world-')), files)

const app = (tag: string, ...needs: readonly string[]) => ({
  [`x/app@${tag}/.registry/app.yaml`]: `version: ${tag}\n${APP_YAML}dependsOn:\n${needs.map(need => `- crd: "${need}"\n`).join('')}`,
})

async function tree(packages: string, ...args: readonly string[]) {
  const {status, stdout, stderr} = await runCli('package', 'tree', ...args, '--packages', packages)
  return {status, lines: stdout.split('\n').slice(0, -1), rules: rulesIn(stderr), stderr}
}

describe('kinds of Crossplane', () => {
  it.each([
    {release: 'v0.8', reason: 'OAM came later', want: 3},
    {release: 'v0.9', reason: 'OAM is included', want: 0},
    {release: 'v0.12', reason: 'OAM is included', want: 0},
    {release: 'v1.20', reason: 'it has none of them', want: 3},
    {release: 'none', reason: 'it has none of them', want: 3},
  ])('$release: $reason', async ({release, want}) => {
    const packages = world(app('v1.0.0', 'applicationconfigurations.core.oam.dev/v1alpha2'))
    const {status, rules} = await tree(packages, 'x/app', '--crossplane-version', release)
    expect({status, rules}).toEqual({
      status: want,
      rules: want === 0 ? ['assumed-crossplane'] : ['requirement-path', 'crossplane-version'],
    })
  })
})

describe('a package that cannot be read', () => {
  it('is named in a note if it could own a required CRD', async () => {
    const packages = world({
      ...owner('v99.0.0', 'as', 'v1'),
      'x/rightful@v1.0.0/.registry/app.yaml': 'title: 5\n',
    })
    const first = await tree(packages, 'crd:as.x.example.org')
    expect({status: first.status, rules: first.rules}).toEqual({
      status: 0,
      rules: ['owner-first-use', 'unreadable-candidate'],
    })
    expect(first.stderr).toContain('x/rightful:v1.0.0 cannot be read')
    const trusted = await tree(packages, 'crd:as.x.example.org', '--owner', 'x.example.org=x/as')
    expect({status: trusted.status, rules: trusted.rules}).toEqual({status: 0, rules: []})
  })
})

describe('a tree without a resolution', () => {
  it('shows the versions of the explanation if only an owner is ambiguous', async () => {
    const packages = world({
      ...app('v1.0.0', 'as.x.example.org'),
      ...app('v2.0.0', 'as.x.example.org', 'things.nowhere.org'),
      ...owner('v1.0.0', 'as', 'v1'),
      'y/as@v9.0.0/.registry/app.yaml': `version: v9.0.0\n${APP_YAML}`,
      'y/as@v9.0.0/.registry/resources/a.crd.yaml':
        owner('v9.0.0', 'as', 'v2')['x/as@v9.0.0/.registry/resources/a.crd.yaml'] ?? '',
    })
    const {status, lines, stderr} = await tree(packages, 'x/app')
    expect({status, lines}).toEqual({
      status: 3,
      lines: [
        'x/app:v1.0.0',
        '└── as.x.example.org: UNSATISFIED: owned by x/as, y/as: assign the group in owners',
      ],
    })
    expect(stderr).toContain('x/app:v1.0.0 requires as.x.example.org, but 2 packages own it')
  })

  it('shows why each requirement is unsatisfied, and prints a document', async () => {
    const packages = world({
      ...app('v1.0.0', 'as.x.example.org/v9', 'bs.x.example.org', 'gone.y.org', 'things.core.crossplane.io'),
      ...owner('v1.0.0', 'as', 'v1'),
      ...owner('v1.0.0-rc.1', 'bs', 'v1'),
    })
    const {status, lines} = await tree(packages, 'x/app')
    expect({status, lines}).toEqual({
      status: 3,
      lines: [
        'x/app:v1.0.0',
        '├── as.x.example.org/v9: UNSATISFIED: no version of x/as satisfies it',
        '├── bs.x.example.org: UNSATISFIED: no version that owns it can be selected',
        '├── gone.y.org: UNSATISFIED: no package provides it',
        '└── things.core.crossplane.io: UNSATISFIED: that group never had a CRD',
      ],
    })
    const schema = JSON.parse(
      readFileSync('docs/schemas/dependency-tree.v1alpha1.json', 'utf8'),
    ) as JsonSchema
    const document = await runCli('package', 'tree', 'x/app', '--packages', packages, '-o', 'json')
    expect(schemaViolations(schema, JSON.parse(document.stdout))).toEqual([])
  })
})
