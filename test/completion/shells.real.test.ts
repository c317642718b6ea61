import {afterEach, beforeAll, expect, it} from '@jest/globals'
import {chmodSync, existsSync, symlinkSync} from 'node:fs'
import {delimiter, dirname, join} from 'node:path'
import {builtProgram, givenProgram} from '../built-program.js'
import {missingTool} from '../missing-tool.js'
import {describeReal} from '../real-parts.js'
import {type ProgramResult, runProgram} from '../run-program.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'

/** What a shell completes words to, in the order of its list. */
interface Case {
  readonly name: string
  readonly line: string
  readonly want: readonly string[]
}

const DECLARATION =
  'apiVersion: packages.kubectl-crossplane.dev/v1alpha1\nkind: PackageDeclaration\npackages:\n- package: registry.example.org:5000/app:v1\n'

/** Contexts whose names a shell would evaluate or a terminal would obey, and users whose programs must not run. */
const KUBECONFIG = JSON.stringify({
  contexts: [
    'admin@kind:prod',
    'arn:aws:eks:eu-west-1:1:cluster/prod',
    'arn $(touch ran)',
    'arn`touch ran`',
    'arn;touch ran',
    `arn'"`,
    'arn\n:1',
    'arn\u001b[2J',
    '--force',
  ].map(name => ({name, context: {cluster: 'one', user: 'me'}})),
  users: [{name: 'me', user: {exec: {apiVersion: 'client.authentication.k8s.io/v1', command: 'ran'}}}],
})
const CREDENTIALS = JSON.stringify({
  auths: {'registry.example.org:5000': {}, 'registry.example.org$(touch ran)': {}},
  credHelpers: {'quay.example.org': 'ran'},
  credsStore: 'ran',
})

/** What an interactive bash reads first: Ctrl-T prints the line. */
const BASHRC = `PS1=
eval "$(kubectl-crossplane completion bash)"
show() { printf 'LINE<%s>\\n' "$READLINE_LINE"; }
bind -x '"\\C-t": show'
printf REA
echo DY
`

const temporary = temporaryFolder()
const programs = join(temporary, 'bin')
const folder = writeTree(join(temporary, 'work'), {
  'charts/a': '',
  'crossplane-packages.lock': 'packages: [',
  'packages.yaml': DECLARATION,
  'packages/example/local@v0.1.0/oci-layout': '',
  'packages/example/local$(touch ran)@v0.1.0/oci-layout': '',
  kubeconfig: KUBECONFIG,
  bashrc: BASHRC,
})
const env = {
  PATH: [programs, process.env.PATH].join(delimiter),
  HOME: temporary,
  TERM: 'dumb',
  KUBECONFIG: 'kubeconfig',
  REGISTRY_AUTH_FILE: join(temporary, 'auth.json'),
}

beforeAll(() => {
  writeTree(temporary, {'auth.json': CREDENTIALS})
  for (const name of ['ran', 'docker-credential-ran']) {
    writeTree(programs, {[name]: `#!/bin/sh\ntouch ${join(folder, 'ran')}\n`})
    chmodSync(join(programs, name), 0o755)
  }
  const given = givenProgram()
  const program = given ?? builtProgram()
  const completion = given === undefined ? 'complete.js' : 'kubectl_complete-crossplane'
  symlinkSync(program, join(programs, 'kubectl-crossplane'))
  symlinkSync(join(dirname(program), completion), join(programs, 'kubectl_complete-crossplane'))
})

// What was typed and what files contain is not evaluated, and no credential helper and no exec plugin starts.
afterEach(() => expect(existsSync(join(folder, 'ran'))).toBe(false))

async function shell(program: string, args: readonly string[]): Promise<ProgramResult> {
  return await runProgram(program, args, {env, cwd: folder})
}

async function linesOf(program: string, args: readonly string[]): Promise<readonly string[]> {
  const {status, stdout, stderr} = await shell(program, args)
  expect({status, stderr}).toEqual({status: 0, stderr: ''})
  return stdout.split('\n').filter(line => line !== '')
}

/** bash cuts words at `=`, `:` and, with a terminal, at `@`, and replaces only what is after the last of them. */
const BASH = `
eval "$(kubectl-crossplane completion bash)"
read -r _ _ called _ < <(complete -p kubectl-crossplane)
COMP_LINE=$1 COMP_POINT=\${#1}
shift
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
COMP_WORDBREAKS=\${BREAKS-$' \\t\\n"\\'@><=;|&(:'}
"$called"
printf '%s\\n' "\${COMPREPLY[@]}"
`

