import {describe, expect, it} from '@jest/globals'
import {join} from 'node:path'
import {temporaryFolder, writeTree} from '../temporary-folder.js'
import {BLOG, DATABASE, TEMPLATE} from './fixtures.js'
import {differences, identityOf, objectsIn} from './printed-objects.js'
import {rendered} from './rendered.js'

const temporary = temporaryFolder()
const RECORD = 'Package crossplane-system/example-cli-database.spec.controller'
const POD = `${RECORD}.deployment.spec.template.spec`
const DEPLOYMENT = 'Deployment crossplane-system/example-cli-database-controller.spec.template.spec'
const ACCOUNT = 'ServiceAccount crossplane-system/example-cli-database.metadata'

/** The same values below each of these paths. */
const under = (paths: readonly string[], values: Readonly<Record<string, readonly [unknown, unknown]>>) =>
  Object.fromEntries(
    paths.flatMap(path => Object.entries(values).map(([below, pair]) => [`${path}.${below}`, pair])),
  )
const BOTH_PODS = [POD, DEPLOYMENT]

const secrets = under(BOTH_PODS, {
  'imagePullSecrets.0.name': [undefined, 'first'],
  'imagePullSecrets.1.name': [undefined, 'second'],
})

describe('a request parameter only changes its own fields', () => {
  it.each([
    {
      name: '--source',
      reason: 'images without a registry are pulled from it',
      in: ['--source', '/registry.example.org/mirror/'],
      want: under(BOTH_PODS, {
        'containers.0.image': [
          'example/cli-database:v0.2.0',
          'registry.example.org/mirror/example/cli-database:v0.2.0',
        ],
        'initContainers.0.image': ['example/migrate:1.0', 'registry.example.org/mirror/example/migrate:1.0'],
      }),
    },
    {
      name: '--image-pull-secret',
      reason: 'as often as given, in that order',
      in: ['--image-pull-secret', 'first', '--image-pull-secret=second'],
      want: secrets,
    },
    {
      name: '--imagePullSecret',
      reason: 'as the old program spelled it',
      in: ['--imagePullSecret', 'first', '--imagePullSecret=second'],
      want: secrets,
    },
    {
      name: '--image-pull-policy',
      reason: 'of every container',
      in: ['--image-pull-policy', 'IfNotPresent'],
      want: under(BOTH_PODS, {
        'containers.0.imagePullPolicy': [undefined, 'IfNotPresent'],
        'initContainers.0.imagePullPolicy': [undefined, 'IfNotPresent'],
      }),
    },
    {
      name: '--service-account-annotation',
      reason: 'the value can contain an equals sign',
      in: ['--service-account-annotation', 'iam.example.org/role=a=b', '--service-account-annotation=plain='],
      want: under([`${ACCOUNT}.annotations`, `${RECORD}.serviceAccount.annotations`], {
        'iam.example.org/role': [undefined, 'a=b'],
        plain: [undefined, ''],
      }),
    },
    {
      name: 'a runtime',
      reason: 'of every container; the record stays as the package is',
      in: [
        ...['--replicas', '2', '--env', 'A=b=c', '--limits', 'cpu=1,memory=1Gi', '--requests=cpu=0.5'],
        ...['--runtime', join(import.meta.dirname, '../testdata/runtime.yaml')],
      ],
      want: {
        ...under([DEPLOYMENT.replace('.template.spec', '')], {replicas: [undefined, 2]}),
        ...under([DEPLOYMENT], {'nodeSelector.disk': [undefined, 'ssd']}),
        ...under([`${DEPLOYMENT}.containers.0`, `${DEPLOYMENT}.initContainers.0`], {
          'env.0.name': [undefined, 'A'],
          'env.0.value': [undefined, 'b=c'],
          'resources.limits.memory': [undefined, '1Gi'],
          'resources.requests.cpu': [undefined, '500m'],
        }),
        ...under([`${DEPLOYMENT}.containers.0`], {'resources.limits.cpu': ['500m', '1']}),
        ...under([`${DEPLOYMENT}.initContainers.0`], {'resources.limits.cpu': [undefined, '1']}),
      },
    },
    {
      name: '--allow-full-deployment',
      reason: "the package's own security settings stay",
      in: ['--allow-full-deployment'],
      want: {
        ...under([`${DEPLOYMENT}.securityContext`], {
          runAsNonRoot: [true, undefined],
          runAsUser: [undefined, 0],
        }),
        ...under(
          [`${DEPLOYMENT}.containers.0.securityContext`, `${DEPLOYMENT}.initContainers.0.securityContext`],
          {
            allowPrivilegeEscalation: [false, undefined],
            privileged: [false, undefined],
            runAsNonRoot: [true, undefined],
          },
        ),
      },
    },
    {name: '--scope', reason: 'the package has the same scope', in: ['--scope', 'Cluster'], want: {}},
    {name: '-c', reason: 'the old word for it', in: ['-c'], want: {}},
    {name: '--no-pin-image', reason: 'a folder has no digest to pin', in: ['--no-pin-image'], want: {}},
    {name: '--namespace', reason: 'the default', in: ['-n', 'crossplane-system'], want: {}},
    {name: 'NAME', reason: 'the default', in: ['example-cli-database'], want: {}},
    {
      name: '--allow-core-permissions',
      reason: 'nothing to allow',
      in: ['--allow-core-permissions'],
      want: {},
    },
  ])('$name: $reason', async ({in: flags, want}) => {
    expect(differences(await rendered(...DATABASE), await rendered(...DATABASE, ...flags))).toEqual(want)
  })

  it('--allow-core-permissions grants the rejected permissions', async () => {
    const greedy = writeTree(join(temporary, 'greedy'), {
      '.registry/app.yaml':
        'title: Test\nversion: 1.0.0\npermissionScope: Cluster\ndependsOn:\n- crd: pods\n',
    })
    const system = objectsIn(await rendered(greedy, '--allow-core-permissions')).find(({metadata}) =>
      metadata.name.endsWith(':system'),
    ) as unknown as {rules: unknown[]}
    expect(system.rules.at(-1)).toEqual({apiGroups: [''], resources: ['pods'], verbs: ['*']})
  })
})

