import {describe, expect, it} from '@jest/globals'
import {execFileSync} from 'node:child_process'
import {createHash} from 'node:crypto'
import {chmodSync, mkdirSync, readFileSync} from 'node:fs'
import {delimiter, join} from 'node:path'
import {load, loadAll} from 'js-yaml'
import {type ProgramResult, runProgram} from './run-program.js'
import {temporaryFolder, writeTree} from './temporary-folder.js'

const root = join(import.meta.dirname, '..')
const temporary = temporaryFolder()

/** A release whose program prints its arguments, for two platforms. */
const PROGRAM = '#!/bin/sh\nprintf "%s\\n" "$@"\n'
const releases = join(temporary, 'releases')
writeTree(temporary, {'content/kubectl-crossplane/kubectl-crossplane': PROGRAM})
chmodSync(join(temporary, 'content/kubectl-crossplane/kubectl-crossplane'), 0o755)
mkdirSync(join(releases, 'v1.2.3'), {recursive: true})
const ARCHIVE = 'kubectl-crossplane-linux-amd64.tar.gz'
execFileSync('tar', ['-czf', join(releases, 'v1.2.3', ARCHIVE), '-C', join(temporary, 'content'), '.'])
const sum = createHash('sha256')
  .update(readFileSync(join(releases, 'v1.2.3', ARCHIVE)))
  .digest('hex')
writeTree(releases, {
  'v1.2.3/checksums.txt': `${'0'.repeat(64)}  other\n${sum}  ${ARCHIVE}\n`,
  'v9/checksums.txt': `${sum}  other\n`,
  [`v9/${ARCHIVE}`]: readFileSync(join(releases, 'v1.2.3', ARCHIVE)),
})
const RELEASE = {VERSION: 'v1.2.3', SHA256: '', URL: `file://${releases}`}

/** Variables of a run. */
type Variables = Readonly<Record<string, string>>

interface Action {
  readonly inputs: Readonly<Record<string, {readonly default?: string}>>
  readonly runs: {
    readonly steps: readonly {readonly env: Readonly<Record<string, string>>; readonly run: string}[]
  }
}

