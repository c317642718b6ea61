import {expect} from '@jest/globals'
import {chmodSync} from 'node:fs'
import {join} from 'node:path'
import {buffer} from 'node:stream/consumers'
import {pack} from 'tar-stream'
import {fixture} from '../commands/fixtures.js'
import {done} from '../commands/indexed-world.js'
import {runCli} from '../run-cli.js'
import {folderOf, newPath} from './available-packages.js'
import type {SuggestionCase} from './suggestion-case.js'

const DATABASE = fixture('cli-database')
const AS_DATABASE = ['--as-package', 'example/cli-database:v0.2.0']
const render = (...args: readonly string[]) => ['package', 'render', ...args]
const withFile = (text: string, ...flags: readonly string[]) =>
  render('-f', join(folderOf({'a.yaml': text}), 'a.yaml'), ...flags)
const request = (spec: string) => `apiVersion: packages.crossplane.io/v1alpha1
kind: ClusterPackageInstall
metadata: {name: database, namespace: a}
spec: {${spec}}
`
const RECORD = `apiVersion: packages.crossplane.io/v1alpha1
kind: Package
metadata: {name: database}
spec: {customresourcedefinitions: [{apiVersion: zs.example.org/v1, kind: Z}], controller: {}, permissionScope: Cluster}
`
const APP = 'title: Test\nversion: 1.0.0\n'

/** A layout with two tagged images. */
async function layout(): Promise<string> {
  const path = newPath('layout')
  for (const tag of ['v0.1.0', 'v0.2.0'])
    await done(
      runCli(
        'package',
        'build',
        `oci:${path}:${tag}`,
        folderOf({}, {[`a@${tag}`]: {}}) + `/a@${tag}`,
        '--no-lint',
      ),
    )
  return path
}

