import {describe, expect, it} from '@jest/globals'
import {runCli} from '../run-cli.js'
import {objectsIn} from './printed-objects.js'

const request = (kind: string, metadata: object, spec: object, group = 'packages.crossplane.io') => ({
  apiVersion: `${group}/v1alpha1`,
  kind,
  metadata,
  spec,
})

describe('package generate-install', () => {
  it.each([
    {
      name: 'IMAGE',
      reason: 'the name is the path of the repository; a request for a Namespaced package',
      in: ['crossplane/sample-stack-wordpress:0.1.0'],
      want: request(
        'PackageInstall',
        {name: 'crossplane-sample-stack-wordpress'},
        {package: 'crossplane/sample-stack-wordpress:0.1.0'},
      ),
    },
    {
      name: 'IMAGE NAME SOURCE',
      reason: 'as the old program took them',
      in: ['crossplane/wordpress:0.1.0', 'blog', 'registry.example.org'],
      want: request(
        'PackageInstall',
        {name: 'blog'},
        {package: 'crossplane/wordpress:0.1.0', source: 'registry.example.org'},
      ),
    },
    {
      name: '--source',
      reason: 'wins over the old third argument',
      in: ['a/b', 'c', 'old.example.org', '--source', 'new.example.org'],
      want: request('PackageInstall', {name: 'c'}, {package: 'a/b', source: 'new.example.org'}),
    },
    {
      name: '-c',
      reason: 'the old word for a Cluster package',
      in: ['-c', 'crossplane/provider-gcp:v0.11.0', 'gcp'],
      want: request('ClusterPackageInstall', {name: 'gcp'}, {package: 'crossplane/provider-gcp:v0.11.0'}),
    },
    {
      name: '--scope Namespaced',
      reason: 'the default, written out',
      in: ['a/b', '--scope', 'Namespaced'],
      want: request('PackageInstall', {name: 'a-b'}, {package: 'a/b'}),
    },
    {
      name: '--imagePullSecret NAME',
      reason: 'as the old program spelled it, before and after arguments',
      in: ['--imagePullSecret', 'first', 'a/b', '--imagePullSecret=second'],
      want: request(
        'PackageInstall',
        {name: 'a-b'},
        {package: 'a/b', imagePullSecrets: [{name: 'first'}, {name: 'second'}]},
      ),
    },
    {
      name: 'every parameter',
      reason: 'of an era that had the same by other names',
      in: [
        ...['--api', 'stacks', '--scope', 'Cluster', '--namespace', 'infra', '--image-pull-policy', 'Always'],
        ...['--image-pull-secret', 'pull', '--service-account-annotation', 'a.example.org/b=c=d'],
        ...['registry.example.org:5000/db/provider:v1', 'db', '--source', 'mirror.example.org/x'],
      ],
      want: request(
        'ClusterStackInstall',
        {name: 'db', namespace: 'infra'},
        {
          package: 'registry.example.org:5000/db/provider:v1',
          source: 'mirror.example.org/x',
          imagePullPolicy: 'Always',
          imagePullSecrets: [{name: 'pull'}],
          serviceAccount: {annotations: {'a.example.org/b': 'c=d'}},
        },
        'stacks.crossplane.io',
      ),
    },
    {
      name: 'a package that does not exist',
      reason: 'no package is read',
      in: ['nobody/has-this:v9', '-n', 'a'],
      want: request(
        'PackageInstall',
        {name: 'nobody-has-this', namespace: 'a'},
        {package: 'nobody/has-this:v9'},
      ),
    },
  ])('$name: $reason', async ({in: args, want}) => {
    const {status, stdout, stderr} = await runCli('package', 'generate-install', ...args)
    expect({status, stderr, objects: objectsIn(stdout)}).toEqual({status: 0, stderr: '', objects: [want]})
    const json = await runCli('package', 'generate-install', ...args, '-o', 'json')
    expect({...json, stdout: JSON.parse(json.stdout) as unknown}).toEqual({
      status: 0,
      stderr: '',
      stdout: want,
    })
  })

  it.each([
    {name: 'a folder', in: './cli-database'},
    {name: 'an upper case name', in: 'Example/Database'},
  ])('rejects $name, which a cluster cannot pull', async ({in: image}) => {
    const {status, stdout, stderr} = await runCli('package', 'generate-install', image, '-o', 'json')
    expect({status, stdout, code: (JSON.parse(stderr) as {code: string}).code}).toEqual({
      status: 2,
      stdout: '',
      code: 'reference-invalid',
    })
  })
})