const where = (stream: string) => objectsIn(stream).map(identityOf)

describe('the namespace and name of an install', () => {
  const roles = (install: string) =>
    ['system', 'admin', 'edit', 'view'].map(role => `ClusterRole package:${install}:${role}`)
  const crds = ['instances', 'users'].map(plural => `CustomResourceDefinition ${plural}.database.example.org`)
  const placed = (namespace: string, name: string) => [
    ...crds,
    ...roles(`${namespace}:${name}:0.2.0`),
    `ClusterRoleBinding ${name}`,
    `Deployment ${namespace}/${name}-controller`,
    `Package ${namespace}/${name}`,
    `ServiceAccount ${namespace}/${name}`,
  ]

  it.each([
    {
      name: 'a Cluster package',
      reason: 'the system namespace and the path of the repository',
      in: [],
      want: placed('crossplane-system', 'example-cli-database'),
    },
    {name: 'NAME', reason: 'as given', in: ['db'], want: placed('crossplane-system', 'db')},
    {
      name: '--system-namespace',
      reason: 'another one',
      in: ['--system-namespace', 'infra'],
      want: placed('infra', 'example-cli-database'),
    },
    {
      name: '--namespace',
      reason: 'takes precedence over the system namespace for the requested package',
      in: ['db', '--system-namespace', 'infra', '-n', 'team-a'],
      want: placed('team-a', 'db'),
    },
  ])('$name: $reason', async ({in: args, want}) => {
    expect(where(await rendered(...DATABASE, ...args)).sort()).toEqual([...want].sort())
  })

  it('a Namespaced package is installed into the namespace of -n', async () => {
    expect(where(await rendered(...BLOG)).sort()).toEqual([
      'ClusterRole package:team-a:example-cli-blog:v1.0.0:admin',
      'ClusterRole package:team-a:example-cli-blog:v1.0.0:edit',
      'ClusterRole package:team-a:example-cli-blog:v1.0.0:system',
      'ClusterRole package:team-a:example-cli-blog:v1.0.0:view',
      'CustomResourceDefinition blogs.app.example.org',
      'Deployment team-a/example-cli-blog-controller',
      'Package team-a/example-cli-blog',
      'RoleBinding team-a/example-cli-blog',
      'ServiceAccount team-a/example-cli-blog',
    ])
  })

  it('a template stack is a definition and its record', async () => {
    expect(where(await rendered(...TEMPLATE))).toEqual(
      expect.arrayContaining([
        'StackDefinition crossplane-system/example-cli-template',
        'Package crossplane-system/example-cli-template',
        'Deployment crossplane-system/example-cli-template-controller',
      ]),
    )
  })
})