/** Packages in files and folders, and what is rendered from them. */
export const CASES: readonly SuggestionCase[] = [
  {name: 'a folder without a package', in: () => render(folderOf({}))},
  {
    name: 'a folder of another name',
    in: () => ['package', 'inspect', `${folderOf({'.registry/app.yaml': APP})}/.regisrty`],
    want: [expect.stringMatching(/^Did you mean .*\/\.registry\?$/) as unknown as string],
  },
  {
    name: 'a text in place of a bundle',
    in: () => ['bundle', 'list', join(folderOf({'a.tar': 'text'}), 'a.tar')],
  },
  {
    name: 'a folder that is not packages',
    in: render('a/b', '--packages', newPath()),
  },
  {
    name: 'a folder of packages with the base of a bundle',
    in: () => render('a/b', '--packages', folderOf({}, {'a/b@v1.0.0': {}}), '--packages-base', 'x.tar'),
  },
  {
    name: 'a package without a registry that the folder lacks',
    in: () => render('a/b', '--packages', folderOf({}), '--default-source', '127.0.0.1:1'),
  },
  {
    name: 'a version that the folder lacks',
    in: () => render('127.0.0.1:1/x/a:v9.0.0', '--packages', folderOf({}, {'x/a@v1.0.0': {}}), '--offline'),
  },
  {
    name: 'a digest that the folder lacks',
    in: () =>
      render(
        `127.0.0.1:1/x/a@sha256:${'0'.repeat(64)}`,
        '--packages',
        folderOf({}, {'x/a@v1.0.0': {}}),
        '--offline',
      ),
  },
  {name: 'a layout that is not one', in: () => render(`oci:${folderOf({})}`)},
  {
    name: 'a layout with two images',
    in: async () => render(`oci:${await layout()}`, ...AS_DATABASE),
    then: ([, , source = '', ...rest]) => render(`${source}:v0.2.0`, ...rest),
  },
  {
    name: 'an archive of docker with two images',
    in: async () => {
      const archive = pack()
      const images = ['a', 'b'].map(name => ({Config: 'c.json', RepoTags: [`x/${name}:v1`], Layers: []}))
      archive.entry({name: 'manifest.json'}, JSON.stringify(images))
      archive.finalize()
      return render(`docker-archive:${join(folderOf({'a.tar': await buffer(archive)}), 'a.tar')}`)
    },
  },
  {name: 'an incomplete path', in: render('oci:')},
  {
    name: 'an image without a name',
    in: render(DATABASE),
    then: argv => [...argv, ...AS_DATABASE],
  },
  {
    name: 'a request of a local package',
    in: () => render(join(folderOf({}, {'a@v1.0.0': {}}), 'a@v1.0.0'), '--include-request'),
    then: argv => [...argv, ...AS_DATABASE],
  },
  {
    name: 'a package without a version',
    in: () => render(folderOf({'.registry/app.yaml': 'title: Test\npermissionScope: Cluster\n'})),
    then: argv => [...argv, ...AS_DATABASE],
  },
  {
    name: 'a Namespaced package',
    in: render(fixture('cli-blog'), '--as-package', 'example/cli-blog:v1.0.0'),
    then: argv => [...argv, '--namespace', 'team-a'],
  },
  {
    name: 'another scope',
    in: render(DATABASE, ...AS_DATABASE, '--scope', 'Namespaced'),
    then: argv => argv.slice(0, -2),
  },
  {
    name: 'a request of another scope',
    in: () =>
      withFile(
        request('package: "x/a:v1.0.0"').replace('ClusterPackageInstall', 'PackageInstall'),
        '--packages',
        folderOf({}, {'x/a@v1.0.0': {}}),
      ),
  },
  {
    name: 'permissions on core kinds',
    in: () =>
      render(folderOf({'.registry/app.yaml': `${APP}permissionScope: Cluster\ndependsOn: [{crd: pods}]\n`})),
    then: argv => [...argv, '--allow-core-permissions'],
  },
  {
    name: 'a schema that is not structural',
    in: () =>
      render(
        folderOf({
          '.registry/app.yaml': `${APP}permissionScope: Cluster\n`,
          '.registry/resources/a.crd.yaml': LOOSE_CRD,
        }),
      ),
    then: argv => [...argv, '--non-structural', 'preserve'],
  },
  {name: 'a declaration as -f', in: () => withFile('kind: PackageDeclaration\n')},
  {name: 'a request for a CRD without packages', in: () => withFile(request('crd: as.x.example.org'))},
  {
    name: 'a record without a namespace',
    in: () => withFile(RECORD),
  },
  {name: 'a record of a CRD that is not given', in: () => withFile(RECORD, '--namespace', 'a')},
  {name: 'a file that does not exist', in: render('-f', 'no such file.yaml')},
  {
    name: 'a plan that is not one',
    in: () => render('--output-dir', newPath(), '--plan', join(folderOf({'plan.json': '{}'}), 'plan.json')),
  },
  {
    name: 'a plan and a package',
    in: render('x/a', '--output-dir', 'x', '--plan', 'plan.json'),
  },
  {
    name: 'a plan and a flag',
    in: render('--output-dir', 'x', '--plan', 'plan.json', '--with-package-api'),
  },
  {
    name: 'a cache that others can write to',
    in: () => {
      const folder = folderOf({})
      chmodSync(folder, 0o777)
      return ['cache', 'list', '--cache-dir', folder]
    },
  },
  {
    name: 'a cache that is a file',
    in: () => ['cache', 'list', '--cache-dir', join(folderOf({cache: ''}), 'cache')],
  },
  {name: 'an empty name of a cache', in: ['cache', 'list', '--cache-dir', '']},
  {name: 'an index that is not a file', in: ['registry', 'index', 'list', '--index', './none.jsonl']},
  {
    name: 'a broken file of an index',
    in: () => ['registry', 'index', 'list', '--index', join(folderOf({'a.jsonl': '{}\n'}), 'a.jsonl')],
  },
]

const LOOSE_CRD = `apiVersion: apiextensions.k8s.io/v1beta1
kind: CustomResourceDefinition
metadata: {name: as.x.example.org}
spec:
  group: x.example.org
  version: v1
  scope: Cluster
  names: {plural: as, kind: A}
  validation: {openAPIV3Schema: {type: object, properties: {spec: {type: object, anyOf: [{type: string}]}}}}
`
