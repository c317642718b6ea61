import {describe, expect, it} from '@jest/globals'
import {ofCrossplaneCli} from '../../../src/cli/shell/crossplane-cli.js'
import {runCli} from '../../run-cli.js'

const IDS = ['package build', 'package render', 'trace']

describe('a command line of the crossplane CLI', () => {
  it.each([
    {in: 'xpkg build', want: 'package build .'},
    {in: 'xpkg build -f package', want: 'package build package'},
    {in: 'xpkg build --package-root=package --ignore a.yaml', want: 'package build package'},
    {
      in: 'xpkg push -f a.xpkg,b.xpkg registry.example.org/a:v1',
      want: 'package push registry.example.org/a:v1 a.xpkg b.xpkg',
    },
    {in: 'xpkg push registry.example.org/a:v1', want: 'package push registry.example.org/a:v1'},
    {in: 'xpkg push', want: 'package push --help'},
    {
      in: 'xpkg install provider registry.example.org/a:v1',
      want: 'package install registry.example.org/a:v1',
    },
    {
      in: 'xpkg install function registry.example.org/a:v1 my-function -r 3 -m',
      want: 'package install registry.example.org/a:v1 my-function',
    },
    {
      in: 'xpkg install -m --wait 1m configuration registry.example.org/a:v1',
      want: 'package install registry.example.org/a:v1',
    },
    {in: 'xpkg install registry.example.org/a:v1', want: 'package install registry.example.org/a:v1'},
    {in: 'xpkg install provider', want: 'package install --help'},
    {
      in: 'install provider registry.example.org/a:v1 my-provider',
      want: 'package install registry.example.org/a:v1 my-provider',
    },
    {
      in: 'install provider -r 3 registry.example.org/a:v1 --config large my-provider',
      want: 'package install registry.example.org/a:v1 my-provider',
    },
    {in: 'install provider', want: 'package install --help'},
    {in: 'update configuration my-configuration v2', want: 'package upgrade my-configuration:v2'},
    {in: 'update provider my-provider sha256:0a', want: 'package upgrade my-provider@sha256:0a'},
    {in: 'update provider my-provider', want: 'package upgrade --help'},
    {in: 'update provider', want: 'package upgrade --help'},
    {in: 'update my-provider v2', want: undefined},
    {in: 'xpkg install', want: 'package install --help'},
    {
      in: 'xpkg update provider registry.example.org/a:v2 my-provider',
      want: 'package upgrade registry.example.org/a:v2',
    },
    {in: 'xpkg update', want: 'package upgrade --help'},
    {in: 'xpkg update provider registry.example.org/a:v2', want: 'package upgrade registry.example.org/a:v2'},
    {
      in: 'xpkg init my-configuration configuration-template',
      want: 'package init my-configuration --xpkg configuration',
    },
    {in: 'xpkg extract registry.example.org/a:v1 -o a.gz', want: 'package inspect registry.example.org/a:v1'},
    {in: 'xpkg login registry.example.org', want: 'registry login registry.example.org'},
    {
      in: 'beta trace widgets.example.org my-widget -n team',
      want: 'trace widgets.example.org my-widget --namespace team',
    },
    {in: 'beta trace --show-connection-secrets widget my', want: 'trace widget my'},
    {in: 'beta trace -s -c production widget my -o wide', want: 'trace widget my'},
    {
      in: 'render -r -c xr.yaml composition.yaml functions.yaml -o observed.yaml',
      want: 'package validate xr.yaml composition.yaml',
    },
    {
      in: 'beta validate --skip-success-results extensions a.yaml --cache-dir b',
      want: 'package validate a.yaml',
    },
    {in: 'resource trace widget my-widget', want: 'trace widget my-widget'},
    {in: 'beta validate extensions.yaml a.yaml,b.yaml', want: 'package validate a.yaml b.yaml'},
    {in: 'render xr.yaml composition.yaml functions.yaml', want: 'package validate xr.yaml composition.yaml'},
    {in: 'composition render xr.yaml composition.yaml', want: 'package validate xr.yaml composition.yaml'},
    {in: 'composition render A B', want: 'package validate A B'},
    {in: 'composition render', want: 'package validate --help'},
    {in: 'composition render a.yaml', want: 'package validate a.yaml'},
    {in: 'render xr composition functions', want: undefined},
    {in: 'render registry.example.org/a:v1 my-package', want: undefined},
    {in: 'render ./package values.yaml', want: undefined},
    {in: 'render ./package', want: undefined},
    {in: 'package build .', want: undefined},
    {in: 'beta top', want: undefined},
  ])('$in', ({in: text, want}) => {
    expect(ofCrossplaneCli(text.split(' '), IDS)?.join(' ')).toBe(want)
  })

  it('is answered with the command of this program, which has its flags and arguments', async () => {
    expect(await runCli('xpkg', 'build', '-f', 'examples/xpkg/configuration-database')).toMatchObject({
      status: 2,
      stderr:
        'Error: unknown command "xpkg"\nTry: kubectl crossplane package build examples/xpkg/configuration-database\n',
    })
    expect(await runCli('beta', 'trace', 'widget', 'my-widget', '-n', 'team')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('Try: kubectl crossplane trace widget my-widget --namespace team\n'),
    })
  })
})
