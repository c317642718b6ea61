import {describe, expect, it} from '@jest/globals'
import {runCli} from '../run-cli.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'

const folder = temporaryFolder()
writeTree(folder, {
  'packages/x/a@v1.0.0/.registry/app.yaml': 'title: A\nversion: v1.0.0\npermissionScope: Cluster\n',
})
const NOPE = `${folder}/nope`
const PACKAGES = ['--packages', `${folder}/packages`, '--offline']

/** 1, and 7 for commands whose 1 says that they found something. */
const FAILED = 1
const CHECK_FAILED = 7

/** Files and folders that do not exist. */
const MISSING_FILES: readonly (readonly [exit: number, ...argv: string[]])[] = [
  [FAILED, 'package', 'inspect', NOPE],
  [FAILED, 'package', 'inspect', `oci:${NOPE}`],
  [FAILED, 'package', 'render', NOPE],
  [FAILED, 'package', 'render', 'x/a:v1.0.0', '--packages', NOPE],
  [FAILED, 'package', 'render', '-f', `${NOPE}.yaml`],
  [FAILED, 'package', 'tree', NOPE],
  [FAILED, 'package', 'build', 'oci:x', NOPE],
  [FAILED, 'package', 'push', 'r.example.org/x/y:v1', NOPE],
  [FAILED, 'package', 'verify', `${NOPE}.tar`, '--key', NOPE],
  [FAILED, 'package', 'lock', '--declaration', NOPE],
  [FAILED, 'package', 'why', 'x/a', '--declaration', NOPE],
  [FAILED, 'package', 'provides', 'as.x.example.org', '--index', `${NOPE}.jsonl`],
  [FAILED, 'package', 'upgrade', 'x/a', '--git', NOPE],
  [FAILED, 'package', 'install', 'x/a', '--git', NOPE],
  [FAILED, 'bundle', 'verify', `${NOPE}.tar`],
  [FAILED, 'bundle', 'list', `${NOPE}.tar`],
  [CHECK_FAILED, 'package', 'lint', NOPE],
  [CHECK_FAILED, 'package', 'outdated', '--declaration', NOPE],
  [CHECK_FAILED, 'package', 'check', '--git', NOPE],
  [CHECK_FAILED, 'policy', 'test', NOPE],
]

/** Names that a source which exists does not have. */
const MISSING_NAMES: readonly (readonly [exit: number, ...argv: string[]])[] = [
  [FAILED, 'package', 'render', 'x/a:v2.0.0', ...PACKAGES],
  [FAILED, 'package', 'inspect', 'x/b:v1.0.0', ...PACKAGES],
  [FAILED, 'package', 'versions', 'x/b', ...PACKAGES],
]

describe('what does not exist', () => {
  it.each(MISSING_FILES)('exits with %i: %s %s', async (exit, ...argv) => {
    const {status, stdout, stderr} = await runCli(...argv)
    const first = stderr.split('\n')[0]
    expect({status, stdout}).toEqual({status: exit, stdout: ''})
    expect(first).toMatch(/^Error: cannot .*nope.*: no such file or directory$/)
  })

  it.each(MISSING_NAMES)('exits with %i and names it: %s %s %s', async (exit, ...argv) => {
    const {status, stdout, stderr} = await runCli(...argv)
    expect({status, stdout}).toEqual({status: exit, stdout: ''})
    expect(stderr).toContain(argv[2]?.split(':')[0])
  })
})
