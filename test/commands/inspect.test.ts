import {describe, expect, it} from '@jest/globals'
import {symlinkSync} from 'node:fs'
import {join, resolve} from 'node:path'
import {load} from 'js-yaml'
import {expectGolden} from '../golden.js'
import {runCli} from '../run-cli.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'

const inspect = (...args: readonly string[]) => runCli('package', 'inspect', ...args)
const here = (name: string) => `./test/testdata/packages/${name}`
const WIDE = [here('inspect-wide'), '--as-package', 'example/wide:v1.4.0']

describe('package inspect', () => {
  const folder = writeTree(temporaryFolder(), {'example/.keep': '', 'linked/.registry/.keep': ''})
  symlinkSync('/etc/hostname', join(folder, 'linked/.registry/app.yaml'))

  it.each([
    {name: 'inspect-wide', reason: 'with every kind of line', in: WIDE},
    {
      name: 'inspect-template',
      reason: 'omitted parameters are reported',
      in: [here('inspect-template')],
    },
    {name: 'inspect-plain', reason: 'nothing runs, and reading it warns', in: [here('inspect-plain')]},
  ])('$name as text: $reason', async ({name, in: argv}) => {
    const {status, stdout, stderr} = await inspect(...argv)
    expect({status, stderr}).toEqual({status: 0, stderr: ''})
    expectGolden(`${name}.txt`, stdout)
  })

  it('prints the same document as JSON and as YAML, with its version and kind', async () => {
    const [json, yaml] = [await inspect(...WIDE, '-o', 'json'), await inspect(...WIDE, '--output', 'yaml')]
    const document = JSON.parse(json.stdout) as Record<string, unknown>
    expect({status: [json.status, yaml.status], stderr: json.stderr + yaml.stderr}).toEqual({
      status: [0, 0],
      stderr: '',
    })
    expect(document).toMatchObject({
      apiVersion: 'packages.kubectl-crossplane.dev/v1alpha1',
      kind: 'InspectReport',
    })
    expect(load(yaml.stdout)).toEqual(document)
  })

  it('finds a package in a folder, and reports its path', async () => {
    symlinkSync(resolve(here('inspect-plain')), join(folder, 'example/plain@v1.0.0'))
    const {stdout} = await inspect('example/plain', '--packages', folder, '-o', 'json')
    expect((JSON.parse(stdout) as {package: unknown}).package).toMatchObject({
      readFrom: join(folder, 'example/plain@v1.0.0'),
      reference: 'example/plain:v1.0.0',
      repository: 'example/plain',
      tag: 'v1.0.0',
      version: 'v1.0.0',
    })
  })

  it.each([
    {name: 'requested', reason: 'marks what is wide', in: ['--color', 'always'], want: true},
    {name: 'not on a terminal', reason: 'not in a file', in: [], want: false},
  ])('color, $name: $reason', async ({in: argv, want}) => {
    const {stdout} = await inspect(...WIDE, ...argv)
    expect(stdout.includes('\u001b[')).toBe(want)
  })

  it.each([
    {name: 'no package', reason: 'nothing to look at', in: [], want: 2},
    {name: 'no reference', reason: 'repositories are in lowercase', in: ['Example/Wide'], want: 2},
    {name: 'an unknown format', reason: 'names what there is', in: [...WIDE, '-o', 'xml'], want: 2},
    {name: 'another scope', reason: 'the package decides', in: [...WIDE, '--scope', 'Namespaced'], want: 2},
    {name: 'nothing there', reason: 'a missing folder', in: ['./nowhere'], want: 1},
    {name: 'a link out of it', reason: 'it is not followed', in: [join(folder, 'linked')], want: 4},
  ])('fails for $name: $reason', async ({in: argv, want}) => {
    const {status, stdout, stderr} = await inspect(...argv)
    expect({status, stdout, stderr: /^Error: \S/.test(stderr)}).toEqual({
      status: want,
      stdout: '',
      stderr: true,
    })
  })
})

/** Colors, clears the screen, renames the window, hides itself, turns text around. */
const HOSTILE = String.raw`\e[31m\e[2J\e]0;owned\a\r\b\x9b1A\u202e\u200b\n\t`
const APP = (name: string) => `title: "${HOSTILE}"
overviewShort: "${HOSTILE} ${'long '.repeat(2000)}"
version: v1
company: "${HOSTILE}"
website: "${HOSTILE}"
keywords: ["${HOSTILE}"]
maintainers: [{name: "${HOSTILE}", email: "${HOSTILE}"}]
packageType: "${HOSTILE}"
permissionScope: "${name}"
dependsOn: [{crd: "${HOSTILE}.example.org/${HOSTILE}"}, {package: "${HOSTILE}", source: "${HOSTILE}"}]
`
const INSTALL = `kind: Deployment
spec:
  template:
    spec:
      nodeName: "${HOSTILE}"
      containers:
      - name: "${HOSTILE}"
        image: "${HOSTILE}"
        imagePullPolicy: "${HOSTILE}"
        command: ["${HOSTILE}"]
        args: ["${HOSTILE}"]
        securityContext: {procMount: "${HOSTILE}"}
        env: [{name: "${HOSTILE}", valueFrom: {secretKeyRef: {name: "${HOSTILE}", key: "${HOSTILE}"}}}]
      volumes: [{name: "${HOSTILE}", hostPath: {path: "${HOSTILE}"}}]
`
const TITLE = '\u001b[31m\u001b[2J\u001b]0;owned\u0007\r\b\u009b1A\u202e\u200b\n\t'

describe('a package with harmful control characters', () => {
  const folder = writeTree(temporaryFolder(), {
    'hostile/.registry/app.yaml': APP('Cluster'),
    'hostile/.registry/install.yaml': INSTALL,
    'refused/.registry/app.yaml': APP(HOSTILE),
  })
  const controls = /[^\P{Cc}\n]|[\p{Cf}\p{Zl}\p{Zp}]/u

  it('is escaped and truncated as text', async () => {
    const {status, stdout, stderr} = await inspect(`${folder}/hostile`)
    expect({status, stderr, controls: controls.exec(stdout)}).toEqual({status: 0, stderr: '', controls: null})
    expect(stdout.split('\n').filter(line => line.length > 1200)).toEqual([])
    expect(stdout).toContain(String.raw`Title         \u001b[31m\u001b[2J\u001b]0;owned\u0007`)
  })

  it.each(['json', 'yaml'])('is complete as %s, without control characters', async format => {
    const {status, stdout} = await inspect(`${folder}/hostile`, '-o', format)
    expect({status, controls: /[^\P{Cc}\n]/u.exec(stdout)}).toEqual({status: 0, controls: null})
    expect(load(stdout)).toMatchObject({package: {title: TITLE}})
  })

  it('is escaped in errors, too', async () => {
    const {status, stdout, stderr} = await inspect(`${folder}/refused`)
    expect({status, stdout, controls: controls.exec(stderr)}).toEqual({status: 1, stdout: '', controls: null})
  })
})
