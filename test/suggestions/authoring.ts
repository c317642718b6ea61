import {readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {fixture} from '../commands/fixtures.js'
import {done} from '../commands/indexed-world.js'
import {runCli} from '../run-cli.js'
import {crdText, folderOf, newPath} from './available-packages.js'
import type {SuggestionCase} from './suggestion-case.js'

const init = (...args: readonly string[]) => ['package', 'init', ...args]
const service = (
  folder: string,
  claim = 'MySQLInstance.database.crossplane.io/v1alpha1',
  ...args: readonly string[]
) =>
  init(
    folder,
    '--name',
    'a',
    '--service',
    'Disk',
    '--group',
    'disks.example.org',
    '--api-version',
    'v1',
    '--claim',
    claim,
    ...args,
  )
const build = (target: string, ...args: readonly string[]) => [
  ...['package', 'build', target, fixture('cli-database')],
  ...args,
]
const aPackage = (version = 'v1.0.0') => join(folderOf({}, {[`a@${version}`]: {}}), `a@${version}`)
const crds = (scope: string) => folderOf({'a.yaml': crdText('as.x.example.org', 'v1', scope)})
const ODD_CRD = crdText('as.x.example.org', 'v1', 'Cluster').replace('name: as.x.example.org', 'name: b.x')
const currentPackage = (files: Readonly<Record<string, string>> = {}) =>
  folderOf({
    'crossplane.yaml':
      'apiVersion: meta.pkg.crossplane.io/v1\nkind: Configuration\nmetadata:\n  name: demo\nspec:\n  crossplane:\n    version: ">=v1.14.0"\n',
    ...files,
  })

const together = (...files: readonly string[]) => ['package', 'push', '127.0.0.1:1/a:v1', ...files]

async function aLayout(): Promise<string> {
  const layout = `oci:${newPath()}`
  await done(runCli(...build(layout, '--no-lint')))
  return layout
}

/** A package for a current Crossplane whose program is for the default platform. */
async function anXpkg(): Promise<string> {
  const file = `${newPath()}.xpkg`
  const runtime = ['--embed-runtime-image', await aLayout()]
  await done(runCli('package', 'build', file, currentPackage(), ...runtime))
  return file
}

/** Targets and sources of images, and new packages. */
export const CASES: readonly SuggestionCase[] = [
  {name: 'a reference as target', in: build('example/x:v1')},
  {name: 'a folder as target', in: build('./x')},
  {name: 'an archive as target, without its kind', in: build('./x.tar')},
  {
    name: 'a folder with .registry/ in place of the target',
    in: ['package', 'build', fixture('cli-database')],
    want: [`kubectl crossplane package build oci-archive:package.tar ${fixture('cli-database')}`],
  },
  {name: 'a docker-archive as target', in: build('docker-archive:x')},
  {name: 'an invalid tag', in: build('oci:x:a/b')},
  {
    name: 'a tag of another version',
    in: () => build(`oci:${newPath()}:v9.0.0`),
    then: argv => argv.map(word => word.replace('v9.0.0', 'v0.2.0')),
  },
  {name: 'a folder as base', in: () => build(`oci:${newPath()}`, '--from', './x')},
  {
    name: 'errors of lint',
    in: () => [
      'package',
      'build',
      `oci:${newPath()}`,
      folderOf({'.registry/app.yaml': 'Title: Odd\npermissionScope: Cluster\n'}),
    ],
    then: argv => [...argv, '--no-lint'],
  },
  {name: 'an .xpkg file of a package with .registry/', in: () => build(`${newPath()}.xpkg`)},
  {
    name: 'examples of a package with .registry/',
    in: () => build(`oci:${newPath()}`, '--examples', folderOf({'a.yaml': 'kind: A\n'})),
    then: argv => argv.slice(0, -2),
  },
  {
    name: 'an API without baked metadata',
    in: () => build(`oci:${newPath()}`, '--api', 'packages'),
    want: ['Pass --bake-metadata, or leave out --api.'],
  },
  {
    name: 'baked metadata of a package for a current Crossplane',
    in: () => ['package', 'build', `oci:${newPath()}`, currentPackage(), '--bake-metadata'],
    then: argv => argv.slice(0, -1),
  },
  {name: 'a copy without a path in the image', in: () => build(`oci:${newPath()}`, '--copy', 'dist')},
  {name: 'a copy of an empty folder', in: () => build(`oci:${newPath()}`, '--copy', `${folderOf({})}:/app`)},
  {
    name: 'a copy into a package for a current Crossplane',
    in: () => ['package', 'build', `oci:${newPath()}`, currentPackage(), '--copy', `${folderOf({})}:/app`],
  },
  {
    name: 'errors of lint of a package for a current Crossplane',
    in: () => ['package', 'build', `oci:${newPath()}`, currentPackage({'crd.yaml': ODD_CRD})],
    then: argv => [...argv, '--no-lint'],
  },
  {
    name: 'a file of another program in a package for a current Crossplane',
    in: () => ['package', 'build', `oci:${newPath()}`, currentPackage({'auth.yaml': 'version: "1"\n'})],
    then: argv => [...argv, '--ignore', 'auth.yaml'],
  },
  {
    name: 'a target that is another file',
    in: () => build(`oci-archive:${join(folderOf({'a.tar': 'x'}), 'a.tar')}`),
  },
  {name: 'a target that is another folder', in: () => build(`oci:${folderOf({'a.txt': 'x'})}`)},
  {
    name: 'a base offline',
    in: () => build(`oci:${newPath()}`, '--from', 'registry.example.org/a:v1', '--offline'),
  },
  {name: 'an invalid name', in: () => init(newPath(), '--name', 'A b')},
  {
    name: 'a name that is too long',
    in: () => init(newPath(), '--name', 'a'.repeat(60)),
    then: argv => [...argv.slice(0, -1), 'provider-sql'],
  },
  {
    name: 'a scope that the CRDs do not have',
    in: () => init(newPath(), '--from-crds', crds('Cluster'), '--scope', 'Namespaced'),
    then: argv => argv.slice(0, -2),
  },
  {
    name: 'a package that exists',
    in: async () => {
      const folder = newPath('with space')
      await done(runCli(...init(folder, '--name', 'a')))
      return init(folder, '--name', 'a')
    },
  },
  {
    name: 'a package of CRDs that exists',
    in: async () => {
      const argv = init(newPath('with space'), '--name', 'a', '--from-crds', crds('Cluster'))
      await done(runCli(...argv))
      return argv
    },
    then: argv => [...argv, '--update'],
  },
  ...['--service', '--group', '--api-version', '--claim'].map(flag => ({
    name: `an invalid value of ${flag}`,
    in: () => {
      const argv = service(newPath())
      const at = argv.indexOf(flag) + 1
      return [...argv.slice(0, at), '!', ...argv.slice(at + 1)]
    },
  })),
  {
    name: 'a service and its claim under one name',
    in: () => service(newPath(), 'Disk.disks.example.org/v1', '--own-claim'),
  },
  {
    name: 'a service in a folder that has one',
    in: async () => {
      const folder = newPath('with space')
      await done(runCli(...service(folder)))
      return service(folder)
    },
  },
  {
    name: 'a service in a folder that has another package',
    in: () => service(folderOf({'.registry/app.yaml': 'title: A\npermissionScope: Cluster\n'})),
  },
  {name: 'an update without a source', in: () => init(folderOf({'a.txt': ''}), '--update')},
  {
    name: 'an update of an invalid service',
    in: () => init(folderOf({'service.yaml': 'kind: disk\n'}), '--update'),
  },
  {
    name: 'an update of a service with an invalid schema',
    in: async () => {
      const folder = newPath()
      await done(runCli(...service(folder)))
      const file = join(folder, 'service.yaml')
      writeFileSync(file, readFileSync(file, 'utf8').replace('type: integer', 'type: number?'))
      return init(folder, '--update')
    },
  },
  {name: 'a folder without CRDs', in: () => init(newPath(), '--from-crds', folderOf({}))},
  {
    name: 'a base of an image that was built before',
    in: async () => {
      const layout = `oci:${newPath()}`
      await done(runCli(...build(layout, '--no-lint')))
      return ['package', 'push', '127.0.0.1:1/a:v1', layout, '--from', 'a/b']
    },
  },
  {name: 'files for one platform', in: async () => together(await anXpkg(), await anXpkg())},
  {name: 'a folder beside a file for a platform', in: async () => together(await anXpkg(), currentPackage())},
  {
    name: 'a package with .registry/ beside a file for a platform',
    in: async () => together(await anXpkg(), await aLayout()),
  },
  {
    name: 'a package without a program beside a file for a platform',
    in: async () => {
      const file = `${newPath()}.xpkg`
      await done(runCli('package', 'build', file, currentPackage()))
      return together(await anXpkg(), file)
    },
  },
  {
    name: 'a file in place of the target of a push',
    in: () => ['package', 'push', 'amd64.xpkg', 'arm64.xpkg'],
  },
  {
    name: 'a push to a digest',
    in: () => ['package', 'push', `127.0.0.1:1/a:v1@sha256:${'0'.repeat(64)}`, aPackage()],
  },
  {
    name: 'a push without a tag',
    in: () => [
      'package',
      'push',
      '127.0.0.1:1/a',
      folderOf({'.registry/app.yaml': 'title: Test\npermissionScope: Cluster\n'}),
      '--no-lint',
    ],
  },
]
