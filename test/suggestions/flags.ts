import {join} from 'node:path'
import {declarationOf, folderOf} from './available-packages.js'
import type {SuggestionCase} from './suggestion-case.js'

const render = (...args: readonly string[]) => ['package', 'render', ...args]

/** Flags and variables that contradict each other, or that cannot be used. */
export const CASES: readonly SuggestionCase[] = [
  {name: 'nothing to render', in: render()},
  {name: 'nothing to resolve', in: ['package', 'tree']},
  {
    name: 'the base of v0.12 for a commit that sees no cluster',
    in: ['package', 'install', 'x/a', '--namespace', 'a', '--git', '.', '--v0.12-base'],
  },
  {name: 'a package whose files move', in: ['package', 'upgrade', 'x/a', '--git', '.', '--move-files']},
  {name: 'files of no declaration that move', in: ['package', 'upgrade', '--move-files']},
  {
    name: 'files that were not rendered',
    in: () => [
      ...['package', 'upgrade', '--move-files', '--declaration'],
      join(folderOf({'a.yaml': declarationOf(['x/a'])}), 'a.yaml'),
    ],
  },
  {name: 'nothing to lint', in: ['package', 'lint']},
  {name: 'nothing to search for', in: ['registry', 'index', 'search', '--index', 'a/b']},
  {name: 'no index', in: ['registry', 'index', 'list']},
  {name: '--no-dependencies of a CRD', in: render('crd:as.x.example.org', '--no-dependencies')},
  {name: '--locked with -f', in: render('-f', 'a.yaml', '--locked', '--lock-file', 'a.lock')},
  {
    name: '--lock-file with --no-dependencies',
    in: render('x/a', '--no-dependencies', '--lock-file', 'a.lock'),
  },
  {
    name: '--namespace with a declaration',
    in: () => [
      'package',
      'tree',
      '--declaration',
      join(folderOf({'a.yaml': declarationOf(['x/a'])}), 'a.yaml'),
      '--namespace',
      'a',
    ],
  },
  {
    name: 'v1beta1 on a cluster that does not serve it',
    in: render('x/a', '--crd-version', 'v1beta1', '--kube-version', '1.36'),
  },
  {name: 'an unknown format', in: ['cache', 'list', '-o', 'xml']},
  {name: 'a dry run of doctor without a repair', in: ['doctor', '--dry-run']},
  {name: 'drift of nothing', in: ['package', 'drift']},
  {
    name: 'drift that is watched as a document',
    in: ['package', 'drift', '--declaration', 'a.yaml', '--watch', '--output', 'yaml'],
  },
  {
    name: 'a file with an activation policy for Git',
    in: ['package', 'install', 'x/a', '--git', '.', '--activate', 'policy.yaml'],
  },
  {name: 'an invalid selector', in: ['package', 'list', '-l', 'a=b=c']},
  {name: 'a document of changes', in: ['package', 'status', '--watch', '-o', 'yaml']},
  {name: 'a name in all namespaces', in: ['package', 'status', 'a', '-A']},
  {name: 'a reference with --installed', in: ['package', 'tree', 'x/a', 'b', '--installed']},
  {
    name: 'a flag of a resolution with --installed',
    in: ['package', 'tree', '--installed', '--owner', 'a.example.org=x/a'],
  },
  {name: 'a flag of a request with --installed', in: ['package', 'outdated', '--installed', '-n', 'team-a']},
  {name: 'an invalid template', in: ['cache', 'list', '-o', 'jsonpath={']},
  {name: 'an invalid duration', in: ['cache', 'prune', '--unused-for', 'long']},
  {
    name: 'a client certificate without its key',
    in: ['package', 'pull', '127.0.0.1:1/a:v1', '--client-cert', 'a.pem'],
  },
  {
    name: 'a password on the command line',
    in: ['registry', 'login', 'registry.example.org', '--password', 'x'],
  },
  {name: 'a password without a user', in: ['registry', 'login', 'registry.example.org', '--password-stdin']},
  {name: 'an unknown rule', in: ['package', 'lint', '--explain', 'crd-knd']},
  {name: 'a rule that resembles no other', in: ['package', 'lint', '--explain', 'zzzzzzzz']},
  {name: 'a dry run of printed objects', in: ['package', 'render', 'a/b:v1', '--dry-run']},
  {
    name: 'a format that could be the folder of a bundle',
    in: ['bundle', 'create', 'a/b:v1', '--output', 'bundle'],
    want: ['Write --output-file bundle if that is the file or folder to write.'],
  },
  {
    name: 'a misspelled format that could be the folder of a bundle',
    in: ['bundle', 'create', 'a/b:v1', '--output', 'yml'],
    want: ['Write --output yaml.', 'Write --output-file yml if that is the file or folder to write.'],
  },
  {name: 'a boolean flag with another value', in: ['package', 'render', 'a/b:v1', '--with-package-api=x']},
  {
    name: 'a word that is no value of a boolean flag',
    in: ['package', 'render', 'a/b:v1', '--with-package-api', 'false'],
  },
  {name: 'a word that is no kind of dry run', in: ['package', 'install', 'a/b:v1', '--dry-run', 'false']},
  {name: 'a variable that is not a boolean', in: ['package', 'pull', 'a/b'], env: {CROSSPLANE_OFFLINE: 'on'}},
  {
    name: 'an invalid date of the source',
    in: () => ['package', 'build', 'oci:x', folderOf({})],
    env: {SOURCE_DATE_EPOCH: 'now'},
  },
  {
    name: 'an invalid proxy',
    in: ['package', 'pull', 'registry.invalid/a:v1'],
    env: {HTTPS_PROXY: 'ftp://x', https_proxy: 'ftp://x'},
  },
  {name: 'a tag of an index', in: ['registry', 'index', 'list', '--index', 'a/b:v1']},
  {name: 'an invalid --owner', in: ['package', 'tree', 'x/a', '--owner', 'x']},
  {name: 'an invalid --assume', in: ['package', 'tree', 'x/a', '--assume', 'x']},
  {name: 'an invalid release', in: ['package', 'tree', 'x/a', '--crossplane-version', 'x']},
]