describeReal('completion in bash', missingTool('bash'), () => {
  it.each<Case & {readonly words: readonly string[]}>([
    {name: 'a noun', line: 'pack', words: ['pack'], want: ['package']},
    {
      name: 'a flag',
      line: 'package render --layo',
      words: ['package', 'render', '--layo'],
      want: ['--layout'],
    },
    {name: 'a choice', line: 'version -o ', words: ['version', '-o', ''], want: ['text', 'json', 'yaml']},
    {
      name: 'a choice after =',
      line: 'package render --layout=f',
      words: ['package', 'render', '--layout', '=', 'f'],
      want: ['flux'],
    },
    {
      name: 'nothing after =',
      line: 'package render --layout=',
      words: ['package', 'render', '--layout', '='],
      want: ['plain', 'flux', 'argocd'],
    },
    {
      name: 'a folder',
      line: 'package render --output-dir c',
      words: ['package', 'render', '--output-dir', 'c'],
      want: ['charts'],
    },
    {
      name: 'a file',
      line: 'package render --declaration cr',
      words: ['package', 'render', '--declaration', 'cr'],
      want: ['crossplane-packages.lock'],
    },
    {
      name: 'a package',
      line: 'package render --declaration packages.yaml registry.example.org:5000/a',
      words: ['package', 'render', '--declaration', 'packages.yaml', 'registry.example.org', ':', '5000/a'],
      want: ['5000/app:v1'],
    },
    {
      name: 'a tag',
      line: 'package render --declaration packages.yaml registry.example.org:5000/app:v',
      words: [
        'package',
        'render',
        '--declaration',
        'packages.yaml',
        'registry.example.org',
        ':',
        '5000/app',
        ':',
        'v',
      ],
      want: ['v1'],
    },
    {
      name: 'a context',
      line: 'package list --context arn:aws:',
      words: ['package', 'list', '--context', 'arn', ':', 'aws', ':'],
      want: ['eks:eu-west-1:1:cluster/prod'],
    },
    {
      name: 'a context with @',
      line: 'package list --context admin@',
      words: ['package', 'list', '--context', 'admin', '@k'],
      want: ['@kind:prod'],
    },
    {
      name: 'a registry with credentials',
      line: 'registry logout ',
      words: ['registry', 'logout', ''],
      want: ['quay.example.org', 'registry.example.org:5000'],
    },
    {
      name: 'a package in a folder of packages',
      line: 'package pull --packages packages example/l',
      words: ['package', 'pull', '--packages', 'packages', 'example/l'],
      want: ['example/local:v0.1.0'],
    },
    {
      name: 'a package in a folder of packages below ~',
      line: 'package pull --packages ~/work/packages example/l',
      words: ['package', 'pull', '--packages', '~/work/packages', 'example/l'],
      want: ['example/local:v0.1.0'],
    },
    {
      name: 'a package in a folder of packages below ~ after =',
      line: 'package pull --packages=~/work/packages example/l',
      words: ['package', 'pull', '--packages', '=', '~/work/packages', 'example/l'],
      want: ['example/local:v0.1.0'],
    },
    {
      name: 'after quotes',
      line: 'package render "a b" --layo',
      words: ['package', 'render', '"a b"', '--layo'],
      want: ['--layout'],
    },
    {
      name: 'after a substitution, which does not run',
      line: 'package render $(touch ran) --layo',
      words: ['package', 'render', '$(touch ran)', '--layo'],
      want: ['--layout'],
    },
  ])('$name', async ({line, words, want}) => {
    const args = ['--norc', '-c', BASH, 'bash', `kubectl-crossplane ${line}`, 'kubectl-crossplane', ...words]
    expect(await linesOf('bash', args)).toEqual(want)
  })

  it('a choice after =, where COMP_WORDBREAKS lacks it', async () => {
    const words = ['kubectl-crossplane', 'package', 'render', '--layout=f']
    const script = `BREAKS=' '\n${BASH}`
    const args = ['--norc', '-c', script, 'bash', words.join(' '), ...words]
    expect(await linesOf('bash', args)).toEqual(['--layout=flux'])
  })
})

/** Types a line and a tab into it, and prints the line that results. */
const BASH_TERMINAL = `
zmodload zsh/zpty
zpty shell bash --noprofile --rcfile bashrc -i
zpty -r -m shell out '*READY*'
zpty -w -n shell "$1"$'\\t\\x14'
zpty -r -m shell out '*LINE<*>*'
print -r -- "\${\${out##*LINE<}%%>*}"
zpty -d shell
`

describeReal('completion in bash on a terminal, which zsh emulates', missingTool('bash', 'zsh'), () => {
  it.each<Case>([
    {name: 'a context', line: 'list --context adm', want: ['list --context admin@kind:prod ']},
    {name: 'a context after @', line: 'list --context admin@ki', want: ['list --context admin@kind:prod ']},
    {
      name: 'a context after @ and :',
      line: 'list --context admin@kind:',
      want: ['list --context admin@kind:prod '],
    },
    {
      name: 'a context after = and :',
      line: 'list --context=arn:aws:',
      want: ['list --context=arn:aws:eks:eu-west-1:1:cluster/prod '],
    },
  ])('$name', async ({line, want}) => {
    const start = 'kubectl-crossplane package '
    const lines = await linesOf('zsh', ['-f', '-c', BASH_TERMINAL, 'zsh', `${start}${line}`])
    expect(lines).toEqual(want.map(each => `${start}${each}`))
  })
})

