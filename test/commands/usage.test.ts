import {describe, expect, it} from '@jest/globals'
import {join} from 'node:path'
import {runCli} from '../run-cli.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'
import {BLOG, DATABASE, fixture} from './fixtures.js'

const folder = writeTree(temporaryFolder(), {'requests.yaml': ''})
const requests = join(folder, 'requests.yaml')
const render = (...args: readonly string[]) => ['package', 'render', ...args]
const generate = (...args: readonly string[]) => ['package', 'generate-install', ...args]

/** `want` holds the words that the one sentence of the message must have: what was wrong, and what it was about. */
const CASES: readonly {
  readonly name: string
  readonly reason: string
  readonly in: readonly string[]
  readonly want: readonly string[]
}[] = [
  {name: 'unknown command', reason: 'a typing error', in: ['packge', 'render'], want: ['"packge"']},
  {
    name: 'unknown verb',
    reason: 'of a noun that exists',
    in: ['package', 'rendr', 'x'],
    want: ['"package rendr"'],
  },
  {
    name: 'help of an unknown command',
    reason: 'named as typed',
    in: ['help', 'package', 'rendr'],
    want: ['"package rendr"'],
  },
  {name: 'unknown flag', reason: 'never ignored', in: render('./x', '--outptu', 'json'), want: ['--outptu']},
  {name: 'unknown short flag', reason: 'never ignored', in: render('./x', '-x'), want: ['-x']},
  {name: 'missing REF', reason: 'nothing to render', in: render(), want: ['missing argument REF']},
  {name: 'missing IMAGE', reason: 'required', in: generate(), want: ['IMAGE']},
  {
    name: 'a source as argument of render',
    reason: 'only the old install forms have it',
    in: render('a/b', 'c', 'd'),
    want: ['"d"'],
  },
  {
    name: 'an argument too many',
    reason: 'never ignored',
    in: generate('a/b', 'c', 'd', 'extra'),
    want: ['extra'],
  },
  {
    name: 'REF and -f',
    reason: 'two answers',
    in: render('./x', '-f', requests),
    want: ['REF and -f are mutually exclusive'],
  },
  ...[
    '--scope=Cluster',
    '-c',
    '--source=r.example.org',
    '--image-pull-policy=Never',
    '--replicas=2',
    '--env=A=b',
  ].map(flag => ({
    name: `${flag} and -f`,
    reason: 'the objects in the file contain it',
    in: render('-f', requests, flag),
    want: [flag === '-c' ? '--cluster' : (flag.split('=')[0] ?? ''), '-f'],
  })),
  {
    name: 'bad enum',
    reason: 'names what there is',
    in: render('./x', '-o', 'xml'),
    want: ['xml', 'yaml', 'json'],
  },
  {
    name: 'bad era',
    reason: 'names what there is',
    in: generate('a/b', '--api', 'xpkg'),
    want: ['xpkg', 'packages', 'stacks'],
  },
  {
    name: 'mutually exclusive flags',
    reason: 'in our words',
    in: render('./x', '--offline', '--no-cache'),
    want: ['--offline and --no-cache are mutually exclusive'],
  },
  {name: 'flag without its value', reason: 'it has one', in: render('./x', '--source'), want: ['--source']},
  {
    name: 'bad annotation',
    reason: 'no value',
    in: generate('a/b', '--service-account-annotation', 'role'),
    want: ['--service-account-annotation', '"role"'],
  },
  ...[
    {flag: '--env', value: 'A', want: '"A"'},
    {flag: '--env', value: 'A B=c', want: 'variable'},
    {flag: '--limits', value: 'cpu', want: '"cpu"'},
    {flag: '--limits', value: 'cpu=much', want: 'quantity'},
    {flag: '--requests', value: 'cpu=-1', want: 'negative'},
    {flag: '--replicas', value: '-1', want: '-1'},
    {flag: '--replicas', value: 'two', want: 'two'},
  ].map(({flag, value, want}) => ({
    name: `${flag}=${value}`,
    reason: 'names the flag',
    in: render('./x', `${flag}=${value}`),
    want: [flag, want],
  })),
  {
    name: 'bad annotation key',
    reason: 'Kubernetes rejects it',
    in: generate('a/b', '--service-account-annotation', 'a b=c'),
    want: ['--service-account-annotation', '"a b=c"'],
  },
  {
    name: 'bad namespace',
    reason: 'no DNS label',
    in: render(...DATABASE, '--namespace', 'Team_A'),
    want: ['--namespace', '"Team_A"'],
  },
  {
    name: 'bad system namespace',
    reason: 'no DNS label',
    in: render(...DATABASE, '--system-namespace', 'a.b'),
    want: ['--system-namespace', '"a.b"'],
  },
  {name: 'bad name', reason: 'no DNS name', in: generate('a/b', 'Wordpress'), want: ['"Wordpress"']},
  {
    name: 'Namespaced package without a namespace',
    reason: 'offline, there is no context with one',
    in: render(fixture('cli-blog'), '--as-package', 'example/cli-blog:v1'),
    want: ['Namespaced', 'namespace'],
  },
  {
    name: '--scope that the package contradicts',
    reason: 'both are named',
    in: render(...DATABASE, '--scope', 'Namespaced'),
    want: ['--scope Namespaced', 'PackageInstall', 'permissionScope', 'Cluster'],
  },
  {
    name: '-c that the package contradicts',
    reason: 'both are named, in the terms of the era',
    in: render(...BLOG, '-c', '--api', 'stacks'),
    want: ['--scope Cluster', 'ClusterStackInstall', 'permissionScope', 'Namespaced'],
  },
  {
    name: '-c and --scope',
    reason: 'two answers',
    in: generate('a/b', '-c', '--scope', 'Namespaced'),
    want: ['--scope', '--cluster'],
  },
  {
    name: '--as-package for a package that has a name',
    reason: 'two answers',
    in: render('example/cli-database:v0.2.0', '--as-package', 'a/b:v1'),
    want: ['--as-package', 'example/cli-database:v0.2.0'],
  },
  {name: 'bad platform', reason: 'no os/arch', in: render(...DATABASE, '--platform', 'arm'), want: ['"arm"']},
  {
    name: 'bad --as-package',
    reason: 'no image',
    in: render(fixture('cli-blog'), '--as-package', './x'),
    want: ['"./x"'],
  },
  {
    name: 'an argument of version',
    reason: 'it accepts none',
    in: ['version', 'now'],
    want: ['unexpected argument "now"'],
  },
  ...['history', 'rollback', 'uninstall'].flatMap(verb => [
    {
      name: `${verb} of nothing`,
      reason: 'no cluster is contacted',
      in: ['package', verb, '--kubeconfig', join(folder, 'absent')],
      want: ['missing argument NAME'],
    },
    {
      name: `${verb} of an invalid name`,
      reason: 'no cluster is contacted',
      in: ['package', verb, 'My_Install', '--kubeconfig', join(folder, 'absent')],
      want: ['"My_Install"'],
    },
  ]),
]

