import {cpSync, readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {formatHolder, thisProcess} from '../../src/adapters/lock-holder.js'
import {formatJournal, JOURNAL, journalSteps, STAGING} from '../../src/commit/journal.js'
import {BLOG, DATABASE, fixture} from '../commands/fixtures.js'
import {done} from '../commands/indexed-world.js'
import {runCli} from '../run-cli.js'
import {writeTree} from '../temporary-folder.js'
import {folderOf, newPath} from './available-packages.js'
import type {SuggestionCase} from './suggestion-case.js'

const STATE = '.kubectl-crossplane'
const write = (folder: string, ...args: readonly string[]) => [
  ...['package', 'render', ...(args.length === 0 ? DATABASE : args)],
  ...['--output-dir', folder],
]

/** A folder that was written, and then changed. */
async function changed(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = newPath('out put')
  await done(runCli(...write(folder)))
  return writeTree(folder, files)
}

/** A tree that was rendered with the settings of a declaration that has others now. */
async function declaredTree(now: string, before: string): Promise<readonly string[]> {
  const text = (settings: string) =>
    `apiVersion: packages.kubectl-crossplane.dev/v1alpha1\nkind: PackageDeclaration\n${settings}packages:\n- package: example/stack-starter\n`
  const root = folderOf({'wanted.yaml': text(before)})
  const file = join(root, 'wanted.yaml')
  const packages = join(import.meta.dirname, '../../examples/platform/packages')
  const command = write(join(root, 'tree'), '--declaration', file, '--packages', packages)
  await done(runCli(...command))
  writeFileSync(file, text(now))
  return command
}

/** Folders that are not as this program left them. */
export const CASES: readonly SuggestionCase[] = [
  {name: 'an unmanaged file', in: () => write(folderOf({'crds/kustomization.yaml': 'mine\n'}))},
  {name: 'a modified file', in: async () => write(await changed({'kustomization.yaml': 'mine\n'}))},
  {
    name: 'a modified file that goes',
    in: async () => write(await changed({'crds/users.database.example.org.yaml': 'mine\n'}), ...BLOG),
  },
  {
    name: 'a second kustomization',
    in: async () => write(await changed({'crds/kustomization.yml': 'mine\n'})),
  },
  {
    name: 'a CRD that loses a version',
    in: async () => {
      const folder = newPath('out put')
      const packages = join(import.meta.dirname, '../../examples/platform/packages')
      const flags = ['--packages', packages, '--no-dependencies', '--layout', 'flux']
      await done(runCli(...write(folder, 'example/provider-cloud:v0.10.0', ...flags)))
      return write(folder, 'example/provider-cloud:v0.11.0', ...flags)
    },
  },
  {
    name: 'a tree that gets the layout of a controller',
    in: async () => {
      const folder = newPath('out put')
      await done(runCli(...write(folder)))
      const layout = ['--layout', 'argocd', '--repo-url', 'https://git.example.org/a']
      return write(folder, ...DATABASE, ...layout)
    },
  },
  {
    name: 'a tree whose layout is forgotten',
    in: async () => {
      const folder = newPath('out put')
      await done(runCli(...write(folder), '--layout', 'flux'))
      return write(folder)
    },
  },
  {
    name: 'a tree whose declaration lacks its settings',
    in: async () => await declaredTree('', 'layout: flux\nflux: {interval: 5m}\n'),
  },
  {
    name: 'a tree whose declaration has other settings',
    in: async () =>
      await declaredTree('layout: argocd\nargocd: {repoURL: https://git.example.org/a}\n', 'layout: flux\n'),
  },
  {
    name: 'settings that were modified',
    in: async () => write(await changed({[`${STATE}/tree.settings`]: 'mine\n'})),
  },
  {
    name: 'a tree for Argo CD without a repository',
    in: () => [...write(newPath('tree')), '--layout', 'argocd'],
  },
  {
    name: 'a repository with credentials',
    in: () => [
      ...write(newPath('tree')),
      ...['--layout', 'argocd', '--repo-url', 'https://token@git.example.org/a'],
    ],
  },
  {
    name: 'a repository for another layout',
    in: () => [...write(newPath('tree')), '--repo-url', 'https://git.example.org/a'],
  },
  {name: 'CRDs that are deleted', in: async () => write(await changed({}), ...BLOG)},
  {
    name: 'a list of files that is damaged',
    in: async () => write(await changed({[`${STATE}/files.sha256`]: 'x\n'})),
  },
  {name: 'a journal that is damaged', in: async () => write(await changed({[JOURNAL]: 'x\n'}))},
  {
    name: 'a write that was interrupted',
    in: async () => {
      const folder = await changed({})
      writeTree(folder, {
        [JOURNAL]: formatJournal(journalSteps([{path: 'kustomization.yaml', after: '0'.repeat(64)}])),
      })
      return [...write(folder), '--dry-run']
    },
  },
  {
    name: 'a link in place of the journal',
    in: async () => {
      const folder = await changed({})
      symlinkSync('/dev/null', join(folder, JOURNAL))
      return write(folder)
    },
  },
  {
    name: 'bindings that get another role',
    in: async () => {
      const source = folderOf({})
      cpSync(fixture('cli-database'), source, {recursive: true})
      const app = join(source, '.registry/app.yaml')
      writeFileSync(app, readFileSync(app, 'utf8').replace(/^version: .*$/m, 'version: v0.3.0'))
      return write(await changed({}), source, '--as-package', 'example/cli-database:v0.3.0')
    },
  },
  {
    name: 'staged content that is damaged',
    in: async () => {
      const folder = await changed({})
      const journal = formatJournal(journalSteps([{path: 'kustomization.yaml', after: '0'.repeat(64)}]))
      writeTree(folder, {[JOURNAL]: journal, [`${STAGING}/0`]: 'x'})
      return write(folder)
    },
  },
  {
    name: 'a lock of another process',
    in: async () => {
      const folder = await changed({})
      const holder = {...(await thisProcess()), host: 'elsewhere', pid: 1, lease: 600}
      writeTree(folder, {[`${STATE}/lock/1-0000000000000000`]: formatHolder(holder)})
      return write(folder)
    },
  },
  {
    name: 'a lock of an unknown program',
    in: async () => {
      const folder = await changed({})
      rmSync(join(folder, STATE, 'lock'), {recursive: true, force: true})
      writeTree(folder, {[`${STATE}/lock/x`]: 'x'})
      return write(folder)
    },
  },
  {name: 'no folder to check', in: ['package', 'check']},
  {
    name: 'a folder to check without a declaration',
    in: () => ['package', 'check', '--output-dir', folderOf({})],
  },
  {
    name: 'a folder to check whose packages are not available',
    in: async () => {
      const examples = join(import.meta.dirname, '../../examples/platform')
      const declaration = join(folderOf({}), 'crossplane-packages.yaml')
      cpSync(join(examples, 'crossplane-packages.yaml'), declaration)
      const flags = ['--declaration', declaration]
      const packages = ['--packages', join(examples, 'packages')]
      const tree = ['--output-dir', newPath('tree')]
      await done(runCli('package', 'lock', ...flags, ...packages))
      await done(runCli('package', 'render', ...flags, ...packages, ...tree))
      return ['package', 'check', ...flags, ...tree]
    },
  },
  {
    name: 'a folder to check without a list of hashes',
    in: () => ['package', 'check', '--output-dir', folderOf({}), '--hashes'],
  },
  {
    name: 'a folder to check that does not exist',
    in: () => ['package', 'check', '--output-dir', newPath(), '--hashes'],
  },
]