/** Types a line and a tab into an interactive zsh, and prints the line that results. */
const ZSH = `
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell 'PS1=; unsetopt PROMPT_SP PROMPT_CR; autoload -Uz compinit; compinit -u -D'
zpty -w shell 'source <(kubectl-crossplane completion zsh)'
zpty -w shell 'show() { zle -I; print -r -- "LINE<$BUFFER>" }; zle -N show; bindkey "^X" show; print REA""DY'
zpty -r -m shell out '*READY*'
zpty -w -n shell "$1"$'\\t\\x18'
zpty -r -m shell out '*LINE<*>*'
print -r -- "\${\${out##*LINE<}%%>*}"
zpty -d shell
`

describeReal('completion in zsh', missingTool('zsh'), () => {
  it.each<Case>([
    {name: 'a noun', line: 'pack', want: ['kubectl-crossplane package ']},
    {
      name: 'a choice',
      line: 'package render --layout=f',
      want: ['kubectl-crossplane package render --layout=flux '],
    },
    {
      name: 'a rule',
      line: 'package lint --explain crd-n',
      want: ['kubectl-crossplane package lint --explain crd-name '],
    },
    {
      name: 'a folder',
      line: 'package render --output-dir c',
      want: ['kubectl-crossplane package render --output-dir charts/'],
    },
    {
      name: 'a file',
      line: 'package render -f cross',
      want: ['kubectl-crossplane package render -f crossplane-packages.lock '],
    },
    {
      name: 'a folder after =',
      line: 'package render --output-dir=c',
      want: ['kubectl-crossplane package render --output-dir=charts/'],
    },
    {
      name: 'a file after =',
      line: 'package render --declaration=cross',
      want: ['kubectl-crossplane package render --declaration=crossplane-packages.lock '],
    },
    {
      name: 'a context',
      line: 'package list --context arn',
      want: ['kubectl-crossplane package list --context arn:aws:eks:eu-west-1:1:cluster/prod '],
    },
    {
      name: 'a registry with credentials',
      line: 'registry logout reg',
      want: ['kubectl-crossplane registry logout registry.example.org:5000 '],
    },
    {
      name: 'a package in a folder of packages',
      line: 'package pull --packages packages example/l',
      want: ['kubectl-crossplane package pull --packages packages example/local:v0.1.0 '],
    },
  ])('$name', async ({line, want}) => {
    expect(await linesOf('zsh', ['-f', '-c', ZSH, 'zsh', `kubectl-crossplane ${line}`])).toEqual(want)
  })
})

const FISH = 'kubectl-crossplane completion fish | source; complete -C "$argv"'

describeReal('completion in fish', missingTool('fish'), () => {
  it.each<Case>([
    {name: 'a noun', line: 'pack', want: ['package\tRender, install, build and publish packages']},
    {name: 'a choice', line: 'version -o ', want: ['text', 'json', 'yaml']},
    {name: 'a choice after =', line: 'package render --layout=f', want: ['--layout=flux']},
    {name: 'a folder', line: 'package render --output-dir c', want: ['charts/']},
    {name: 'a file', line: 'package render --declaration cross', want: ['crossplane-packages.lock']},
    {
      name: 'a file after =',
      line: 'package render --declaration=cross',
      want: ['--declaration=crossplane-packages.lock'],
    },
    {
      name: 'a context',
      line: 'package list --context ',
      want: ['admin@kind:prod', 'arn:aws:eks:eu-west-1:1:cluster/prod'],
    },
    {
      name: 'a registry with credentials',
      line: 'registry logout ',
      want: ['quay.example.org', 'registry.example.org:5000'],
    },
    {
      name: 'a package in a folder of packages',
      line: 'package pull --packages packages example/l',
      want: ['example/local:v0.1.0'],
    },
  ])('$name', async ({line, want}) => {
    expect(await linesOf('fish', ['--no-config', '-c', FISH, `kubectl-crossplane ${line}`])).toEqual(want)
  })
})

describeReal('completion through kubectl', missingTool('kubectl'), () => {
  it.each([
    {name: 'a noun', in: ['pack'], want: ['package\tRender, install, build and publish packages', ':4']},
    {name: 'a choice', in: ['version', '-o', ''], want: ['text', 'json', 'yaml', ':4']},
    {name: 'a folder', in: ['package', 'render', '--output-dir', ''], want: [':16']},
    {
      name: 'a package',
      in: ['package', 'render', '--declaration', 'packages.yaml', 'reg'],
      want: ['registry.example.org:5000/app:v1', ':36'],
    },
    {
      name: 'a context',
      in: ['package', 'list', '--context', ''],
      want: ['admin@kind:prod', 'arn:aws:eks:eu-west-1:1:cluster/prod', ':4'],
    },
    {
      name: 'a registry with credentials',
      in: ['registry', 'logout', ''],
      want: ['quay.example.org', 'registry.example.org:5000', ':4'],
    },
    {name: 'a package, with a broken lock', in: ['package', 'pull', 'reg'], want: [':0']},
  ])('$name', async ({in: words, want}) => {
    const {status, stdout} = await shell('kubectl', ['__complete', 'crossplane', ...words])
    expect({status, lines: stdout.trimEnd().split('\n')}).toEqual({status: 0, lines: want})
  })
})