describe('an invalid command line', () => {
  it.each(CASES)('$name: $reason', async ({in: argv, want}) => {
    const {status, stdout, stderr} = await runCli(...argv)
    const [message = '', ...rest] = stderr.trimEnd().split('\n')
    expect({status, stdout, rest}).toEqual({
      status: 2,
      stdout: '',
      rest: expect.arrayContaining([expect.stringMatching(/^Try: (?:\S.{10,}[.]|kubectl crossplane .+)$/)]),
    })
    expect(rest.every(line => line.startsWith('Try: '))).toBe(true)
    expect({message, lacks: want.filter(word => !message.includes(word))}).toEqual({
      message: expect.stringMatching(/^Error: \S/),
      lacks: [],
    })
  })

  it('does not write to the output folder', async () => {
    const target = join(folder, 'out')
    const {status} = await runCli(...render(...DATABASE, '--output-dir', target, '--scope', 'Namespaced'))
    const again = await runCli(...render(...DATABASE, '--output-dir', target))
    expect({
      status,
      again: again.status,
      written: /(\d+) written, 0 deleted, 0 unchanged/.exec(again.stderr)?.[1],
    }).toEqual({status: 2, again: 0, written: expect.stringMatching(/^[1-9]\d+$/)})
  })
})

describe('values from the environment', () => {
  it.each(['on', 'enabled', '2'])('rejects CROSSPLANE_OFFLINE=%s, which is not a boolean', async value => {
    process.env.CROSSPLANE_OFFLINE = value
    try {
      const {status, stdout, stderr} = await runCli(...render(...DATABASE))
      expect({status, stdout, stderr}).toEqual({
        status: 2,
        stdout: '',
        stderr: `Error: invalid value "${value}" of CROSSPLANE_OFFLINE: not a boolean\nTry: Set CROSSPLANE_OFFLINE to true or false.\n`,
      })
    } finally {
      delete process.env.CROSSPLANE_OFFLINE
    }
  })

  it('rejects an invalid one like a flag', async () => {
    process.env.CROSSPLANE_API = 'xpkg'
    try {
      const {status, stderr} = await runCli(...generate('a/b', '-o', 'json'))
      expect({status, code: (JSON.parse(stderr) as {code: string}).code}).toEqual({status: 2, code: 'usage'})
    } finally {
      delete process.env.CROSSPLANE_API
    }
  })
})
