import {describe, expect, it} from '@jest/globals'
import {cpSync, mkdtempSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {runCli} from '../run-cli.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'
import {owner, prefixed} from './locked-world.js'

const folder = temporaryFolder()
const API = 'apiVersion: packages.kubectl-crossplane.dev/v1alpha1\n'
const POLICY = `${API}kind: Policy
contact: Team A
rules:
- name: others
  expression: pkg.repository.startsWith("quay.io/")
  message: only packages on quay.io
`

const FORMATS = [
  {format: '.registry/', reference: 'x/as', tag: 'v1.0.0', folder: 'x/as@v1.0.0'},
  {
    format: 'xpkg',
    reference: 'registry.example.org/example/provider-family',
    tag: 'v1.1.0',
    folder: 'example/provider-family@v1.1.0',
  },
]

/** A declaration that was locked and rendered before it had a policy. */
async function world({reference, tag, folder: own}: (typeof FORMATS)[number]) {
  const root = writeTree(mkdtempSync(join(folder, 'commands-')), {
    ...prefixed('packages/', owner('v1.0.0', 'as', 'v1')),
    'policy.yaml': POLICY,
  })
  cpSync('examples/xpkg/packages', join(root, 'packages'), {recursive: true})
  const at = (path: string) => join(root, path)
  const declare = (policy: string) => {
    const packages = `packages:\n- package: ${reference}\n  version: ${tag}\n`
    writeFileSync(at('crossplane-packages.yaml'), `${API}kind: PackageDeclaration\n${policy}${packages}`)
  }
  const declared = ['--declaration', at('crossplane-packages.yaml'), '--packages', at('packages')]
  const source = ['--packages', at('packages'), '--policy', at('policy.yaml')]
  const named = `${reference}:${tag}`
  declare('')
  expect(await runCli('package', 'lock', ...declared)).toMatchObject({status: 0})
  const written = await runCli('package', 'render', ...declared, '--output-dir', at('out'))
  expect(written).toMatchObject({status: 0})
  declare('policy: policy.yaml\n')
  const run = (...args: readonly string[]) => runCli('package', ...args)
  return {
    'render REF': () => run('render', named, ...source),
    'render --declaration': () => run('render', ...declared),
    'render --locked': () => run('render', ...declared, '--locked'),
    'render --output-dir': () => run('render', ...declared, '--output-dir', at('out')),
    check: () => run('check', ...declared, '--output-dir', at('out')),
    lint: () => run('lint', at(`packages/${own}`), '--as-package', named, '--policy', at('policy.yaml')),
  }
}

describe.each(FORMATS)('the rules of a policy for packages with $format', format => {
  it('reject in every command without a cluster', async () => {
    const commands = await world(format)
    const results = []
    for (const [command, run] of Object.entries(commands)) {
      const {status, stdout, stderr} = await run()
      const diagnostic = /(\S+): only packages on quay\.io \[policy\/others\]/.exec(stdout + stderr)?.[1]
      results.push({command, status, diagnostic, owner: /\bTeam A\b/.exec(stdout + stderr)?.[0]})
    }
    const shown = `${format.reference}:${format.tag}`
    expect(results).toEqual(
      Object.keys(commands).map(command => ({command, status: 4, diagnostic: shown, owner: 'Team A'})),
    )
  })
})
