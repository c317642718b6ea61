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

interface Job {
  readonly script: readonly string[]
  readonly rules: readonly {readonly if: string; readonly when?: string}[]
}

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
  async function runAction(variables: Variables, cwd = temporary): Promise<ProgramResult> {
    const runner = {RUNNER_OS: 'Linux', RUNNER_ARCH: 'X64', RUNNER_TEMP: temporary}
    const GITHUB_PATH = join(temporary, `path-${Math.random()}`)
    const bash = ['--noprofile', '--norc', '-e', '-o', 'pipefail', '-c']
    const env = {...runner, ...RELEASE, GITHUB_PATH, ...variables}
    const installed = await runProgram('bash', [...bash, install?.run ?? ''], {env})
    if (installed.status !== 0) return installed
    const PATH = [readFileSync(GITHUB_PATH, 'utf8').trim(), process.env.PATH].join(delimiter)
    return await runProgram('bash', [...bash, run?.run ?? ''], {cwd, env: {...env, PATH}})
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
    {
      name: 'update, which has no --policy',
      in: {COMMAND: 'update', ARGUMENTS: '', POLICY: 'policy.yaml'},
      want: ['update', '--git', '.', '--push', '--pr', 'github'],
    },
    {
      name: 'update, as the bot of the runner',
      in: {COMMAND: 'update', ARGUMENTS: '--limit\n5'},
      want: ['update', '--git', '.', '--push', '--pr', 'github', '--limit', '5'],
    },
    {
      name: 'promote, which has no --policy',
      in: {COMMAND: 'promote', ARGUMENTS: '--next\n--soak\n24h', POLICY: 'policy.yaml'},
      want: ['promote', '--git', '.', '--push', '--pr', 'github', '--next', '--soak', '24h'],
    },
  ])('runs $name', async ({in: variables, want}) => {
    expect(await runAction(variables)).toEqual({
      status: 0,
      signal: null,
      stdout: ['package', ...want, ''].join('\n'),
      stderr: '',
    })
  })

  it.each([{name: 'impact'}, {name: 'fleet'}])(
    'shows $name in the summary of the job and keeps it for a comment, also if it finds something',
    async ({name}) => {
      const [GITHUB_STEP_SUMMARY, GITHUB_OUTPUT] = [join(temporary, 'summary'), join(temporary, 'output')]
      const tools = {'bin/kubectl-crossplane': '#!/bin/sh\nprintf "%s " "$@"\nexit 1\n'}
      writeTree(temporary, {...tools, summary: 'before\n', output: ''})
      chmodSync(join(temporary, 'bin/kubectl-crossplane'), 0o755)
      const env = {
        COMMAND: name,
        POLICY: name === 'fleet' ? 'policy.yaml' : '',
        ARGUMENTS: '-f\nobjects',
        RUNNER_TEMP: temporary,
        GITHUB_STEP_SUMMARY,
        GITHUB_OUTPUT,
      }
      const PATH = [join(temporary, 'bin'), process.env.PATH].join(delimiter)
      const result = await runProgram('bash', ['-e', '-o', 'pipefail', '-c', run?.run ?? ''], {
        env: {...env, PATH},
      })
      const body = `package ${name} --output markdown -f objects `
      expect(result).toMatchObject({status: 1, stdout: body})
      expect(readFileSync(GITHUB_STEP_SUMMARY, 'utf8')).toBe(`before\n${body}`)
      const [, file = ''] = /^body-file=(.+)\n$/.exec(readFileSync(GITHUB_OUTPUT, 'utf8')) ?? []
      expect(readFileSync(file, 'utf8')).toBe(body)
    },
  )

  it.each([{name: 'update'}, {name: 'promote'}])(
    'commits as the bot, unless another author is given: $name',
    async ({name}) => {
      writeTree(temporary, {'env/kubectl-crossplane': '#!/bin/sh\nenv | grep ^GIT_ | sort\n'})
      chmodSync(join(temporary, 'env/kubectl-crossplane'), 0o755)
      const PATH = [join(temporary, 'env'), process.env.PATH].join(delimiter)
      const env = {COMMAND: name, ARGUMENTS: '', GIT_AUTHOR_NAME: 'Ada', PATH}
      const {stdout} = await runProgram('bash', ['-c', run?.run ?? ''], {env})
      expect(
        stdout
          .trim()
          .split('\n')
          .filter(line => /_(?:NAME|EMAIL)=/.test(line)),
      ).toEqual([
        'GIT_AUTHOR_EMAIL=41898282+github-actions[bot]@users.noreply.github.com',
        'GIT_AUTHOR_NAME=Ada',
        'GIT_COMMITTER_EMAIL=41898282+github-actions[bot]@users.noreply.github.com',
        'GIT_COMMITTER_NAME=github-actions[bot]',
      ])
    },
  )

  it('fetches the history of the base branch for a check', async () => {
    const git = (at: string, ...words: readonly string[]) =>
      execFileSync('git', ['-C', at, '-c', 'user.name=a', '-c', 'user.email=a@example.org', ...words], {
        encoding: 'utf8',
        stdio: 'pipe',
      }).trim()
    const [origin, clone] = [join(temporary, 'origin'), join(temporary, 'clone')]
    mkdirSync(origin)
    git(origin, 'init', '--quiet', '--initial-branch=main')
    git(origin, 'config', 'uploadpack.allowAnySHA1InWant', 'true')
    for (const message of ['first', 'second'])
      git(origin, 'commit', '--quiet', '--allow-empty', '-m', message)
    const base = git(origin, 'rev-parse', 'HEAD')
    git(origin, 'checkout', '--quiet', '-b', 'change')
    for (const message of ['third', 'fourth'])
      git(origin, 'commit', '--quiet', '--allow-empty', '-m', message)
    git(temporary, 'clone', '--quiet', '--depth=1', '--branch=change', `file://${origin}`, clone)
    const variables = {COMMAND: 'check', ARGUMENTS: '', GITHUB_BASE_REF: 'main'}
    expect(await runAction(variables, clone)).toMatchObject({status: 0, stderr: ''})
    expect(git(clone, 'merge-base', 'HEAD', 'origin/main')).toBe(base)
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
  const [, jobs] = loadAll(text) as [unknown, Readonly<Record<string, Job>>]
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
      name: 'impact',
      in: {COMMAND: 'impact', ARGUMENTS: ''},
      want: ['impact', '--output', 'markdown'],
    },
    {
      name: 'fleet, which has no policy',
      in: {COMMAND: 'fleet', ARGUMENTS: 'clusters', POLICY: 'policy.yaml'},
      want: ['fleet', '--output', 'markdown', 'clusters'],
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

  const PROJECT = {
    CI_SERVER_URL: 'https://gitlab.example.org',
    CI_PROJECT_PATH: 'team/deploy',
    CI_COMMIT_BRANCH: 'main',
  }

  it.each([{name: 'update'}, {name: 'promote'}])(
    'opens requests, without a policy: $name',
    async ({name}) => {
      const update = {COMMAND: name, ARGUMENTS: '--limit\n5', POLICY: 'policy.yaml', ...PROJECT}
      const {status, stdout} = await runScript(update)
      const git = [
        '--git',
        'https://gitlab.example.org/team/deploy.git',
        '--branch',
        'main',
        '--pr',
        'gitlab',
      ]
      expect({status, lines: stdout.trimEnd().split('\n').slice(1)}).toEqual({
        status: 0,
        lines: ['package', name, ...git, '--limit', '5'],
      })
    },
  )

  it('has Git send the token of updates to GitLab alone, and leaves nothing behind', async () => {
    const asked = join(temporary, 'asked')
    const HOME = join(temporary, 'home')
    writeTree(temporary, {
      'home/.gitconfig': `[credential]\nhelper = "!cat >>${asked}; :"\n`,
      'asks/curl': '#!/bin/sh\n:\n',
      'asks/sha256sum': '#!/bin/sh\ncat >/dev/null\n',
      'asks/tar': `#!/bin/sh
mkdir -p "$4/kubectl-crossplane"
cat >"$4/kubectl-crossplane/kubectl-crossplane" <<'EOF'
#!/bin/sh
for host in gitlab.example.org github.com; do
  credential="protocol=https\nhost=$host\npath=a.git\n"
  printf "$credential\n" | git credential fill || echo "nothing for $host"
  printf "$credential\nusername=updates\npassword=glpat-secret\n\n" | git credential approve
done
git config other.key
EOF
chmod +x "$4/kubectl-crossplane/kubectl-crossplane"
`,
    })
    for (const name of ['curl', 'sha256sum', 'tar']) chmodSync(join(temporary, 'asks', name), 0o755)
    const before = readFileSync(join(HOME, '.gitconfig'), 'utf8')
    const {status, stdout} = await runScript({
      ...{COMMAND: 'update', ARGUMENTS: '', UPDATE_TOKEN: 'glpat-secret', ...PROJECT},
      ...{GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'other.key', GIT_CONFIG_VALUE_0: 'other value'},
      ...{HOME, GIT_CONFIG_GLOBAL: join(HOME, '.gitconfig'), GIT_TERMINAL_PROMPT: '0', GIT_ASKPASS: 'false'},
      PATH: [join(temporary, 'asks'), process.env.PATH].join(delimiter),
    })
    expect(status).toBe(0)
    expect(stdout.match(/password=.*|nothing.*|other.*/g)).toEqual([
      'password=glpat-secret',
      'nothing for github.com',
      'other value',
    ])
    expect(readFileSync(join(HOME, '.gitconfig'), 'utf8')).toBe(before)
    expect(readFileSync(asked, 'utf8')).not.toContain('gitlab.example.org')
  })

  it.each<{readonly name: string; readonly command: string; readonly in: Variables; readonly want: boolean}>([
    {
      name: 'update by a schedule of another branch',
      ...{command: 'update', in: {CI_PIPELINE_SOURCE: 'schedule', CI_COMMIT_BRANCH: 'release'}, want: true},
    },
    {
      name: 'update by a schedule of a tag',
      ...{command: 'update', in: {CI_PIPELINE_SOURCE: 'schedule'}, want: false},
    },
    {
      name: 'update by a push',
      ...{command: 'update', in: {CI_PIPELINE_SOURCE: 'push', CI_COMMIT_BRANCH: 'main'}, want: false},
    },
    {
      name: 'update in a merge request',
      ...{command: 'update', in: {CI_PIPELINE_SOURCE: 'merge_request_event'}, want: false},
    },
    {
      name: 'promote by a schedule',
      ...{command: 'promote', in: {CI_PIPELINE_SOURCE: 'schedule', CI_COMMIT_BRANCH: 'main'}, want: true},
    },
    {
      name: 'promote by a push to the default branch',
      ...{command: 'promote', in: {CI_PIPELINE_SOURCE: 'push', CI_COMMIT_BRANCH: 'main'}, want: false},
    },
    {
      name: 'fleet by a schedule',
      ...{command: 'fleet', in: {CI_PIPELINE_SOURCE: 'schedule', CI_COMMIT_BRANCH: 'main'}, want: true},
    },
    {
      name: 'fleet in a merge request',
      ...{command: 'fleet', in: {CI_PIPELINE_SOURCE: 'merge_request_event'}, want: false},
    },
    {
      name: 'check in a merge request',
      ...{command: 'check', in: {CI_PIPELINE_SOURCE: 'merge_request_event'}, want: true},
    },
    {
      name: 'check by a push to another branch',
      ...{command: 'check', in: {CI_PIPELINE_SOURCE: 'push', CI_COMMIT_BRANCH: 'release'}, want: false},
    },
    {
      name: 'check by a push to the default branch',
      ...{command: 'check', in: {CI_PIPELINE_SOURCE: 'push', CI_COMMIT_BRANCH: 'main'}, want: true},
    },
  ])('decides whether to run $name', ({command, in: variables, want}) => {
    const all: Variables = {CI_DEFAULT_BRANCH: 'main', ...variables}
    const value = (word: string) =>
      word.startsWith('$')
        ? (all[word.slice(1)] ?? '')
        : word.slice(1, -1).replace('$[[ inputs.command ]]', command)
    const isTrue = (condition: string) =>
      condition.split(' && ').every(part => {
        const [left = '', right] = part.split(' == ')
        return right === undefined ? value(left) !== '' : value(left) === value(right)
      })
    const rules = jobs['crossplane-$[[ inputs.command ]]']?.rules ?? []
    const first = rules.find(rule => isTrue(rule.if))
    expect(first !== undefined && first.when !== 'never').toBe(want)
  })

  it('fails for another checksum', async () => {
    const {status, stdout} = await runScript({COMMAND: 'check', ARGUMENTS: '', SHA256: 'a'.repeat(64)})
    expect(status).not.toBe(0)
    expect(stdout).not.toContain('package')
  })
})