describe('action.yml', () => {
  const action = load(readFileSync(join(root, 'action.yml'), 'utf8')) as Action
  const [install, run] = action.runs.steps

  /** Runs both steps as a runner does, the second with the PATH of the first. */
  async function runAction(variables: Variables): Promise<ProgramResult> {
    const runner = {RUNNER_OS: 'Linux', RUNNER_ARCH: 'X64', RUNNER_TEMP: temporary}
    const GITHUB_PATH = join(temporary, `path-${Math.random()}`)
    const bash = ['--noprofile', '--norc', '-e', '-o', 'pipefail', '-c']
    const env = {...runner, ...RELEASE, GITHUB_PATH, ...variables}
    const installed = await runProgram('bash', [...bash, install?.run ?? ''], {env})
    if (installed.status !== 0) return installed
    const PATH = [readFileSync(GITHUB_PATH, 'utf8').trim(), process.env.PATH].join(delimiter)
    return await runProgram('bash', [...bash, run?.run ?? ''], {env: {...env, PATH}})
  }

  it('installs from where releases are', () => {
    const {spec} = load(readFileSync(join(root, 'krew-manifest.yaml'), 'utf8')) as {
      readonly spec: {readonly homepage: string}
    }
    expect(action.inputs.url?.default).toBe(spec.homepage)
  })

  it('has no input in the text of a script', () => {
    expect(action.runs.steps.map(step => step.run.includes('${{'))).toEqual([false, false])
    const used = action.runs.steps.flatMap(({env}) => Object.values(env))
    expect(used.sort()).toEqual(
      Object.keys(action.inputs)
        .map(name => `\${{ inputs.${name} }}`)
        .sort(),
    )
  })

  it.each<{readonly name: string; readonly in: Variables; readonly want: readonly string[]}>([
    {name: 'lint', in: {COMMAND: 'lint', ARGUMENTS: './a'}, want: ['lint', '--output', 'github', './a']},
    {
      name: 'check without arguments',
      in: {COMMAND: 'check', ARGUMENTS: ''},
      want: ['check', '--output', 'github'],
    },
    {
      name: 'render, which only previews',
      in: {COMMAND: 'render', ARGUMENTS: '--output-dir\na b\n\n'},
      want: ['render', '--output', 'github', '--dry-run', '--output-dir', 'a b'],
    },
    {
      name: 'check with a policy, which is one word',
      in: {COMMAND: 'check', ARGUMENTS: '--git\n.', POLICY: 'a policy; touch ran'},
      want: ['check', '--output', 'github', '--policy', 'a policy; touch ran', '--git', '.'],
    },
    {
      name: 'flags before the end of flags',
      in: {COMMAND: 'render', ARGUMENTS: '--\n-a'},
      want: ['render', '--output', 'github', '--dry-run', '--', '-a'],
    },
    {
      name: 'the text of arguments, which does not run',
      in: {COMMAND: 'lint', ARGUMENTS: '$(touch ran)\n`touch ran`; touch ran\n*'},
      want: ['lint', '--output', 'github', '$(touch ran)', '`touch ran`; touch ran', '*'],
    },
    {
      name: 'a release with a given checksum',
      in: {COMMAND: 'check', ARGUMENTS: '', SHA256: sum.toUpperCase()},
      want: ['check', '--output', 'github'],
    },
  ])('runs $name', async ({in: variables, want}) => {
    expect(await runAction(variables)).toEqual({
      status: 0,
      signal: null,
      stdout: ['package', ...want, ''].join('\n'),
      stderr: '',
    })
  })

  it.each<{readonly name: string; readonly in: Variables; readonly want: RegExp}>([
    {name: 'another checksum', in: {SHA256: 'a'.repeat(64)}, want: /^::error::.*SHA-256/m},
    {name: 'a release without a checksum', in: {VERSION: 'v9'}, want: /^::error::.*SHA-256/m},
    {name: 'a version that is a path', in: {VERSION: 'v1/../v1.2.3'}, want: /^::error::.*version/m},
    {name: 'an absent release', in: {VERSION: 'v2'}, want: /^::error::.*cannot download/m},
    {name: 'plain HTTP', in: {URL: 'http://localhost:1'}, want: /^::error::.*cannot download/m},
    {name: 'a location that looks like a flag', in: {URL: '-V'}, want: /^::error::.*cannot download/m},
    {name: 'Windows', in: {RUNNER_OS: 'Windows'}, want: /^::error::.*platform/m},
    {name: 'another command', in: {COMMAND: 'push'}, want: /^::error::.*command/m},
  ])('fails for $name', async ({in: variables, want}) => {
    const {status, stdout} = await runAction({COMMAND: 'check', ARGUMENTS: '', ...variables})
    expect(status).not.toBe(0)
    expect(stdout).toMatch(want)
  })
})

describe('the component of GitLab', () => {
  const text = readFileSync(join(root, 'templates/crossplane.yml'), 'utf8')
  const [, jobs] = loadAll(text) as [unknown, Readonly<Record<string, {readonly script: readonly string[]}>>]
  const [script = ''] = jobs['crossplane-$[[ inputs.command ]]']?.script ?? []
  const runScript = async (variables: Variables) =>
    await runProgram('sh', ['-c', script], {env: {...RELEASE, SHA256: sum, ...variables}})

  it('has no input in the text of its script', () => {
    expect(script).toContain('set -eu')
    expect(script).not.toContain('$[[')
  })

  it.each<{readonly name: string; readonly in: Variables; readonly want: readonly string[]}>([
    {name: 'check', in: {COMMAND: 'check', ARGUMENTS: '--git\n.'}, want: ['check', '--git', '.']},
    {
      name: 'check with a policy',
      in: {COMMAND: 'check', ARGUMENTS: '', POLICY: 'a b.yaml'},
      want: ['check', '--policy', 'a b.yaml'],
    },
    {
      name: 'render',
      in: {COMMAND: 'render', ARGUMENTS: '$(touch ran) a'},
      want: ['render', '--dry-run', '$(touch ran) a'],
    },
  ])('runs $name', async ({in: variables, want}) => {
    const {status, stdout} = await runScript(variables)
    expect({status, lines: stdout.trimEnd().split('\n').slice(1)}).toEqual({
      status: 0,
      lines: ['package', ...want],
    })
  })

  it('fails for another checksum', async () => {
    const {status, stdout} = await runScript({COMMAND: 'check', ARGUMENTS: '', SHA256: 'a'.repeat(64)})
    expect(status).not.toBe(0)
    expect(stdout).not.toContain('package')
  })
})
