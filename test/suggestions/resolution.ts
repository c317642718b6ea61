import {expect} from '@jest/globals'
import {join} from 'node:path'
import {done} from '../commands/indexed-world.js'
import {runCli} from '../run-cli.js'
import {writeTree} from '../temporary-folder.js'
import {addPackage, declarationOf, folderOf, newPath} from './available-packages.js'
import type {SuggestionCase} from './suggestion-case.js'

const AS = {owns: 'as.x.example.org'}
const requires = (text: string) => ({app: `dependsOn: [${text}]\n`})

/** `x/app` with a requirement, and one package that owns a CRD. */
function withRequirement(text: string, app = ''): string {
  return folderOf({}, {'x/app@v1.0.0': {app: `${requires(text).app}${app}`}, 'x/as@v1.0.0': AS})
}

const tree = (packages: string, ...flags: readonly string[]) => [
  ...['package', 'tree', 'x/app', '--packages', packages],
  ...flags,
]

/** A world whose lock was written. */
async function lockedFolder(files: Readonly<Record<string, string>> = {}): Promise<string> {
  const root = folderOf(
    {'wanted.yaml': declarationOf(['x/app']), ...files},
    {'packages/x/app@v1.0.0': requires('{crd: as.x.example.org}'), 'packages/x/as@v1.0.0': AS},
  )
  await done(runCli('package', 'lock', ...inWorld(root)))
  return root
}

const inWorld = (root: string) => [
  ...['--declaration', join(root, 'wanted.yaml')],
  ...['--packages', join(root, 'packages')],
]

