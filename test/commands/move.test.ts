import {afterEach, beforeEach, describe, expect, it} from '@jest/globals'
import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {installedPackage} from '../fakes/core-answers.js'
import {coreServer} from '../fakes/core-server.js'
import {runCli} from '../run-cli.js'
import {temporaryFolder} from '../temporary-folder.js'
import {setVariable} from '../set-variable.js'

const NEW = 'registry.example.org/community/sql'
const OLD = 'registry.example.org/market/sql'

describe('package move', () => {
  it.each([
    {name: 'without OLD', argv: [], want: 'missing argument OLD'},
    {name: 'without NEW', argv: ['sql'], want: 'missing argument NEW'},
    {name: 'of another package than --back', argv: ['sql', '--back'], want: 'OLD and --back are mutually'},
    {name: 'in both directions', argv: ['--continue', '--back'], want: '--continue'},
    {name: 'in Git without a cluster', argv: ['sql', NEW, '--git', '.'], want: '--git requires --context'},
    {
      name: 'in Git with a document',
      argv: ['sql', NEW, '--git', '.', '--context', 'a', '-o', 'json'],
      want: '--output and --git are mutually exclusive',
    },
    {
      name: 'with --continue and a Configuration',
      argv: ['--continue', '--with', 'app:v2'],
      want: '--continue',
    },
    {
      name: 'in Git with a Configuration',
      argv: ['sql', NEW, '--git', '.', '--context', 'a', '--with', 'app:v2'],
      want: '--with and --git are mutually exclusive',
    },
    ...[
      ['--continue', '--policy', 'p.yaml'],
      ['--back', '--solve-timeout', '1s'],
      ['--back', '--core-version', 'v2.3.4'],
      ['--continue', '--core-version', 'v2.3.4', '--git', '.', '--context', 'a'],
    ].map(argv => ({
      name: argv.join(' '),
      argv,
      want: `${argv[1]} has no effect with ${argv[0]}: the move was judged when it began`,
    })),
    ...[['sql', NEW], ['--continue'], ['--back']].map(words => ({
      name: `in Git with ${words[0]} and a dry run on the server`,
      argv: [...words, '--git', '.', '--context', 'a', '--dry-run=server'],
      want: '--dry-run=server and --git are mutually exclusive',
    })),
  ])('$name is a usage error', async ({argv, want}) => {
    const {status, stderr} = await runCli('package', 'move', ...argv)
    expect({status, stderr}).toEqual({status: 2, stderr: expect.stringContaining(want)})
  })

  describe('in a cluster', () => {
    const temporary = temporaryFolder()
    const before = process.env.KUBECONFIG
    beforeEach(() => {
      process.env.KUBECONFIG = join(temporary, 'kubeconfig')
    })
    afterEach(() => {
      setVariable('KUBECONFIG', before)
    })
    const moved = async (objects: ReturnType<typeof installedPackage>, ...argv: readonly string[]) => {
      writeFileSync(join(temporary, 'kubeconfig'), await coreServer(objects))
      const {status, stdout, stderr} = await runCli('package', 'move', ...argv, '--yes')
      return {status, stdout, stderr}
    }
    const [provider, configuration] = [
      installedPackage('Provider', OLD, 'v1.0.0'),
      installedPackage('Configuration', OLD, 'v1.0.0'),
    ]
    const paused = provider.map(object => ({
      ...object,
      metadata: {...object.metadata, annotations: {'crossplane.io/paused': 'true'}},
    }))

    it.each([
      {
        name: 'of which the version is not known',
        objects: provider,
        argv: ['market-sql', NEW],
        want: {status: 5, stderr: 'the version of Crossplane is not known'},
      },
      {
        name: 'before v2.3',
        objects: provider,
        argv: ['market-sql', NEW, '--core-version', 'v2.2.0'],
        want: {status: 5, stderr: 'a move needs v2.3 or later'},
      },
      {
        name: 'with a Configuration',
        objects: configuration,
        argv: ['market-sql', NEW, '--core-version', 'v2.3.4'],
        want: {status: 5, stderr: 'only Providers can move'},
      },
      {
        name: 'with a package that is paused',
        objects: paused,
        argv: ['market-sql', NEW, '--core-version', 'v2.3.4'],
        want: {status: 5, stderr: 'provider/market-sql is paused'},
      },
      {
        name: 'without the package',
        objects: provider,
        argv: ['other', NEW, '--core-version', 'v2.3.4'],
        want: {status: 1, stderr: 'package "other" not found'},
      },
      {
        name: 'with the package in this place',
        objects: provider,
        argv: ['market-sql', OLD, '--core-version', 'v2.3.4'],
        want: {status: 2, stderr: 'nothing moves'},
      },
      {
        name: 'with a Configuration without its version',
        objects: provider,
        argv: ['market-sql', NEW, '--core-version', 'v2.3.4', '--with', 'app'],
        want: {status: 2, stderr: '--with "app" has no tag'},
      },
      {
        name: 'with a Configuration that is not installed',
        objects: provider,
        argv: ['market-sql', NEW, '--core-version', 'v2.3.4', '--with', 'app:v2'],
        want: {status: 1, stderr: 'package "app" not found'},
      },
      {
        name: 'with another Provider that changes',
        objects: [...provider, ...installedPackage('Provider', 'registry.example.org/market/app', 'v1.0.0')],
        argv: ['market-sql', NEW, '--core-version', 'v2.3.4', '--with', 'market-app:v2'],
        want: {status: 5, stderr: 'only Configurations can change with a move'},
      },
      {
        name: 'with two versions of a Configuration',
        objects: [
          ...provider,
          ...installedPackage('Configuration', 'registry.example.org/market/app', 'v1.0.0'),
        ],
        argv: [
          'market-sql',
          NEW,
          '--core-version',
          'v2.3.4',
          '--with',
          'market-app:v2',
          '--with',
          'market-app:v3',
        ],
        want: {status: 2, stderr: '--with names configuration/market-app twice'},
      },
    ])('$name is rejected', async ({objects, argv, want}) => {
      const {status, stderr} = await moved(objects, ...argv)
      expect({status, stderr}).toEqual({...want, stderr: expect.stringContaining(want.stderr)})
    })

    it.each(['--continue', '--back'])('without an unfinished move changes nothing with %s', async flag => {
      const {status, stderr} = await moved(provider, flag)
      expect({status, stderr}).toEqual({status: 0, stderr: expect.stringContaining('nothing to change')})
    })
  })
})
