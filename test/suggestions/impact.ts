import {mkdirSync, readFileSync, rmSync} from 'node:fs'
import {STORIES, STORY_PACKAGE, UsageWorld} from '../commands/usage-world.js'
import {temporaryFolder} from '../temporary-folder.js'
import type {Argv, SuggestionCase} from './suggestion-case.js'

const folder = temporaryFolder()
const UPGRADE = ['package', 'upgrade', `${STORY_PACKAGE}:v2.0.0`, '--yes', '--git']
const NO_CI = {
  GITHUB_BASE_REF: '',
  GITHUB_REF_TYPE: '',
  CI_MERGE_REQUEST_TARGET_BRANCH_NAME: '',
  CI_DEFAULT_BRANCH: '',
}

/** A repository whose declaration names an object that the newest version of a package breaks. */
async function world(change: (made: UsageWorld) => void = () => undefined): Promise<UsageWorld> {
  const [story] = STORIES
  if (story === undefined) throw new Error('no story')
  const made = new UsageWorld(folder, 'xpkg', story)
  change(made)
  await made.committed()
  return made
}

const check = ({root, packages}: UsageWorld, ...words: Argv) => [
  ...['package', 'check', '--git', root, '--packages', packages, ...words],
]

/** What an upgrade does to the objects of a declaration. */
export const CASES: readonly SuggestionCase[] = [
  {
    name: 'an upgrade that breaks an object',
    in: async () => {
      const {root, packages} = await world()
      return [...UPGRADE, root, '--packages', packages]
    },
    then: argv => [...argv, '--accept-impact'],
  },
  {
    name: 'an acceptance that a policy forbids',
    in: async () => {
      const policy =
        'apiVersion: packages.kubectl-crossplane.dev/v1alpha1\nkind: Policy\nreject: {acceptedImpacts: true}\n'
      const {root, packages} = await world(made => {
        made.write({
          'policy.yaml': policy,
          'crossplane-packages.yaml': `${readFileSync(made.at('crossplane-packages.yaml'), 'utf8')}policy: policy.yaml\n`,
        })
      })
      return [...UPGRADE, root, '--packages', packages, '--accept-impact']
    },
    want: ['Leave out --accept-impact, and change the objects or select other versions.'],
  },
  {
    name: 'a check without a branch to compare with',
    env: NO_CI,
    in: async () => check(await world()),
    want: ['Pass --since with the branch that the change is merged into, such as --since origin/main.'],
    then: argv => [...argv, '--since', 'main'],
  },
  {
    name: 'a check since a branch that was not fetched',
    env: NO_CI,
    in: async () => check(await world(), '--since', 'none'),
    want: ['git fetch origin none:refs/remotes/origin/none'],
  },
  {
    name: 'a check since a branch without a common commit',
    env: NO_CI,
    in: async () => {
      const made = await world()
      made.git('checkout', '--quiet', '--orphan', 'other')
      made.commit('other')
      made.git('branch', 'third')
      return check(made, '--since', 'main')
    },
    want: ['Pass --since with a branch that HEAD was created from.'],
    then: argv => [...argv.slice(0, -1), 'third'],
  },
  {
    name: 'a check of a lock that could be either of two',
    env: NO_CI,
    in: async () => {
      const made = await world()
      made.write({'two/crossplane-packages.lock': made.text('crossplane-packages.lock')})
      made.commit('two')
      made.git('branch', 'base')
      made.git('rm', '--quiet', 'two/crossplane-packages.lock')
      mkdirSync(made.at('moved'))
      for (const file of ['crossplane-packages.yaml', 'crossplane-packages.lock', 'clusters', 'packages'])
        made.git('mv', file, 'moved')
      made.commit('moved')
      return check(made, '--path', 'moved', '--since', 'base')
    },
    want: ['Move each declaration in a change of its own.'],
  },
  {
    name: 'a check of objects outside of a repository',
    in: async () => {
      const made = await world()
      rmSync(made.at('.git'), {recursive: true})
      const declaration = ['--declaration', made.at('crossplane-packages.yaml')]
      return ['package', 'check', ...declaration, '--packages', made.packages]
    },
    want: ['Run the command in a clone of the repository.'],
  },
  {
    name: 'a check of no objects since a branch',
    in: async () => {
      const made = await world(own => {
        own.edit('crossplane-packages.yaml', 'usage: {objects: [clusters]}\n', '')
      })
      return check(made, '--since', 'main')
    },
    want: ['Add usage with the paths of your objects to the declaration, or leave out --since.'],
  },
  {
    name: 'an acceptance without objects',
    in: [
      ...['package', 'lock', '--declaration', 'examples/platform/crossplane-packages.yaml'],
      ...['--packages', 'examples/platform/packages', '--dry-run=client', '--accept-impact'],
    ],
    want: ['Leave out --accept-impact.'],
  },
  {
    name: 'packages to upgrade beside those of a comparison',
    in: ['package', 'impact', 'x/a', '--old', './x', '--new', './y', '--objects', '.'],
    want: ['Leave out --old and --new, or PACKAGE.'],
  },
]
