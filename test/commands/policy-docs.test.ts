import {describe, expect, it} from '@jest/globals'
import {mkdtempSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {runCli} from '../run-cli.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'
import {APP_YAML} from './locked-world.js'

const folder = temporaryFolder()
const PAGES = ['docs/policy-rules.md', 'docs/policy.md', 'docs/signatures.md']
const examples = PAGES.flatMap(page =>
  [...readFileSync(page, 'utf8').matchAll(/```yaml\n(.*?)```/gs)].map(([, text = ''], index) => ({
    ...{page, index, text},
  })),
)
const policies = examples.filter(
  ({page, text}) => page !== 'docs/signatures.md' && /^kind: Policy$/m.test(text),
)

describe('the examples of policies in docs', () => {
  it('are there', () => {
    expect(policies.length).toBeGreaterThanOrEqual(4)
  })

  // A rule of an example can reject the package; 1 would be an error in the example.
  it.each(policies)('$page, $index, is a policy whose rules can be evaluated', async ({text}) => {
    const root = writeTree(mkdtempSync(join(folder, 'example-')), {
      'app/.registry/app.yaml': `version: v1.0.0\n${APP_YAML}`,
      'policy.yaml': text,
      'plan/plan.yaml': 'target: cluster\ncrds: [{name: a.example.org, changes: [fields-pruned]}]\n',
      'test.yaml': `apiVersion: packages.kubectl-crossplane.dev/v1alpha1\nkind: PolicyTest\npolicy: policy.yaml\ncases:\n- {name: package, package: ./app, asPackage: "x/app:v1.0.0", expect: allowed}\n- {name: plan, folder: plan, expect: allowed}\n`,
    })
    const {status, stdout, stderr} = await runCli('policy', 'test', join(root, 'test.yaml'))
    expect({isRun: status === 0 || status === 1, stderr}).toEqual({isRun: true, stderr: ''})
    expect(stdout).not.toContain('cannot be evaluated')
  })

  it('have a file of tests that can be run', async () => {
    const test = examples.find(({text}) => /^kind: PolicyTest$/m.test(text))?.text ?? ''
    const policy = policies.find(({text}) => text.includes('images-of-our-mirror'))?.text ?? ''
    const root = writeTree(mkdtempSync(join(folder, 'tests-')), {
      'provider/.registry/app.yaml': `version: v1.0.0\n${APP_YAML}`,
      'policy.yaml': policy,
      'cases/hub/images.yaml': '- {reference: "x/app:v1", registry: docker.io}\n',
      'policy-test.yaml': test,
    })
    const {stdout, stderr} = await runCli('policy', 'test', join(root, 'policy-test.yaml'))
    const names = [...stdout.matchAll(/^(?:PASS|FAIL) (.*)$/gm)].map(([, name]) => name)
    expect({names, stderr}).toEqual({names: ['our provider', 'an image of Docker Hub'], stderr: ''})
  })
})
