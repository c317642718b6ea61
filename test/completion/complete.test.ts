import {describe, expect, it} from '@jest/globals'
import {complete, type KnownNames} from '../../src/completion/complete.js'
import {formatCompletion} from '../../src/completion/completion.js'
import {SOME_MODEL} from './some-model.js'

const names: KnownNames = {
  packages: () =>
    Promise.resolve([
      {repository: 'example/app', tags: ['v0.2.0', 'v0.1.0']},
      {repository: 'example/app-two', tags: []},
      {repository: 'registry.example.org:5000/team/db', tags: ['v1', 'v0']},
    ]),
  installs: () => Promise.resolve(['team/app', 'team/db']),
  crds: () => Promise.resolve(['databases.sql.example.org', 'tables.sql.example.org']),
  contexts: ({kubeconfig = []}) =>
    Promise.resolve(['--force', 'admin@prod', 'admin@test', 'a b', ...kubeconfig]),
  registries: () => Promise.resolve(['-f', 'docker.io', 'localhost:5000', 'quay.io;reboot']),
}

async function printed(...words: readonly string[]): Promise<readonly string[]> {
  return formatCompletion(await complete(words, SOME_MODEL, names))
    .trimEnd()
    .split('\n')
}

describe('completion', () => {
  it.each([
    {
      name: 'nothing typed',
      in: [''],
      want: [
        'package\tPackages',
        'registry\tRegistries',
        'version\tPrint the version',
        'completion',
        'trace\tTrace',
        ':4',
      ],
    },
    {
      name: 'no word at all',
      in: [],
      want: [
        expect.anything(),
        expect.anything(),
        expect.anything(),
        expect.anything(),
        expect.anything(),
        ':4',
      ],
    },
    {name: 'the start of a noun', in: ['pa'], want: ['package\tPackages', ':4']},
    {name: 'a verb', in: ['package', 'r'], want: ['render\tRender', ':4']},
    {name: 'a hidden command', in: ['package', 'se'], want: [':4']},
    {name: 'a noun below a noun', in: ['registry', ''], want: ['index\tIndexes', 'logout\tLog out', ':4']},
    {name: 'a command of three words', in: ['registry', 'index', 'i'], want: ['import', ':4']},
    {name: 'an unknown command', in: ['packages', ''], want: [':4']},
    {name: 'an argument of help', in: ['help', 'package', 're'], want: ['render\tRender', ':4']},
    {
      name: 'a flag',
      in: ['package', 'render', '--o'],
      want: ['--output\tOutput format', '--output-dir', ':4'],
    },
    {name: 'a hidden flag', in: ['package', 'render', '--cl'], want: [':4']},
    {
      name: 'a flag that was used',
      in: ['package', 'render', '-o', 'json', '--output'],
      want: ['--output-dir', ':4'],
    },
    {
      name: 'a flag with = that was used',
      in: ['package', 'render', '--locked', '--output-dir=a', '--output-d'],
      want: [':4'],
    },
    {
      name: 'a flag that can be repeated',
      in: ['package', 'render', '--index', 'a', '--inde'],
      want: ['--index', ':4'],
    },
    {name: 'help as a flag', in: ['version', '--h'], want: ['--help\tShow help for the command', ':4']},
    {name: 'a choice', in: ['package', 'render', '--output', 'j'], want: ['json', ':4']},
    {name: 'a choice after a short flag', in: ['package', 'render', '-o', ''], want: ['json', 'yaml', ':4']},
    {name: 'a choice after =', in: ['package', 'render', '--output=y'], want: ['--output=yaml', ':4']},
    {name: 'an open choice', in: ['package', 'render', '--format', 'jsonp'], want: ['jsonpath=', ':4']},
    {
      name: 'a value of a boolean flag',
      in: ['package', 'render', '--locked='],
      want: ['--locked=true', '--locked=false', ':4'],
    },
    {name: 'a value of an unknown flag', in: ['package', 'render', '--nope=a'], want: [':4']},
    {name: 'a name that cannot be known', in: ['package', 'render', '-n', 'a'], want: [':4']},
    {name: 'a file', in: ['package', 'render', '--declaration', ''], want: [':0']},
    {name: 'a file after =', in: ['package', 'render', '--declaration=a'], want: [':0']},
    {name: 'a folder', in: ['package', 'render', '--output-dir', ''], want: [':16']},
    {name: 'a file as an argument', in: ['registry', 'index', 'import', ''], want: [':0']},
    {
      name: 'a rule',
      in: ['package', 'render', '--explain', 'crd'],
      want: ['crd-name\tThe name is wrong', ':4'],
    },
    {name: 'a choice as an argument', in: ['completion', ''], want: ['bash', 'zsh', ':4']},
    {name: 'an argument too many', in: ['completion', 'bash', ''], want: [':4']},
    {
      name: 'a package',
      in: ['package', 'render', ''],
      want: ['example/app', 'example/app-two', 'registry.example.org:5000/team/db', ':6'],
    },
    {
      name: 'a tag',
      in: ['package', 'render', 'example/app:'],
      want: ['example/app:v0.2.0', 'example/app:v0.1.0', ':36'],
    },
    {
      name: 'the only package left',
      in: ['package', 'render', 'reg'],
      want: ['registry.example.org:5000/team/db:v1', 'registry.example.org:5000/team/db:v0', ':36'],
    },
    {name: 'a tag that is not known', in: ['package', 'render', 'example/app:v9'], want: [':36']},
    {
      name: 'a package without tags',
      in: ['package', 'render', 'example/app-'],
      want: ['example/app-two', ':4'],
    },
    {name: 'an unknown package', in: ['package', 'render', 'other'], want: [':0']},
    {name: 'a package in a folder', in: ['package', 'render', './'], want: [':0']},
    {
      name: 'a second package',
      in: ['package', 'pull', 'a', 'b', 'example/app-'],
      want: ['example/app-two', ':4'],
    },
    {
      name: 'a package after --',
      in: ['package', 'pull', '--', 'example/app-'],
      want: ['example/app-two', ':4'],
    },
    {
      name: 'a package without its tag',
      in: ['package', 'why', 'reg'],
      want: ['registry.example.org:5000/team/db', ':4'],
    },
    {name: 'an install', in: ['package', 'uninstall', 'team/a'], want: ['team/app', ':4']},
    {
      name: 'a context',
      in: ['package', 'render', '--context', 'adm'],
      want: ['admin@prod', 'admin@test', ':4'],
    },
    {
      name: 'a context, without names that a shell or the program would not take literally',
      in: ['package', 'render', '--kubeconfig', 'first', '--kubeconfig=last', '--context', ''],
      want: ['admin@prod', 'admin@test', 'first', 'last', ':4'],
    },
    {
      name: 'a context after =',
      in: ['package', 'render', '--context=admin@p'],
      want: ['--context=admin@prod', ':4'],
    },
    {name: 'a CRD', in: ['package', 'migrate', 'd'], want: ['databases.sql.example.org', ':4']},
    {name: 'a registry', in: ['registry', 'logout', ''], want: ['docker.io', 'localhost:5000', ':4']},
    {name: 'a second registry', in: ['registry', 'logout', 'docker.io', ''], want: [':4']},
    {
      name: 'a word in quotes',
      in: ['package', "'render'", '"--outp'],
      want: ['--output\tOutput format', '--output-dir', ':4'],
    },
  ])('$name', async ({in: words, want}) => {
    expect(await printed(...words)).toEqual(want)
  })
})

