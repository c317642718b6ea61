import {describe, expect, it} from '@jest/globals'
import {join} from 'node:path'
import type {PackageSummary} from '../../src/index/package-summary.js'
import {pigeons} from '../resolve/adversarial-worlds.js'
import {runCli} from '../run-cli.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'
import {codeOf} from './locked-world.js'

/** A package as the files that say the same. */
function filesOf({identity, tag, crds}: PackageSummary): Record<string, string> {
  const at = `packages/x/${identity}@${tag}/.registry`
  const owned = crds.map(({plural, group, kind, served}, index) => [
    `${at}/resources/${index}.crd.yaml`,
    `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: ${plural}.${group}}
spec:
  group: ${group}
  scope: Cluster
  names: {plural: ${plural}, kind: ${kind}}
  versions:
  - {name: ${served.join()}, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
`,
  ])
  return {
    [`${at}/app.yaml`]: `version: ${tag}\ntitle: Test\npermissionScope: Cluster\n`,
    ...(Object.fromEntries(owned) as Record<string, string>),
  }
}

const {summaries, roots} = pigeons(7, 6)
const folder = writeTree(temporaryFolder(), {
  ...Object.fromEntries(summaries.flatMap(each => Object.entries(filesOf(each)))),
  'wanted.yaml': `apiVersion: packages.kubectl-crossplane.dev/v1alpha1
kind: PackageDeclaration
packages:
${roots.map(({requirement}) => `- package: x/${requirement.text}\n`).join('')}`,
})
const run = (command: string, ...args: readonly string[]) =>
  runCli(
    ...['package', command, '--declaration', join(folder, 'wanted.yaml')],
    ...['--packages', join(folder, 'packages'), ...args],
  )

describe('seven packages that share six kinds', () => {
  it.each(['tree', 'render', 'lock'])('%s exits with 6 if the time limit is reached', async command => {
    const {status, stderr} = await run(command, '--solve-timeout', '0s', '-o', 'json')
    expect({status, code: codeOf(stderr)}).toEqual({status: 6, code: 'timeout'})
    expect(stderr).toContain('--solve-timeout')
  })

  it('are rejected within the time limit', async () => {
    expect(await run('render')).toMatchObject({status: 3, stdout: ''})
  })
})
