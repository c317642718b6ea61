import {describe, expect, it} from '@jest/globals'
import {join} from 'node:path'
import {runCli} from '../run-cli.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'
import {BLOG, DATABASE, fixture, TEMPLATE} from './fixtures.js'
import {identityOf, objectsIn, type PrintedObject} from './printed-objects.js'
import {rendered} from './rendered.js'

const temporary = temporaryFolder()

describe('--as-package', () => {
  const imageAndVersion = (stream: string) => {
    const record = objectsIn(stream).find(({kind}) => kind === 'Package') as PrintedObject & {
      spec: {
        version: string
        controller: {deployment: {spec: {template: {spec: {containers: {image: string}[]}}}}}
      }
    }
    const {name} = record.metadata
    return {
      name,
      version: record.spec.version,
      image: record.spec.controller.deployment.spec.template.spec.containers[0]?.image,
    }
  }
  const digest = `sha256:${'0123456789abcdef'.repeat(4)}`

  it.each([
    {
      name: 'a tag',
      reason: 'the image; app.yaml has the version',
      in: [fixture('cli-database'), '--as-package', 'example/cli-database:v0.2.0'],
      want: {name: 'example-cli-database', version: '0.2.0', image: 'example/cli-database:v0.2.0'},
    },
    {
      name: 'a registry',
      reason: 'stays in the image, and out of the name',
      in: [fixture('cli-database'), '--as-package', 'registry.example.org:5000/db/cli.database:v0.2.0'],
      want: {
        name: 'db-cli-database',
        version: '0.2.0',
        image: 'registry.example.org:5000/db/cli.database:v0.2.0',
      },
    },
    {
      name: 'a tag where app.yaml has no version',
      reason: 'the tag is the version',
      in: [fixture('cli-blog'), '-n', 'a', '--as-package', 'example/cli-blog:v3'],
      want: {name: 'example-cli-blog', version: 'v3', image: 'example/blog-controller:2.1'},
    },
    {
      name: 'a digest where app.yaml has no version',
      reason: 'a version is never empty',
      in: [fixture('cli-blog'), '-n', 'a', '--as-package', `example/cli-blog@${digest}`],
      want: {name: 'example-cli-blog', version: 'sha256-0123456789ab', image: 'example/blog-controller:2.1'},
    },
    {
      name: 'a digest',
      reason: 'is the image',
      in: [fixture('cli-database'), '--as-package', `example/cli-database@${digest}`],
      want: {name: 'example-cli-database', version: '0.2.0', image: `example/cli-database@${digest}`},
    },
  ])('$name: $reason', async ({in: argv, want}) => {
    expect(imageAndVersion(await rendered(...argv))).toEqual(want)
  })

  it.each([
    {name: 'an image', reason: "a container runs the package's own", in: [fixture('cli-database')]},
    {name: 'an image', reason: 'a template stack copies from its own', in: [fixture('cli-template')]},
    {name: 'a version', reason: 'app.yaml has none', in: [fixture('cli-blog'), '-n', 'a']},
    {
      name: 'a version',
      reason: 'a reference without a tag includes none',
      in: [fixture('cli-blog'), '-n', 'a', '--as-package', 'example/cli-blog'],
    },
  ])('is suggested where $name is missing: $reason', async ({in: argv}) => {
    const {status, stdout, stderr} = await runCli('package', 'render', ...argv, '-o', 'json')
    const {code, suggestions} = JSON.parse(stderr) as {code: string; suggestions: string[]}
    expect({status, stdout, code, suggestions}).toEqual({
      status: 2,
      stdout: '',
      code: 'reference-incomplete',
      suggestions: [expect.stringContaining('--as-package')],
    })
  })

  it('defaults to local/<folder> for a folder that requires neither', async () => {
    const plain = writeTree(join(temporary, 'My_Package'), {
      '.registry/app.yaml': 'title: Test\nversion: 1.0.0\npermissionScope: Cluster\n',
    })
    expect(objectsIn(await rendered(plain)).map(identityOf)).toContain(
      'Package crossplane-system/local-my-package',
    )
    expect(objectsIn(await rendered(join(plain, '.registry'))).map(identityOf)).toContain(
      'Package crossplane-system/local-my-package',
    )
  })

  it('a tag that differs from the version gives a warning', async () => {
    const {status, stdout, stderr} = await runCli(
      ...['package', 'render', fixture('cli-database'), '--as-package', 'example/cli-database:v9'],
    )
    expect({status, stderr}).toEqual({
      status: 0,
      stderr: expect.stringMatching(/^Warning: [^\n]*app\.yaml[^\n]* \[version-tag\]\n$/),
    })
    expect(imageAndVersion(stdout)).toMatchObject({version: '0.2.0', image: 'example/cli-database:v9'})
  })
})

describe('--output json', () => {
  it.each([
    {name: 'a Cluster package', in: [...DATABASE, '--with-package-api', '--include-request']},
    {name: 'a Namespaced package', in: BLOG},
    {name: 'a template stack', in: TEMPLATE},
  ])('$name: a List of the objects of the YAML stream, in order', async ({in: argv}) => {
    expect(JSON.parse(await rendered(...argv, '--output', 'json'))).toEqual({
      apiVersion: 'v1',
      kind: 'List',
      items: objectsIn(await rendered(...argv)),
    })
  })
})

describe('a flag from the environment', () => {
  it.each([
    {name: 'CROSSPLANE_API', value: 'stacks', flags: ['--api', 'stacks']},
    {name: 'CROSSPLANE_REQUEST_SOURCE', value: 'r.example.org', flags: ['--source', 'r.example.org']},
    {name: 'CROSSPLANE_SYSTEM_NAMESPACE', value: 'infra', flags: ['--system-namespace', 'infra']},
  ])('$name', async ({name, value, flags}) => {
    const want = await rendered(...DATABASE, ...flags)
    expect(want).not.toEqual(await rendered(...DATABASE))
    process.env[name] = value
    try {
      expect(await rendered(...DATABASE)).toEqual(want)
    } finally {
      Reflect.deleteProperty(process.env, name)
    }
  })
})