describe('optional objects', () => {
  const added = async (argv: readonly string[], ...flags: readonly string[]) => {
    const before = new Set(where(await rendered(...argv)))
    const after = await rendered(...argv, ...flags)
    const rest = objectsIn(after).filter(object => before.has(identityOf(object)))
    expect(rest).toEqual(objectsIn(await rendered(...argv)))
    return objectsIn(after).filter(object => !before.has(identityOf(object)))
  }

  it('--include-request: the request with its parameters', async () => {
    const flags = [
      '--source',
      'registry.example.org',
      '--image-pull-secret',
      'pull',
      '--image-pull-policy',
      'Never',
    ]
    const request = {
      apiVersion: 'packages.crossplane.io/v1alpha1',
      kind: 'ClusterPackageInstall',
      metadata: {name: 'db', namespace: 'infra'},
      spec: {
        package: 'example/cli-database:v0.2.0',
        source: 'registry.example.org',
        imagePullPolicy: 'Never',
        imagePullSecrets: [{name: 'pull'}],
        serviceAccount: {annotations: {a: 'b'}},
      },
    }
    expect(
      await added(
        [...DATABASE, 'db', '-n', 'infra', ...flags, '--service-account-annotation', 'a=b'],
        '--include-request',
      ),
    ).toEqual([request])
  })

  it('--create-namespace of a Cluster package: the namespace', async () => {
    expect(await added(DATABASE, '--create-namespace')).toEqual([
      {apiVersion: 'v1', kind: 'Namespace', metadata: {name: 'crossplane-system'}},
    ])
  })

  it('--create-namespace of a Namespaced package: with the roles of its users', async () => {
    expect((await added(BLOG, '--create-namespace')).map(identityOf)).toEqual([
      'Namespace team-a',
      'ClusterRole crossplane:ns:team-a:admin',
      'ClusterRole crossplane:ns:team-a:edit',
      'ClusterRole crossplane:ns:team-a:view',
    ])
  })

  it('--with-package-api: the CRDs and roles of the package API', async () => {
    const base = (await added(DATABASE, '--with-package-api')).map(identityOf)
    expect(base).toEqual(
      expect.arrayContaining([
        'CustomResourceDefinition clusterpackageinstalls.packages.crossplane.io',
        'CustomResourceDefinition packageinstalls.packages.crossplane.io',
        'CustomResourceDefinition packages.packages.crossplane.io',
        'CustomResourceDefinition stackdefinitions.packages.crossplane.io',
        'ClusterRole crossplane-admin',
        'ClusterRoleBinding crossplane-admin',
      ]),
    )
    expect(
      base.filter(identity => !/^(CustomResourceDefinition|ClusterRole|ClusterRoleBinding) /.test(identity)),
    ).toEqual([])
  })
})

describe('--api stacks', () => {
  /** Reference: "Names, by era". */
  const names: readonly (readonly [packages: string, stacks: string])[] = [
    ['ClusterPackageInstall', 'ClusterStackInstall'],
    ['clusterpackageinstall', 'clusterstackinstall'],
    ['PackageInstall', 'StackInstall'],
    ['packageinstall', 'stackinstall'],
    ['packages.crossplane.io', 'stacks.crossplane.io'],
    ['package-title', 'stack-title'],
    ['package-manager', 'stack-manager'],
    ['package-behavior', 'stack-behavior'],
    ['package:', 'stack:'],
    ['"Package', '"Stack'],
    ['packages.stacks.', 'stacks.stacks.'],
    ['templating-controller:v0.4.0', 'templating-controller:v0.3.0'],
  ]

  it.each([
    {name: 'a Cluster package', in: DATABASE},
    {name: 'a Namespaced package', in: [...BLOG, '--create-namespace']},
    {name: 'a template stack', in: TEMPLATE},
  ])('$name: the same objects with the names of that era', async ({in: argv}) => {
    const packages = JSON.stringify(objectsIn(await rendered(...argv)))
    const stacks = names.reduce((text, [from, to]) => text.replaceAll(from, to), packages)
    expect(stacks).not.toEqual(packages)
    expect(objectsIn(await rendered(...argv, '--api', 'stacks'))).toEqual(JSON.parse(stacks))
  })

  it('the request and the base have the names of that era, too', async () => {
    const objects = objectsIn(
      await rendered(...DATABASE, '--api', 'stacks', '--include-request', '--with-package-api'),
    )
    const identities = objects.map(identityOf)
    expect(identities).toEqual(
      expect.arrayContaining([
        'ClusterStackInstall crossplane-system/example-cli-database',
        'CustomResourceDefinition stacks.stacks.crossplane.io',
        'ClusterRole crossplane:stack-manager:ns:default:admin',
      ]),
    )
    expect(JSON.stringify(objects)).not.toMatch(/packages\.crossplane\.io|package-manager/)
  })
})
