import {temporaryFolder} from '../temporary-folder.js'
import type {SuggestionCase} from './suggestion-case.js'

const UPDATE = ['package', 'update', '--push', '--pr', 'github', '--pr-api', 'https://api.github.com']
const INSTALL = ['package', 'install', '--git', '.']

/** Suggestions about `--git` that need no repository. */
export const CASES: readonly SuggestionCase[] = [
  {name: 'a key without a signature', in: [...INSTALL, 'x/a', '--signing-key', 'k']},
  {name: 'a scope', in: [...INSTALL, 'x/a', '--scope', 'Cluster']},
  {name: 'a file of CRDs', in: [...INSTALL, 'x/a', '--assume', './crds.yaml']},
  {name: 'no package', in: INSTALL},
  {name: 'a local package', in: [...INSTALL, './examples/provider-sql']},
  {name: 'a name of a package in a registry', in: [...INSTALL, 'x/a', '--as-package', 'x/b:v1.0.0']},
  {name: 'no repository to check', in: ['package', 'check', '--git', temporaryFolder()]},
  {name: 'no declaration to check', in: ['package', 'check', '--git', '.', '--path', 'src']},
  {name: 'pull requests without a push', in: ['package', 'update', '--pr', 'github']},
  {
    name: 'another address of an API',
    in: ['package', 'update', '--push', '--pr', 'github', '--pr-api', 'http://api.example.org'],
  },
  {name: 'another repository', in: [...UPDATE, '--pr-repository', 'x']},
  {name: 'no token', in: [...UPDATE, '--pr-repository', 'x/y']},
  {name: 'an explanation beside packages', in: ['package', 'update', '--explain', 'x/a', 'x/b']},
  {name: 'a dry run of a server', in: [...INSTALL, 'x/a', '--dry-run', 'server']},
]
