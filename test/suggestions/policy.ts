import {join} from 'node:path'
import {folderOf} from './available-packages.js'
import type {SuggestionCase} from './suggestion-case.js'

const API = 'apiVersion: packages.kubectl-crossplane.dev/v1alpha1\nkind: Policy\n'

/** A command for `x/app`, which requires a CRD of `x/as`, under a policy. */
function underPolicy(fields: string, ...flags: readonly string[]): readonly string[] {
  const root = folderOf(
    {'policy.yaml': `${API}${fields}`},
    {
      'packages/x/app@v1.0.0': {app: 'dependsOn: [{crd: as.x.example.org}]\n'},
      'packages/x/as@v1.0.0': {owns: 'as.x.example.org'},
    },
  )
  const at = (path: string) => join(root, path)
  return ['package', 'tree', 'x/app', '--packages', at('packages'), '--policy', at('policy.yaml'), ...flags]
}

/** Puts another policy in the place of that of a command line. */
const withPolicy = (fields: string) => (argv: readonly string[]) => {
  const policy = underPolicy(fields).at(-1) ?? ''
  return argv.map(word => (word.endsWith('policy.yaml') ? policy : word))
}

/** What the policy of a team rejects. */
export const CASES: readonly SuggestionCase[] = [
  {
    name: 'a policy for a folder without a name',
    in: () => {
      const root = folderOf(
        {'policy.yaml': `${API}sources: [registry.example.org]\n`},
        {'app@v1.0.0': {owns: 'as.x.example.org'}},
      )
      return ['package', 'inspect', join(root, 'app@v1.0.0'), '--policy', join(root, 'policy.yaml')]
    },
  },
  {
    name: 'an unknown field of a policy',
    in: () => underPolicy('owner: {x.example.org: x/as}\n'),
    then: withPolicy('owners: {x.example.org: x/as}\n'),
  },
  {
    name: 'a source that a policy does not allow',
    in: () => underPolicy('sources: [registry.example.org]\n'),
    then: withPolicy('sources: [registry.example.org, docker.io/x]\n'),
  },
  {
    name: 'a source that a policy with a contact does not allow',
    in: () => underPolicy('contact: Team A\nsources: [registry.example.org]\n'),
    then: withPolicy('sources: [registry.example.org, docker.io/x]\n'),
  },
  {
    name: 'an owner whose source a policy does not allow',
    in: () => underPolicy('sources: [docker.io/x/app]\n'),
    then: withPolicy('sources: [docker.io/x/app, docker.io/x/as]\n'),
  },
  {
    name: 'more packages than a policy allows',
    in: () => underPolicy('limits: {packages: 1}\n'),
    then: withPolicy('limits: {packages: 2}\n'),
  },
  {
    name: 'an owner that contradicts a policy',
    in: () => underPolicy('owners: {x.example.org: x/as}\n', '--owner', 'x.example.org=x/other'),
    then: argv => argv.slice(0, -2),
  },
  {
    name: 'a policy for a repository',
    in: () => [
      ...['package', 'install', 'x/app', '--git', folderOf({}), '--yes'],
      ...['--policy', folderOf({'policy.yaml': API})],
    ],
  },
]
