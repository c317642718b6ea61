import type {SuggestionCase} from './suggestion-case.js'

const DECLARATION = 'examples/platform/crossplane-packages.yaml'

/** Usage errors that a command line of its own makes. */
export const CASES: readonly SuggestionCase[] = [
  {name: 'an unknown command', in: ['packge', 'render', './x']},
  {name: 'an unknown verb', in: ['package', 'frobnicate']},
  {name: 'an unknown verb with flags', in: ['package', 'rendr', './x', '-n', 'a b']},
  {
    name: 'a move by commits without a cluster',
    in: ['package', 'move', 'x', 'a.example.org/x', '--git', '.'],
  },
  {
    name: 'a Configuration that changes with a move by commits',
    in: ['package', 'move', 'x', 'a.example.org/x', '--git', '.', '--context', 'a', '--with', 'b:v1'],
  },
  {
    name: 'a core version for the rest of a move',
    in: ['package', 'move', '--continue', '--core-version', 'v2.3.4'],
  },
  {
    name: 'a URL in place of a reference',
    in: ['package', 'inspect', 'https://a.example.org/b:v1'],
    want: ['Write a.example.org/b:v1, without https://.'],
  },
  {
    name: 'a file of an index that does not exist',
    in: ['registry', 'index', 'import', './absent.jsonl', '--index', 'a.example.org/i'],
    want: ['Pass a file that kubectl crossplane registry index export wrote.'],
  },
  {name: 'an unknown flag', in: ['package', 'render', './x', '--ouput-dir', 'a b']},
  {name: 'a flag that resembles no other', in: ['package', 'render', './x', '--frobnicate']},
  {
    name: 'the namespace as a flag of another program',
    in: ['package', 'install', 'a/b:v1', '--ns', 'team', '--yes'],
    want: ['kubectl crossplane package install a/b:v1 --namespace team --yes'],
  },
  {
    name: 'the version as a flag',
    in: ['package', 'install', 'a/b', '--version', 'v1', '--yes'],
    want: ['kubectl crossplane package install a/b:v1 --yes'],
  },
  {
    name: 'custom resources that stay, as kubectl says it',
    in: ['package', 'uninstall', 'b', '--cascade=orphan'],
    want: ['kubectl crossplane package uninstall b --custom-resources=keep'],
  },
  {
    name: 'a context before the command',
    in: ['--context', 'none', 'package', 'list'],
    want: ['kubectl crossplane package list --context none'],
  },
  {
    name: 'a context between noun and verb',
    in: ['package', '--context=none', 'list'],
    want: ['kubectl crossplane package list --context=none'],
  },
  {name: 'a flag of a noun', in: ['cache', '--frobnicate'], want: ['kubectl crossplane cache --help']},
  {name: 'help of a verb', in: ['help', 'install'], want: ['kubectl crossplane help package install']},
  {name: 'a verb that is also one of others', in: ['update'], want: ['kubectl crossplane package update']},
  {
    name: 'the version as a flag with an equals sign',
    in: ['package', 'install', 'a/b', '--version=v1'],
    want: ['kubectl crossplane package install a/b:v1'],
  },
  {
    name: 'a time to wait without a unit, before a cluster is contacted',
    in: ['package', 'install', 'a/b:v1', '--timeout', '5'],
    want: ['Write it as a number and ms, s, m, h or d, such as 30s, 10m or 12h.'],
  },
  {
    name: 'a kind without its group, before a cluster is contacted',
    in: ['services', 'run', '--claim', 'buckets', '--managed', 'c.x'],
    want: ['Write it as PLURAL.GROUP, such as fancysqlinstances.database.example.org.'],
  },
  {
    name: 'a file in place of a new folder',
    in: ['package', 'init', 'package.json'],
    want: ['Pass the path of a folder.'],
  },
  {name: 'a missing argument', in: ['package', 'generate-install']},
  {
    name: 'an argument of a command that reads a tree',
    in: ['package', 'check', 'docs'],
    want: ['kubectl crossplane package check'],
  },
  {
    name: 'an argument of a command without arguments',
    in: ['doctor', 'extra', '--context', 'none'],
    want: ['kubectl crossplane doctor --context none'],
  },
  {
    name: 'the name of a package for the list of all',
    in: ['package', 'list', 'extra', '--context', 'none'],
    want: ['kubectl crossplane package status extra --context none'],
  },
  {
    name: 'the name of a package for the list of all, with a flag that only the list has',
    in: ['package', 'list', 'extra', '--check-updates', '--context', 'none'],
    want: ['kubectl crossplane package list --check-updates --context none'],
  },
  {
    name: 'a verb without its noun',
    in: ['install', 'a/b:v1', '--yes'],
    want: ['kubectl crossplane package install a/b:v1 --yes'],
  },
  {
    name: 'a package that another cache lacks',
    in: ['package', 'render', '127.0.0.1:1/x/a:v1', '--offline', '--cache-dir', '/tmp/no cache'],
    want: [
      "Pull it once without --offline: kubectl crossplane package pull 127.0.0.1:1/x/a:v1 --cache-dir '/tmp/no cache'",
    ],
  },
  {
    name: 'a comparison of one package',
    in: ['package', 'compare', './x'],
    want: ['Pass two packages, folders, lock files or declarations, or one declaration with a lock file.'],
  },
  {
    name: 'schemas without a declaration',
    in: ['package', 'schemas', './schemas'],
    want: ['Pass --declaration FILE or --lock-file FILE.'],
  },
  {
    name: 'an impact on no objects',
    in: ['package', 'impact', '--old', './x', '--new', './y'],
    want: ['Pass --objects PATH with the files of your objects, or --objects - for standard input.'],
  },
  {
    name: 'an impact of no packages',
    in: ['package', 'impact', '--objects', '.'],
    want: ['Use --old and --new with two packages, folders, lock files or declarations.'],
  },
  {
    name: 'a check with a declaration that does not exist',
    in: ['package', 'check', '--declaration', 'none.yaml'],
    want: ['Pass --declaration with an existing file.'],
  },
  {
    name: 'a check before rendering',
    in: [
      'package',
      'check',
      '--output-dir',
      'no such',
      '--declaration',
      DECLARATION,
      '--packages',
      'p q',
      '--hashes',
    ],
    want: [
      `kubectl crossplane package render --declaration ${DECLARATION} --packages 'p q' --output-dir 'no such'`,
    ],
  },
  {
    name: 'a check before locking',
    in: ['package', 'check', '--declaration', DECLARATION, '--packages', 'p q', '--lock-file', 'none'],
    want: [`kubectl crossplane package lock --declaration ${DECLARATION} --packages 'p q' --lock-file none`],
  },
  {
    name: 'an xpkg where a package of Crossplane v0.12 is needed',
    in: [
      ...['package', 'translate', './examples/xpkg/configuration-database', 'translated'],
      ...['--target', 'registry.example.org/team/database:v1.0.0'],
    ],
  },
  {
    name: 'a mirror without its second part',
    in: [
      'package',
      'versions',
      'a/b',
      '--packages',
      'examples/xpkg/packages',
      '--mirror',
      'xpkg.crossplane.io',
    ],
    then: () => [
      ...['package', 'versions', 'example/provider-sql', '--packages', 'examples/xpkg/packages'],
      ...['--mirror', 'xpkg.crossplane.io=mirror.example.org/xpkg'],
    ],
  },
  {
    name: 'two mirrors of a registry',
    in: [
      ...['package', 'versions', 'example/provider-sql', '--packages', 'examples/xpkg/packages'],
      ...['--mirror', 'a.example.org=b.example.org', '--mirror', 'a.example.org=c.example.org'],
    ],
    then: argv => argv.slice(0, -2),
  },
  {name: 'an unknown shell', in: ['completion', 'tcsh'], want: ['kubectl crossplane completion --help']},
  {name: 'an unexpected argument', in: ['package', 'render', 'a/b', 'c', 'd']},
  {name: 'an invalid value', in: ['package', 'render', './x', '--api', 'xpkg']},
  {name: 'mutually exclusive flags', in: ['package', 'render', './x', '--offline', '--no-cache']},
  {name: 'a missing required flag', in: ['registry', 'index', 'yank', 'a/b:v1']},
  {name: 'a missing lock file', in: ['package', 'outdated', 'a/b', '--lock-file', 'no such.lock']},
  {name: 'a lock to write to standard input', in: ['package', 'lock', 'a/b', '--lock-file', '-']},
  {
    name: 'a missing lock file of a CRD',
    in: ['package', 'tree', 'crd:a.example.org', '--locked', '--lock-file', 'none'],
  },
]
