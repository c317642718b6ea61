import {execFileSync} from 'node:child_process'
import {existsSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {gunzipSync} from 'node:zlib'
import {describe, expect, it} from '@jest/globals'
import {openCheckout} from '../../src/adapters/git/checkout.js'
import {gitEnvironment} from '../../src/adapters/git/git-environment.js'
import {gitIn} from '../../src/adapters/git/git-program.js'
import {git as sourceControl} from '../../src/adapters/git/source-facts.js'
import {missingTool} from '../missing-tool.js'
import {describeReal} from '../real-parts.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'
import {withVariables} from '../commands/git/git-world.js'

interface GitVariable {
  readonly name: string
  /** A value that shows its effect; `OTHER` stands for the root of another repository. */
  readonly value: string
}

/** Variables that the program passes on, by what they are for: those that git(1) documents up to git 2.54, and some of other pages. */
const PASSED_ON: Readonly<Record<string, readonly GitVariable[]>> = {
  identities: table(`
    EMAIL=email@example.org
    GIT_AUTHOR_DATE=2001-02-03T04:05:06Z
    GIT_AUTHOR_EMAIL=author@example.org
    GIT_AUTHOR_NAME=Author
    GIT_COMMITTER_DATE=2001-02-03T04:05:06Z
    GIT_COMMITTER_EMAIL=committer@example.org
    GIT_COMMITTER_NAME=Committer
    GIT_REFLOG_ACTION=rebase
    GPG_TTY=/dev/null
  `),
  files: table(`
    GIT_ATTR_NOSYSTEM=1
    GIT_ATTR_SOURCE=HEAD
    GIT_CEILING_DIRECTORIES=/nowhere
    GIT_COMMIT_GRAPH_PARANOIA=0
    GIT_CONFIG_GLOBAL=/dev/null
    GIT_CONFIG_NOSYSTEM=1
    GIT_CONFIG_SYSTEM=/dev/null
    GIT_DEFAULT_HASH=sha256
    GIT_DEFAULT_REF_FORMAT=files
    GIT_DEFAULT_REF_STORAGE_FORMAT=files
    GIT_DISCOVERY_ACROSS_FILESYSTEM=1
    GIT_INDEX_VERSION=4
    GIT_NO_LAZY_FETCH=1
    GIT_NO_REPLACE_OBJECTS=1
    GIT_OPTIONAL_LOCKS=0
    GIT_REF_PARANOIA=1
    GIT_TEMPLATE_DIR=/nowhere
  `),
  programs: table(`
    GIT_ASKPASS=askpass
    GIT_EDITOR=editor-of-the-user
    GIT_EXTERNAL_DIFF=false
    GIT_EXTERNAL_DIFF_TRUST_EXIT_CODE=1
    GIT_PAGER=false
    GIT_PROXY_COMMAND=false
    GIT_SEQUENCE_EDITOR=false
    GIT_SSH=ssh-of-the-user
    GIT_SSH_VARIANT=simple
    PAGER=false
    PREFIX=/nowhere
    SSH_ASKPASS=askpass
    VISUAL=false
  `),
  output: table(`
    GIT_ADVICE=0
    GIT_DIFF_OPTS=--unified=0
    GIT_DIFF_PATH_COUNTER=1
    GIT_DIFF_PATH_TOTAL=1
    GIT_FLUSH=1
    GIT_MERGE_VERBOSITY=5
    GIT_PRINT_SHA1_ELLIPSIS=yes
    GIT_PROGRESS_DELAY=0
  `),
  network: table(`
    GIT_ALLOW_PROTOCOL=file:https
    GIT_PROTOCOL=version=2
    GIT_PROTOCOL_FROM_USER=0
    GIT_SSL_NO_VERIFY=1
    HTTPS_PROXY=http://127.0.0.1:1
    all_proxy=http://127.0.0.1:1
    http_proxy=http://127.0.0.1:1
    no_proxy=example.org
  `),
  traces: table(`
    GIT_TRACE=1
    GIT_TRACE_CURL=1
    GIT_TRACE_CURL_NO_DATA=1
    GIT_TRACE_FSMONITOR=1
    GIT_TRACE_PACKET=1
    GIT_TRACE_PACKFILE=1
    GIT_TRACE_PACK_ACCESS=1
    GIT_TRACE_PERFORMANCE=1
    GIT_TRACE_REDACT=0
    GIT_TRACE_REFS=1
    GIT_TRACE_SETUP=1
    GIT_TRACE_SHALLOW=1
  `),
  'traces of the second kind': table(`
    GIT_TRACE2=1
    GIT_TRACE2_EVENT=1
    GIT_TRACE2_PERF=1
  `),
}

/**
 * Variables without effect: they select another repository, index, configuration, object or reference store, change how git
 * reads the paths that this program passes, or take away what git prints.
 */
const WITHOUT_EFFECT: readonly GitVariable[] = table(`
  GIT_ALTERNATE_OBJECT_DIRECTORIES=OTHER/.git/objects
  GIT_COMMON_DIR=OTHER/.git
  GIT_CONFIG=OTHER/.git/config
  GIT_DIR=OTHER/.git
  GIT_GLOB_PATHSPECS=1
  GIT_GRAFT_FILE=OTHER/grafts
  GIT_ICASE_PATHSPECS=1
  GIT_IMPLICIT_WORK_TREE=0
  GIT_INDEX_FILE=OTHER/.git/index
  GIT_INTERNAL_SUPER_PREFIX=OTHER/
  GIT_LITERAL_PATHSPECS=1
  GIT_NAMESPACE=other
  GIT_NOGLOB_PATHSPECS=1
  GIT_OBJECT_DIRECTORY=OTHER/.git/objects
  GIT_PREFIX=other/
  GIT_QUARANTINE_PATH=OTHER/.git/objects
  GIT_REDIRECT_STDERR=OTHER/stderr
  GIT_REDIRECT_STDIN=OTHER/stdin
  GIT_REDIRECT_STDOUT=OTHER/stdout
  GIT_REFERENCE_BACKEND=files
  GIT_REF_STORAGE_FORMAT=files
  GIT_REPLACE_REF_BASE=refs/other
  GIT_SHALLOW_FILE=OTHER/shallow
  GIT_WORK_TREE=OTHER
`)

/** Lines of NAME=VALUE. */
function table(text: string): readonly GitVariable[] {
  return text
    .trim()
    .split('\n')
    .map(line => {
      const [name = '', ...value] = line.trim().split('=')
      return {name, value: value.join('=')}
    })
}

/** How git names itself to what it runs; set by git for each hook, alias and `rebase --exec`. */
const EXEC_PATH = 'GIT_EXEC_PATH'

describeReal('a variable of the environment', missingTool('git'), () => {
  const temporary = temporaryFolder()
  const [root, other] = [repository('ours'), repository('other')]
  let commits = 0

  function repository(name: string): string {
    const folder = join(temporary, name)
    execFileSync('git', ['init', '--quiet', '--initial-branch=main', folder])
    writeTree(folder, {'README.md': `${name}\n`})
    inFolder(folder, 'config', 'user.name', 'a')
    inFolder(folder, 'config', 'user.email', 'a@example.org')
    inFolder(folder, 'add', '.')
    inFolder(folder, 'commit', '--quiet', '-m', 'first')
    return folder
  }

  function inFolder(folder: string, ...args: string[]): string {
    return execFileSync('git', ['-C', folder, ...args], {encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe']})
  }

  /** Reads and commits as commands do, and returns what the programs that git runs see. */
  async function used(): Promise<{readonly env: string; readonly facts: unknown; readonly files: string}> {
    const git = await gitIn(root)
    const env = await git.run(['-c', 'alias.print-variables=!env', 'print-variables'])
    const checkout = await openCheckout(root)
    const path = `files/${(commits += 1)}[a]*.yaml`
    writeTree(root, {[path]: 'a: 1\n', 'FILES/x.yaml': 'not ours\n'})
    expect(await checkout.changed([path])).toEqual([{path, isStaged: false, isModified: true}])
    expect(await checkout.blocked([path])).toEqual([])
    const {isAlone} = await checkout.stage(new Map([[path, 'a: 1\n']]))
    const {head} = await checkout.state()
    const content = {paths: [path], isAlone, message: 'one', ...(head === undefined ? {} : {after: head})}
    await checkout.commit(content, {signoff: false})
    return {env, facts: await sourceControl.facts(join(root, 'files'), []), files: path}
  }

  async function expectUsed(): Promise<string> {
    const before = [inFolder(other, 'rev-parse', 'HEAD'), inFolder(other, 'status', '--porcelain')]
    const {env, facts, files} = await used()
    const revision = inFolder(root, 'rev-parse', 'HEAD').trim()
    expect(inFolder(root, 'show', '--format=', '--name-only', '-z', 'HEAD')).toBe(`${files}\0`)
    expect(facts).toEqual({isDirty: false, revision})
    expect([inFolder(other, 'rev-parse', 'HEAD'), inFolder(other, 'status', '--porcelain')]).toEqual(before)
    return env
  }

  it.each(Object.entries(PASSED_ON))('for %s is passed on', async (_, variables) => {
    const set = Object.fromEntries(variables.map(({name, value}) => [name, value]))
    const env = await withVariables(set, expectUsed)
    expect(env.split('\n')).toEqual(
      expect.arrayContaining(variables.map(({name, value}) => `${name}=${value}`)),
    )
  })

  it.each(WITHOUT_EFFECT)('$name=$value has no effect', async ({name, value}) => {
    const set = value.replaceAll('OTHER', other)
    const env = await withVariables({[name]: set}, expectUsed)
    expect(env.split('\n')).not.toContain(`${name}=${set}`)
  })

  it('GIT_EXEC_PATH is passed on as git sets it', async () => {
    const path = inFolder(root, '--exec-path').trim()
    const env = await withVariables({[EXEC_PATH]: path}, expectUsed)
    expect(env.split('\n')).toContain(`${EXEC_PATH}=${path}`)
  })

  it('as configuration is passed on, whichever program or file it names', async () => {
    const keys = [
      'alias.a', 'core.askPass', 'core.editor', 'core.fsmonitor', 'core.gitProxy', 'core.pager', 'core.sshCommand',
      'credential.helper', 'diff.external', 'diff.a.command', 'diff.a.textconv', 'difftool.a.cmd', 'filter.a.clean',
      'filter.a.process', 'filter.a.smudge', 'gpg.program', 'merge.a.driver', 'mergetool.a.cmd', 'mergetool.a.path',
      'pager.log', 'remote.origin.receivepack', 'remote.origin.uploadpack', 'sequence.editor', 'submodule.a.update',
      'tar.a.command', 'trailer.a.cmd', 'trailer.a.command', 'uploadpack.packObjectsHook', 'url.a.insteadOf',
    ] // oxfmt-ignore
    const set = [
      ...keys.map(key => [key, key === 'core.fsmonitor' ? 'false' : 'true']),
      ['core.hooksPath', join(temporary, 'none')],
      ['include.path', join(temporary, 'none')],
      ['init.templateDir', join(temporary, 'none')],
      ['protocol.file.allow', 'always'],
    ]
    const counted = set.flatMap(([key = '', value = ''], index) => [
      [`GIT_CONFIG_KEY_${index}`, key],
      [`GIT_CONFIG_VALUE_${index}`, value],
    ])
    const variables: Readonly<Record<string, string>> = {
      ...(Object.fromEntries(counted) as Record<string, string>),
      GIT_CONFIG_COUNT: String(set.length),
    }
    await withVariables({...variables, GIT_CONFIG_PARAMETERS: "'core.editor'='false'"}, expectUsed)
    const read = async () => await (await gitIn(root)).find(['config', '--get', 'core.sshCommand'])
    expect(await withVariables(variables, read)).toBe('true\n')
  })

  it('has a row if git regards it as one of a repository', () => {
    const rows = namesWithRows()
    const ofRepository = inFolder(root, 'rev-parse', '--local-env-vars').trim().split('\n')
    const ofConfiguration = ['GIT_CONFIG_COUNT', 'GIT_CONFIG_PARAMETERS']
    expect(ofRepository.filter(name => !rows.includes(name)).sort()).toEqual(ofConfiguration)
  })
})

function namesWithRows(): readonly string[] {
  return [...Object.values(PASSED_ON).flat(), ...WITHOUT_EFFECT].map(({name}) => name)
}

const MANUAL = '/usr/share/man/man1/git.1.gz'

describeReal('the manual of git', existsSync(MANUAL) ? undefined : `${MANUAL} does not exist`, () => {
  it('documents no variable without a row', () => {
    const rows = [EXEC_PATH, 'GIT_TERMINAL_PROMPT', 'GIT_SSH_COMMAND', ...namesWithRows()]
    const documented =
      gunzipSync(readFileSync(MANUAL))
        .toString()
        .match(/GIT_[A-Z0-9_]+/g) ?? []
    expect(new Set(documented).size).toBeGreaterThan(60)
    expect([...new Set(documented)].filter(name => !rows.includes(name))).toEqual([])
  })
})

describe('the environment of git', () => {
  it('is that of the user, without what names another repository', () => {
    const env = {
      HOME: '/home/a',
      GIT_AUTHOR_NAME: 'A',
      GIT_DIR: '/b/.git',
      GIT_INDEX_FILE: '/b/index',
      NO: undefined,
    }
    expect(gitEnvironment(env, true)).toEqual({HOME: '/home/a', GIT_AUTHOR_NAME: 'A', LANGUAGE: 'en'})
  })

  it.each([
    {name: 'no variable', env: {}, ssh: {GIT_SSH_COMMAND: 'ssh -i configured -o BatchMode=yes'}},
    {
      name: 'a command for ssh',
      env: {GIT_SSH_COMMAND: 'ssh -i key'},
      ssh: {GIT_SSH_COMMAND: 'ssh -i key -o BatchMode=yes'},
    },
    {name: 'a program for ssh', env: {GIT_SSH: 'plink'}, ssh: {GIT_SSH: 'plink'}},
  ])('without a terminal extends the configured program for ssh, with $name', ({env, ssh}) => {
    expect(gitEnvironment(env, false, 'ssh -i configured')).toEqual({
      ...ssh,
      LANGUAGE: 'en',
      GIT_TERMINAL_PROMPT: '0',
    })
  })

  it.each([
    {name: 'no program for ssh', env: {}, ssh: {GIT_SSH_COMMAND: 'ssh -o BatchMode=yes'}},
    {
      name: 'a command for ssh',
      env: {GIT_SSH_COMMAND: 'ssh -i key'},
      ssh: {GIT_SSH_COMMAND: 'ssh -i key -o BatchMode=yes'},
    },
    {name: 'a program for ssh', env: {GIT_SSH: 'plink'}, ssh: {GIT_SSH: 'plink'}},
    {
      name: 'a program for passwords',
      env: {GIT_ASKPASS: 'pass'},
      ssh: {GIT_ASKPASS: 'pass', GIT_SSH_COMMAND: 'ssh -o BatchMode=yes'},
    },
  ])('without a terminal prompts for nothing, with $name', ({env, ssh}) => {
    expect(gitEnvironment(env, false)).toEqual({...ssh, LANGUAGE: 'en', GIT_TERMINAL_PROMPT: '0'})
  })
})