describe('candidates from elsewhere', () => {
  it.each([
    {name: 'a command', value: 'a;b'},
    {name: 'a substitution', value: 'a$(touch b)'},
    {name: 'backquotes', value: 'a`b`'},
    {name: 'a line break', value: 'a\nb'},
    {name: 'a tab', value: 'a\tb'},
    {name: 'an escape sequence', value: 'a\u001b[2J'},
    {name: 'a flag with one dash too many', value: '---a'},
    {name: 'a blank', value: 'a b'},
    {name: 'a pattern', value: 'a*'},
    {name: 'a redirection', value: 'a>b'},
    {name: 'a home', value: '~a'},
    {name: 'a directive', value: ':4'},
    {name: 'a text that reorders', value: 'a\u202eb'},
    {name: 'a long text', value: 'a'.repeat(1000)},
    {name: 'nothing', value: ''},
  ])('omit $name', ({value}) => {
    const candidates = [{value}, {value: 'example/app:v1.0.0-rc.1+build'}]
    expect(formatCompletion({candidates, otherwise: 'nothing'})).toBe('example/app:v1.0.0-rc.1+build\n:4\n')
  })

  it('have descriptions of one line', () => {
    const candidates = [{value: 'a', description: 'one\ntwo\tthree\u001b[1m'}]
    expect(formatCompletion({candidates, otherwise: 'nothing'})).toBe('a\tone two three [1m\n:4\n')
  })
})
