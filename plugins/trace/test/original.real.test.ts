import {beforeAll, describe, expect, it} from '@jest/globals'
import {readFileSync} from 'node:fs'
import {describeCluster} from '../../../test/cluster/describe-cluster.js'
import {findServer, missingPrograms} from '../../../test/cluster/find-server.js'
import {originalTrace} from '../../../test/cluster/servers.js'
import {describeCorpus} from '../../../test/corpus.js'
import {type JsonSchema, schemaViolations} from '../../../test/json-schema.js'
import {describeReal} from '../../../test/real-parts.js'
import {runProgram} from '../../../test/run-program.js'
import {temporaryFolder} from '../../../test/temporary-folder.js'
import {createTraced, runTrace} from './traced-cluster.js'

const folder = temporaryFolder()

/** The states of the original, by the sign of its overview. */
const SIGNS: Readonly<Record<string, string>> = {'✔': 'Ready', '!': 'NotReady', '✕': 'Missing'}

/** What the original finds, as `Ready Secret team-a/name`. */
function foundIn(overview: string): readonly string[] {
  const rows = (overview.split('OVERVIEW')[1] ?? '').split('\n').filter(line => /^[✔!✕]/.test(line))
  return rows.map(row => {
    // Columns are padded with three blanks: an empty one is the namespace of an object without one.
    const [sign = '', kind = '', name = '', namespace = ''] = row.split(/ {2,}/).map(cell => cell.trim())
    const place = ['team-a', 'default'].includes(namespace) ? `${namespace}/` : ''
    return `${SIGNS[sign] ?? sign} ${kind} ${place}${name}`
  })
}

const listed = (objects: readonly string[]) => (objects.length === 0 ? 'none' : objects.join(', '))

interface Document {
  readonly objects: readonly {
    readonly state: string
    readonly kind: string
    readonly namespace?: string
    readonly name: string
  }[]
}

describeCorpus('trace and the original', () => {
  describeReal('trace', missingPrograms([originalTrace]), () => {
    describe.each(['1.20', 'current'] as const)('of the same objects', version => {
      describeCluster(version, `on server ${version}`, cluster => {
        beforeAll(() => createTraced(cluster()), 120_000)

        it.each([
          {name: 'a claim', in: ['mysqlinstance', 'sql'], status: 0},
          {name: 'a claim that waits', in: ['mysqlinstance', 'waiting'], status: 1},
          {
            name: 'a managed resource',
            in: ['cloudsqlinstances.database.gcp.crossplane.io', 'team-a-sql'],
            status: 0,
          },
          {name: 'an application', in: ['kubernetesapplication', 'blog'], status: 0},
          {name: 'an application with a failed part', in: ['kubernetesapplication', 'shop'], status: 1},
        ])('finds all that the original finds of $name', async ({in: argv, status}) => {
          const place = argv[1] === 'team-a-sql' ? ['-n', ''] : ['-n', 'team-a']
          const args = [...argv, ...place, '--kubeconfig', cluster().kubeconfig]
          const original = await runProgram(findServer(originalTrace)!, args, {cwd: folder})
          expect(original).toMatchObject({status: 0})
          const theirs = foundIn(original.stdout)
          expect(theirs.length).toBeGreaterThan(3)
          const traced = await runTrace(cluster(), ...argv, '-n', 'team-a', '-o', 'json')
          expect(traced).toMatchObject({status, stderr: ''})
          const {objects} = JSON.parse(traced.stdout) as Document
          const ours = objects.map(
            ({state, kind, namespace, name}) =>
              `${state} ${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`,
          )
          const additional = ours.filter(each => !theirs.includes(each))
          const missing = theirs.filter(each => !ours.includes(each))
          process.stdout.write(
            `${version}: ${argv.join(' ')}: ${theirs.length} objects in both; only here: ${listed(additional)}; only there: ${listed(missing)}\n`,
          )
          expect(missing).toEqual([])
        })

        it('prints a tree, and no value of a Secret', async () => {
          const {
            status,
            stdout: tree,
            stderr,
          } = await runTrace(cluster(), 'mysqlinstance', 'sql', '-n', 'team-a')
          expect({status, stderr}).toEqual({status: 0, stderr: ''})
          const [, documented] =
            /```\n\$ kubectl .*\n([^`]*)```/.exec(readFileSync('docs/trace.md', 'utf8')) ?? []
          expect(tree).toBe(documented)
          for (const format of ['json', 'yaml', 'dot']) {
            const {stdout} = await runTrace(
              cluster(),
              'kubernetesapplication',
              'blog',
              '-n',
              'team-a',
              '-o',
              format,
            )
            expect(stdout).toContain('sql-connection')
            expect(stdout).not.toContain('the-value-of-a-secret')
          }
        })

        it('prints a document as its schema says', async () => {
          const schema = JSON.parse(readFileSync('docs/schemas/trace.v1alpha1.json', 'utf8')) as JsonSchema
          const {stdout} = await runTrace(
            cluster(),
            'kubernetesapplication',
            'shop',
            '-n',
            'team-a',
            '-o',
            'json',
          )
          expect(schemaViolations(schema, JSON.parse(stdout))).toEqual([])
        })

        it('finds the parts that labels name as such', async () => {
          const {status, stdout} = await runTrace(cluster(), 'kubernetesapplication', 'shop', '-n', 'team-a')
          expect({
            status,
            parts: stdout.split('\n').filter(line => line.startsWith('├──') || line.startsWith('└──')),
          }).toEqual({
            status: 1,
            parts: [
              '├── spec.targetRef: KubernetesTarget team-a/lost-target: Missing',
              '├── child: MySQLInstance team-a/new: Not ready: no controller has reported a status',
              '├── selected: MySQLInstance team-a/waiting: Not ready: Ready is False: Creating: waiting for the instance',
              '└── selected: KubernetesApplicationResource team-a/shop-deployment: Not ready: Synced is False: ReconcileError: cannot connect',
            ],
          })
        })

        it('exits with 1 for an object that does not exist, and with 7 for what it must not read', async () => {
          expect(await runTrace(cluster(), 'mysqlinstance', 'none', '-n', 'team-a')).toEqual({
            status: 1,
            stdout: '',
            stderr: expect.stringMatching(
              /^Error: cannot trace MySQLInstance "none" in namespace "team-a": not found\nTry: kubectl get mysql/,
            ),
          })
          const {status, stdout, stderr} = await runTrace(
            cluster(),
            'mysqlinstance',
            'sql',
            '-n',
            'team-a',
            '--as',
            'reader',
          )
          expect({status, stderr}).toEqual({
            status: 7,
            stderr: expect.stringMatching(
              /^(Warning: cannot find owned objects .*: permission denied to list .*\n){2}Error: .* all objects are ready\n(.*cannot read Secret.*\n){3}$/,
            ),
          })
          expect(stdout).toContain(
            'Secret team-a/sql-connection: Unknown: cannot read Secret team-a/sql-connection: permission denied: user "reader" cannot get secrets in namespace "team-a"',
          )
        })
      })
    })
  })
})
