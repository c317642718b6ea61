import {beforeAll, describe, expect, it} from '@jest/globals'
import {execFileSync} from 'node:child_process'
import {mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {setTimeout} from 'node:timers/promises'
import {describeCluster} from '../../cluster/describe-cluster.js'
import {schemaOf, schemaViolations} from '../../json-schema.js'
import {missingTool} from '../../missing-tool.js'
import {describeReal} from '../../real-parts.js'
import {temporaryFolder} from '../../temporary-folder.js'
import {runIn} from './installing.js'
import {DemoPackages} from './some-world.js'
import {watchedIn, watchedWhile} from './watched.js'

const temporary = temporaryFolder()

const DECLARATION = `apiVersion: packages.kubectl-crossplane.dev/v1alpha1
kind: PackageDeclaration
render: {base: true, createNamespace: true}
packages:
- package: demo/sql:v1.0.0
`

const NAMESPACE = ['--namespace', 'crossplane-system']
const DEPLOYMENT = 'deployment/demo-sql-controller'
const INSTALL = 'packages/installs/crossplane-system.demo-sql'
const FILE = `${INSTALL}/deployment-demo-sql-controller.yaml`
const ACCOUNT = `${INSTALL}/serviceaccount-demo-sql.yaml`
const CRD = 'customresourcedefinition/sqls.demo.example.org'

interface Report {
  readonly lockChange?: {readonly commit?: {readonly subject: string}}
  readonly packages: readonly {readonly lock?: string; readonly cluster?: string}[]
  readonly files: readonly {readonly path: string; readonly change: string; readonly remedy?: string}[]
  readonly objects: readonly {
    readonly kind: string
    readonly differences: readonly {
      readonly field: string
      readonly differs: readonly string[]
      readonly managers: readonly {readonly manager: string; readonly time: string}[]
      readonly tree?: {readonly commit: {readonly subject: string}}
    }[]
    readonly remedies: readonly {readonly command: string}[]
  }[]
}

/** What a report names, one text each: `KIND FIELD SIDES by MANAGERS since COMMIT`. */
function namedIn({packages, files, objects}: Report): string[] {
  return [
    ...packages.map(({lock = '-', cluster = '-'}) => `${lock} ${cluster}`),
    ...objects.flatMap(({kind, differences}) =>
      differences.map(({field, differs, managers, tree}) =>
        [
          kind,
          field === '' ? 'whole' : field,
          differs.join('+'),
          ...managers.map(({manager}) => `by ${manager}`),
          ...(tree === undefined ? [] : [`since ${tree.commit.subject}`]),
        ].join(' '),
      ),
    ),
    ...files.map(({path, change}) => `${change} ${path}`),
  ]
}

describeReal('package drift', missingTool('kubectl', 'git'), () => {
  describeCluster('current', 'of a lock, a tree and a cluster', cluster => {
    const world = new DemoPackages()
    const root = mkdtempSync(join(temporary, 'home-'))
    const declaration = join(root, 'crossplane-packages.yaml')
    const source = ['--packages', world.folder]
    const LOCK = ['--declaration', declaration, ...source]
    const TREE = ['--git', root]
    const CLUSTER = ['--context', 'test']
    const run = (...args: readonly string[]) => runIn(cluster(), 'package', ...args)
    const shell = (command: string) =>
      execFileSync('sh', ['-c', command], {
        encoding: 'utf8',
        env: {
          ...process.env,
          KUBECONFIG: cluster().kubeconfig,
          GIT_AUTHOR_NAME: 'A U Thor',
          GIT_AUTHOR_EMAIL: 'author@example.org',
          GIT_COMMITTER_NAME: 'C O Mitter',
          GIT_COMMITTER_EMAIL: 'committer@example.org',
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
    const git = (...args: readonly string[]) => shell(['git', '-C', root, ...args].join(' '))
    const kubectl = (...args: readonly string[]) => shell(['kubectl', ...args].join(' '))
    const commit = (subject: string) => {
      git('add', '--all')
      git('commit', '--quiet', `--message=${subject}`)
    }
    const edit = (path: string, change: (text: string) => string) => {
      const before = readFileSync(join(root, path), 'utf8')
      const after = change(before)
      expect(after).not.toBe(before)
      writeFileSync(join(root, path), after)
    }
    const report = async (...sides: readonly string[]) => {
      const {stdout} = await run('drift', ...sides, '-o', 'json')
      return JSON.parse(stdout) as Report
    }
    /** It contains the version of the package. */
    const roleName = () => {
      const text = readFileSync(join(root, INSTALL, 'clusterrole-system.yaml'), 'utf8')
      return /\n {2}name: "?([^\s"]+)/.exec(text)?.[1] ?? ''
    }
    const all = [...LOCK, ...TREE, ...CLUSTER]

    /** Runs the commands of a report, as a user pastes them, and commits what they changed. */
    async function bringBack(
      {objects, files}: Report,
      pick: (command: string) => boolean = () => true,
    ): Promise<void> {
      const commands = new Set([
        ...objects.flatMap(({remedies}) => remedies.map(({command}) => command)),
        ...files.flatMap(({remedy = ''}) => remedy),
      ])
      for (const command of [...commands].filter(pick)) {
        const [, own] = /^kubectl crossplane (.*)$/.exec(command) ?? []
        if (own === undefined) {
          shell(command)
          continue
        }
        const writes = own.startsWith('package install') ? ['--yes', '--no-wait'] : []
        expect(await runIn(cluster(), ...own.split(' '), ...writes)).toMatchObject({status: 0})
      }
      if (git('status', '--porcelain') !== '') commit('restored')
    }

    beforeAll(async () => {
      world.publish('sql', 'v1.0.0')
      writeFileSync(declaration, DECLARATION)
      git('init', '--quiet', '--initial-branch=main')
      expect(await run('lock', ...LOCK)).toMatchObject({status: 0})
      expect(await run('render', ...LOCK, '--output-dir', join(root, 'packages'))).toMatchObject({status: 0})
      commit('first')
      expect(await run('install', ...LOCK, '--no-wait', '--yes')).toMatchObject({status: 0})
    }, 300_000)

    it('reports nothing where nothing differs', async () => {
      for (const sides of [all, [...LOCK, ...TREE], LOCK, TREE]) {
        expect(await run('drift', ...sides)).toMatchObject({status: 0, stdout: ''})
      }
    })

    describe.each([
      {
        name: 'kubectl scale',
        in: () => kubectl('scale', ...NAMESPACE, DEPLOYMENT, '--replicas=3'),
        want: ['Deployment spec.replicas cluster by kubectl'],
      },
      {
        name: 'kubectl set image',
        in: () => kubectl('set', 'image', ...NAMESPACE, DEPLOYMENT, "'*=example.org/other:v1'"),
        want: ['Deployment spec.template.spec.containers[name=controller].image cluster by kubectl-set'],
      },
      {
        name: 'kubectl set env, which adds a field',
        in: () => kubectl('set', 'env', ...NAMESPACE, DEPLOYMENT, 'DEBUG=1'),
        want: ['Deployment spec.template.spec.containers[name=controller].env cluster by kubectl-set'],
      },
      {
        name: 'kubectl patch of a field that gets its default when it is removed',
        in: () => kubectl('patch', ...NAMESPACE, DEPLOYMENT, `--patch='{"spec":{"revisionHistoryLimit":5}}'`),
        want: ['Deployment spec.revisionHistoryLimit cluster by kubectl-patch'],
      },
      {
        name: 'kubectl delete',
        in: () => kubectl('delete', ...NAMESPACE, 'serviceaccount/demo-sql'),
        want: ['ServiceAccount whole cluster'],
      },
      {
        name: 'kubectl patch of a role',
        in: () =>
          kubectl(
            ...['patch', `clusterrole/${roleName()}`, '--type=json'],
            `--patch='[{"op":"add","path":"/rules/-","value":{"apiGroups":[""],"resources":["secrets"],"verbs":["*"]}}]'`,
          ),
        want: ['ClusterRole rules cluster by kubectl-patch'],
      },
      {
        name: 'kubectl patch of a schema',
        in: () =>
          kubectl(
            ...['patch', CRD, '--type=json'],
            `--patch='[{"op":"replace","path":"/spec/versions/0/schema/openAPIV3Schema/description","value":"other"}]'`,
          ),
        want: [
          'CustomResourceDefinition spec.versions[0].schema.openAPIV3Schema.description cluster by kubectl-patch',
        ],
      },
      {
        name: 'kubectl label of one of its labels',
        in: () =>
          kubectl('label', ...NAMESPACE, DEPLOYMENT, '--overwrite', 'core.crossplane.io/parent-name=other'),
        want: ['Deployment metadata.labels["core.crossplane.io/parent-name"] cluster by kubectl-label'],
      },
    ])('$name', ({in: inject, want}) => {
      it('is named with its manager, and is undone by the command', async () => {
        inject()
        const found = await report(...all)
        expect(namedIn(found)).toEqual(want)
        expect(schemaViolations(schemaOf('drift-report'), found)).toEqual([])
        expect(await run('drift', ...all)).toMatchObject({status: 1})
        // The same without the tree, and without the lock.
        for (const sides of [
          [...LOCK, ...CLUSTER],
          [...TREE, ...CLUSTER],
        ]) {
          const two = namedIn(await report(...sides)).map(text => text.replace(/(?:lock|tree)\+/, ''))
          expect(two.map(text => text.replace(/ since .*/, ''))).toEqual(want)
        }
        await bringBack(found)
        expect(await run('drift', ...all)).toMatchObject({status: 0})
      })
    })

    it('does not name what others add to metadata, such as labels and restarts', async () => {
      kubectl('label', ...NAMESPACE, DEPLOYMENT, 'team=ours')
      expect(namedIn(await report(...all))).toEqual([])
    })

    describe.each([
      {
        name: 'an edited file',
        in: () => edit(FILE, text => text.replace('replicas: 1', 'replicas: 4')),
        want: ['Deployment spec.replicas tree since edited'],
      },
      {
        name: 'a deleted file',
        in: () => rmSync(join(root, ACCOUNT)),
        want: ['ServiceAccount whole tree since edited'],
      },
      {
        name: 'an edited kustomization',
        in: () => edit(`${INSTALL}/kustomization.yaml`, text => text.replace(/\n- serviceaccount.*/, '')),
        want: [`edited ${INSTALL}/kustomization.yaml`],
      },
    ])('a commit with $name', ({in: inject, want}) => {
      it('is named with its commit, and is undone by the command', async () => {
        inject()
        commit('edited')
        git('commit', '--quiet', '--allow-empty', '--message=later')
        const found = await report(...all)
        expect(namedIn(found)).toEqual(want)
        const two = namedIn(await report(...LOCK, ...TREE))
        expect(two.map(text => text.replace('lock+', ''))).toEqual(want)
        await bringBack(found)
        expect(await run('drift', ...all)).toMatchObject({status: 0})
      })
    })

    it('names a lock that was upgraded without rendering, with the command that restores it', async () => {
      world.publish('sql', 'v2.0.0')
      edit('crossplane-packages.yaml', text => text.replace('demo/sql:v1.0.0', 'demo/sql:v2.0.0'))
      expect(await run('lock', ...LOCK, '--upgrade', 'demo/sql')).toMatchObject({status: 0})
      commit('upgraded')
      const found = await report(...all)
      expect(found.packages).toMatchObject([{lock: 'demo/sql:v2.0.0', cluster: 'demo/sql:v1.0.0'}])
      const sides = found.objects.flatMap(({differences}) =>
        differences.map(({differs}) => differs.join('+')),
      )
      expect(new Set(sides)).toEqual(new Set(['lock']))
      expect(found.lockChange?.commit?.subject).toBe('upgraded')
      await bringBack(found)
      expect(await run('drift', ...all)).toMatchObject({status: 0})
    })

    it('exits with 7 if an object must not be read, and names the permission', async () => {
      const denied = await run('drift', ...all, '--as', 'reader')
      expect(denied).toMatchObject({status: 7, stderr: expect.stringMatching(/cannot .*reader/)})
    })

    it('watches until it is interrupted, and prints a line for each difference', async () => {
      kubectl('scale', ...NAMESPACE, DEPLOYMENT, '--replicas=3')
      const watched = await watchedIn(cluster(), 'package', 'drift', ...LOCK, ...CLUSTER, '--watch')
      expect(watched).toMatchObject({
        status: 130,
        lines: [expect.stringMatching(/ in spec.replicas: lock 1, cluster 3; changed by kubectl$/)],
      })
      kubectl('scale', ...NAMESPACE, DEPLOYMENT, '--replicas=1')
      expect(namedIn(await report(...all))).toEqual([])
    }, 60_000)

    it('goes on watching after a side could not be read', async () => {
      kubectl('scale', ...NAMESPACE, DEPLOYMENT, '--replicas=3')
      const lock = join(root, 'crossplane-packages.lock')
      const hideLock = async () => {
        renameSync(lock, `${lock}.away`)
        // Longer than a pause and a read together.
        await setTimeout(12_000)
        kubectl('scale', ...NAMESPACE, DEPLOYMENT, '--replicas=1')
        renameSync(`${lock}.away`, lock)
      }
      const args = ['package', 'drift', ...LOCK, ...CLUSTER, '--watch']
      const watched = await watchedWhile(cluster(), args, [hideLock])
      expect(watched).toMatchObject({
        status: 130,
        lines: [expect.stringMatching(/cluster 3;/), expect.stringMatching(/^the same again: .* cluster 3;/)],
      })
      expect(watched.stderr.match(/^Warning: .*$/gm)).toEqual([
        expect.stringMatching(
          /^Warning: cannot read the lock file .*crossplane-packages.lock: no such file or directory \[watch-failed\]$/,
        ),
      ])
    }, 90_000)

    it('names all sides where each has another value', async () => {
      kubectl('scale', ...NAMESPACE, DEPLOYMENT, '--replicas=3')
      edit(FILE, text => text.replace('replicas: 1', 'replicas: 4'))
      commit('four')
      edit(FILE, text => text.replace('name: demo-sql-controller', 'name: "demo-sql-controller"'))
      commit('quotes')
      const found = await report(...all)
      expect(namedIn(found)).toEqual(['Deployment spec.replicas lock+tree+cluster by kubectl since four'])
      // The tree is rendered again by hand, since its file was edited.
      git('revert', '--no-edit', 'HEAD', 'HEAD~1')
      await bringBack(found, command => command.includes('package install'))
      expect(await run('drift', ...all)).toMatchObject({status: 0})
    })
  })
})