/** Requirements that nothing satisfies, owners, and locks. */
export const CASES: readonly SuggestionCase[] = [
  {
    name: 'a package of the folder without its owner',
    in: () => ['package', 'tree', 'as', '--packages', folderOf({}, {'x/as@v1.0.0': AS})],
    then: argv => argv.map(word => (word === 'as' ? 'x/as' : word)),
  },
  {
    name: 'a folder of a version without ./',
    in: () => ['package', 'inspect', 'packages/as@v1.0.0'],
    want: ['Use ./packages/as@v1.0.0 for a folder, or PATH:TAG for a version.'],
  },
  {
    name: 'a CRD for a command that reads one package',
    in: () => ['package', 'inspect', 'crd:as.example.org', '--packages', folderOf({}, {'x/as@v1.0.0': AS})],
    want: [
      'Use the name of the package that provides it. To see it: kubectl crossplane package why crd:as.example.org',
    ],
    then: argv => argv.map(word => (word.startsWith('crd:') ? 'x/as' : word)),
  },
  {
    name: 'a package of an index file without its owner',
    in: async () => {
      const [packages, index] = [folderOf({}, {'x/as@v1.0.0': AS}), `${newPath('index')}.jsonl`]
      await done(runCli('registry', 'index', 'export', '--packages', packages, '-O', index))
      return ['package', 'tree', 'as', '--index', index]
    },
    want: ['Use x/as, or docker.io/as for the package in that registry.'],
  },
  {
    name: 'a package of another owner',
    in: () => [
      'package',
      'inspect',
      'y/as:v1.0.0',
      '--offline',
      '--packages',
      folderOf({}, {'x/as@v1.0.0': AS}),
    ],
    want: [
      'Pull it once without --offline: kubectl crossplane package pull y/as:v1.0.0',
      'Check the name: the folder given with --packages has no y/as.',
      'Check the name: the local packages have x/as.',
    ],
  },
  {
    name: 'a version of the folder without a package',
    in: () => [
      ...['package', 'inspect', 'y/as', '--offline', '--packages'],
      writeTree(folderOf({}, {}), {'y/as/v1.0.0/crossplane.yml': ''}),
    ],
    want: [
      'Pull it once without --offline: kubectl crossplane package pull y/as',
      expect.stringMatching(/^Check \S+y.as.v1\.0\.0: the folder has no package\.$/) as unknown as string,
    ],
  },
  {
    name: 'a folder without a package and without ./',
    in: ['package', 'inspect', 'docs', '--offline'],
    want: [
      'Pull it once without --offline: kubectl crossplane package pull docs',
      'Write ./docs for the folder of that name.',
    ],
  },
  {
    name: 'a folder in place of an index',
    in: ['package', 'provides', 'as.x.example.org', '--index', 'docs'],
    want: ['Pass --packages docs if the folder has packages.'],
  },
  {
    name: 'a file without ./',
    in: ['package', 'inspect', 'examples/tutorial/queue.yaml', '--offline'],
    want: [
      'Pull it once without --offline: kubectl crossplane package pull examples/tutorial/queue.yaml',
      'Write ./examples/tutorial for the folder of the file examples/tutorial/queue.yaml.',
    ],
  },
  {
    name: 'a missing file',
    in: ['package', 'inspect', 'none.yaml', '--offline'],
    want: [
      'Pull it once without --offline: kubectl crossplane package pull none.yaml',
      'No file none.yaml exists; check its path.',
    ],
  },
  {
    name: 'an archive without a word before it',
    in: ['package', 'inspect', 'knip.json', '--offline'],
    want: [
      'Pull it once without --offline: kubectl crossplane package pull knip.json',
      'Write oci-archive:knip.json or docker-archive:knip.json for an image in the file of that name.',
    ],
  },
  {
    name: 'a missing group',
    in: () => tree(withRequirement('{crd: zs.z.example.org}')),
    then: argv => [...argv, '--assume', 'zs.z.example.org'],
  },
  {
    name: 'a missing CRD of a group',
    in: () => tree(withRequirement('{crd: zs.x.example.org}')),
    then: argv => [...argv, '--assume', 'zs.x.example.org'],
  },
  {name: 'a missing package', in: () => tree(withRequirement('{package: x/gone}'))},
  {
    name: 'a version that no package serves',
    in: () => tree(withRequirement('{crd: as.x.example.org/v2}')),
    then: argv => [...argv, '--allow-version-mismatch'],
  },
  {
    name: 'a version that the cluster does not serve',
    in: () =>
      tree(
        folderOf({}, {'x/app@v1.0.0': requires('{crd: zs.z.example.org/v2}')}),
        '--assume',
        'zs.z.example.org/v1',
      ),
    then: argv => [...argv.slice(0, -1), 'zs.z.example.org/v2'],
  },
  {
    name: 'a setting of a flag and of the declaration',
    in: () => {
      const files = {'wanted.yaml': declarationOf(['x/as'], 'crossplaneVersion: none\n')}
      const root = folderOf(files, {'packages/x/as@v1.0.0': AS})
      return ['package', 'tree', ...inWorld(root), '--crossplane-version', 'v0.12']
    },
    then: argv => argv.slice(0, -2),
  },
  {
    name: 'a CRD of Crossplane in a cluster without it',
    in: () =>
      tree(
        withRequirement('{crd: kubernetesapplications.workload.crossplane.io}'),
        '--crossplane-version',
        'none',
      ),
    then: argv => argv.slice(0, -2),
  },
  {
    name: 'the reason of a CRD that Crossplane provides',
    in: () => [
      ...['package', 'why', 'kubernetesapplications.workload.crossplane.io', 'x/app'],
      ...['--packages', withRequirement('{crd: kubernetesapplications.workload.crossplane.io}')],
    ],
  },
  {
    name: 'the reason of another package',
    in: () => [
      'package',
      'why',
      'x/other',
      'x/app',
      '--packages',
      withRequirement('{crd: as.x.example.org}'),
    ],
    then: argv => argv.map(word => (word === 'x/other' ? 'x/as' : word)),
  },
  {
    name: 'several owners',
    in: () =>
      tree(
        folderOf(
          {},
          {'x/app@v1.0.0': requires('{crd: as.x.example.org}'), 'x/as@v1.0.0': AS, 'x/rival@v1.0.0': AS},
        ),
      ),
    then: argv => [...argv, '--owner', 'x.example.org=x/rival'],
  },
  {
    name: 'a Cluster package that requires a Namespaced one',
    in: () =>
      tree(
        folderOf(
          {},
          {
            'x/app@v1.0.0': requires('{crd: as.x.example.org}'),
            'x/as@v1.0.0': {...AS, app: 'permissionScope: Namespaced\n'},
          },
        ),
      ),
    then: argv => [...argv, '--dependency-namespace', 'team-a'],
  },
  {
    name: 'a Namespaced package without a namespace',
    in: () => [
      'package',
      'lock',
      'x/app',
      '--lock-file',
      newPath(),
      '--packages',
      folderOf({}, {'x/app@v1.0.0': {app: 'permissionScope: Namespaced\n'}}),
    ],
    then: argv => [...argv, '--namespace', 'team-a'],
  },
  {
    name: 'a package that cannot be read',
    in: () =>
      tree(
        folderOf(
          {'x/as@v1.0.0/.registry/app.yaml': 'title: [\n'},
          {'x/app@v1.0.0': requires('{package: x/as}')},
        ),
      ),
  },
  {
    name: 'a candidate that cannot be read',
    in: () =>
      tree(
        folderOf(
          {'x/as@v1.0.0/.registry/app.yaml': 'title: [\n'},
          {'x/app@v1.0.0': requires('{crd: as.x.example.org}')},
        ),
      ),
  },
  {
    name: 'a solver without time',
    in: () => {
      const names = Array.from({length: 7}, (_, index) => `x/p${index}`)
      const versions = names.flatMap(name =>
        Array.from(
          {length: 6},
          (_, index) => [`packages/${name}@v${index}.0.0`, {owns: `k${index}s.x.example.org`}] as const,
        ),
      )
      const root = folderOf({'wanted.yaml': declarationOf(names)}, Object.fromEntries(versions))
      return ['package', 'tree', ...inWorld(root), '--solve-timeout', '0s']
    },
  },
  {
    name: '--upgrade of a package that is not locked',
    in: async () => ['package', 'lock', ...inWorld(await lockedFolder()), '--upgrade', 'x/other'],
    then: argv => [...argv.slice(0, -1), 'x/as'],
  },
  {
    name: '--upgrade without a lock file',
    in: () => {
      const root = folderOf({'wanted.yaml': declarationOf(['x/as'])}, {'packages/x/as@v1.0.0': AS})
      return ['package', 'lock', ...inWorld(root), '--upgrade', 'x/as']
    },
    then: argv => argv.slice(0, -2),
  },
  {
    name: '--upgrade of an empty lock',
    in: () => {
      const root = folderOf(
        {'wanted.yaml': declarationOf(['x/as']), 'wanted.lock': EMPTY_LOCK},
        {'packages/x/as@v1.0.0': AS},
      )
      return ['package', 'lock', ...inWorld(root), '--upgrade', 'x/as']
    },
    then: argv => argv.slice(0, -2),
  },
  {name: 'no place for a lock file', in: ['package', 'lock', 'x/app', '--packages', '.']},
  {
    name: 'a locked version with other content',
    in: async () => {
      const root = await lockedFolder()
      addPackage(root, 'packages/x/as@v1.0.0', {owns: 'bs.x.example.org'})
      return ['package', 'render', ...inWorld(root)]
    },
  },
  {
    name: 'a lock that does not hold',
    in: async () => {
      const root = await lockedFolder()
      addPackage(root, 'packages/x/bs@v1.0.0', {owns: 'bs.x.example.org'})
      writeTree(root, {'wanted.yaml': declarationOf(['x/app', 'x/bs'])})
      return ['package', 'render', ...inWorld(root), '--locked']
    },
  },
  {
    name: 'a locked folder that is not given',
    in: async () => [
      'package',
      'render',
      '--declaration',
      join(await lockedFolder(), 'wanted.yaml'),
      '--locked',
    ],
  },
  {
    name: 'a locked folder that lacks a package',
    in: async () => [
      ...['package', 'render', '--declaration', join(await lockedFolder(), 'wanted.yaml'), '--locked'],
      ...['--packages', folderOf({}, {'x/app@v1.0.0': requires('{crd: as.x.example.org}')})],
    ],
  },
  {
    name: 'a conflict of Git in a declaration',
    in: () => [
      'package',
      'lock',
      '--declaration',
      join(folderOf({'a.yaml': `<<<<<<< one\n${declarationOf(['x/a'])}=======\n>>>>>>> other\n`}), 'a.yaml'),
    ],
  },
  {
    name: 'a misspelled key of a declaration',
    in: () => {
      const text = declarationOf(['x/as'], '  verison: ^1.0.0\nonwers: {x.example.org: x/as}\n')
      const root = folderOf({'wanted.yaml': text}, {'packages/x/as@v1.0.0': AS})
      return ['package', 'tree', ...inWorld(root)]
    },
  },
  {
    name: 'a conflict of Git in a lock file',
    in: () => lockWith(`<<<<<<< one\n${EMPTY_LOCK}=======\n>>>>>>> other\n`),
  },
  {name: 'a lock file that is not one', in: () => lockWith('kind: PackageLock\n')},
  {
    name: 'a lock file of a later version',
    in: () => lockWith(EMPTY_LOCK.replace('formatVersion: 1', 'formatVersion: 9')),
  },
]

const EMPTY_LOCK = `apiVersion: packages.kubectl-crossplane.dev/v1alpha1
kind: PackageLock
formatVersion: 1
renderVersion: 1
requestHash: sha256:${'0'.repeat(64)}
`

function lockWith(text: string): readonly string[] {
  const root = folderOf(
    {'wanted.yaml': declarationOf(['x/as']), 'wanted.lock': text},
    {'packages/x/as@v1.0.0': AS},
  )
  return ['package', 'lock', ...inWorld(root)]
}
