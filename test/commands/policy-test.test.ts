import {describe, expect, it} from '@jest/globals'
import {mkdtempSync} from 'node:fs'
import {join} from 'node:path'
import {schemaOf, schemaViolations} from '../json-schema.js'
import {runCli} from '../run-cli.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'
import {APP_YAML} from './locked-world.js'

const folder = temporaryFolder()
const API = 'apiVersion: packages.kubectl-crossplane.dev/v1alpha1\n'
const POLICY = `${API}kind: Policy
reject: {imagesWithoutDigest: true}
rules:
- name: hub
  expression: images.all(i, i.registry != "docker.io")
- name: ours
  expression: pkg.repository == "" || pkg.repository.startsWith("docker.io/x/")
`
const CASES = `- name: our package
  package: ./app
  asPackage: x/app:v1.0.0
  expect: allowed
- name: a pinned image
  folder: pinned
  expect: allowed
- name: an image of the hub
  folder: hub
  expect: denied
  rules: [policy/hub, policy-image-digest]
`

function world(cases: string, policy = POLICY) {
  const root = writeTree(mkdtempSync(join(folder, 'tests-')), {
    'app/.registry/app.yaml': `version: v1.0.0\n${APP_YAML}`,
    'policy.yaml': policy,
    'pinned/images.yaml':
      '- {reference: r.example.org/x@sha256:ab, registry: r.example.org, digest: "sha256:ab"}\n',
    'hub/images.yaml': '- {reference: x:v1, registry: docker.io}\n',
    'test.yaml': `${API}kind: PolicyTest\npolicy: policy.yaml\ncases:\n${cases}`,
  })
  return {
    test: (...args: readonly string[]) => runCli('policy', 'test', join(root, 'test.yaml'), ...args),
    lint: () =>
      runCli(
        'package',
        'lint',
        join(root, 'app'),
        '--as-package',
        'y/app:v1.0.0',
        '--policy',
        join(root, 'policy.yaml'),
      ),
  }
}

describe('policy test', () => {
  it('passes if each case is as expected', async () => {
    const {status, stdout} = await world(CASES).test()
    expect({status, stdout}).toEqual({
      status: 0,
      stdout: expect.stringMatching(/PASS our package\n.*\n.*\n.*3 passed, 0 failed/),
    })
  })

  it('exits with 1 and names what the policy rejects', async () => {
    const {test} = world(
      CASES.replace('expect: denied\n  rules: [policy/hub, policy-image-digest]', 'expect: allowed'),
    )
    expect(await test()).toMatchObject({
      status: 1,
      stdout: expect.stringMatching(
        /FAIL an image of the hub\n {2}want allowed, got denied\n.*\[policy-image-digest\]/,
      ),
    })
    const junit = await test('--output', 'junit')
    expect(junit.stdout).toContain('<testsuites tests="3" failures="1">')
    const json = await test('--output', 'json')
    expect(JSON.parse(json.stdout)).toMatchObject({
      kind: 'PolicyTestReport',
      cases: [{passed: true}, {passed: true}, {passed: false}],
    })
    expect(schemaViolations(schemaOf('policy-test-report'), JSON.parse(json.stdout))).toEqual([])
  })

  it('compares the rules that a case names', async () => {
    const {test} = world(CASES.replace('[policy/hub, policy-image-digest]', '[policy/hub]'))
    expect(await test()).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('want rules policy/hub, got'),
    })
  })

  it('exits with 7 for tests that cannot be run', async () => {
    expect(await world('- {name: a, expect: maybe, folder: hub}\n').test()).toMatchObject({
      status: 7,
      stderr: expect.stringMatching(/test\.yaml:5: .*maybe/),
    })
    expect(await world('- {name: a, expect: denied, folder: nowhere}\n').test()).toMatchObject({status: 7})
    const typo = POLICY.replace('i.registry', 'i.registri')
    expect(await world(CASES, typo).test()).toMatchObject({
      status: 7,
      stderr: expect.stringContaining('the rule hub, column'),
    })
  })

  it('is the judgement of lint, too', async () => {
    expect(await world(CASES).lint()).toMatchObject({
      status: 4,
      stderr: expect.stringContaining('[policy/ours]'),
    })
  })
})
