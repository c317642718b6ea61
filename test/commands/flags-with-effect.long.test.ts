import {describe, expect, it} from '@jest/globals'
import {existsSync, mkdtempSync} from 'node:fs'
import {join, resolve} from 'node:path'
import {clusterFlags} from '../../src/cli/cluster/cluster-flags.js'
import {commonFlags} from '../../src/cli/shell/flags/common-flags.js'
import {pullFlags} from '../../src/cli/sources/pull-flags.js'
import {runCli} from '../run-cli.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'
import {FLAG_VALUES, flagsOf, withoutFormer} from './flag-table.js'
import {visibleIn} from './folder-content.js'

type Format = 'stack' | 'xpkg'

const folder = temporaryFolder()

const FOLDERS: Readonly<Record<Format, string>> = {
  stack: resolve('examples/platform/packages'),
  xpkg: resolve('examples/xpkg/packages'),
}
const REFS: Readonly<Record<Format, readonly string[]>> = {
  stack: ['example/app-press:v0.1.0', '--namespace', 'team-a'],
  xpkg: ['registry.example.org/example/provider-sql:v1.5.0'],
}
const ENTRIES: Readonly<Record<Format, readonly object[]>> = {
  stack: [{package: 'example/app-press:v0.1.0', namespace: 'team-a'}, {package: 'example/stack-starter'}],
  xpkg: [{package: 'registry.example.org/example/provider-sql:v1.5.0'}],
}
const OWN_FOLDERS: Readonly<Record<Format, string>> = {
  stack: join(FOLDERS.stack, 'example/stack-starter@v0.2.0'),
  xpkg: join(FOLDERS.xpkg, 'example/provider-sql@v1.5.0'),
}

/** Commands without a cluster that take packages of both formats; DIR is a home with a locked declaration. */
const COMMANDS: Readonly<Record<string, (format: Format) => readonly string[]>> = {
  'package tree': format => REFS[format],
  'package why': format => ['DEPENDENCY', ...REFS[format]],
  'package lock': format => [...REFS[format], '--lock-file', 'DIR/a.lock'],
  'package outdated': () => ['--declaration', 'DIR/p.yaml'],
  'package inspect': format => REFS[format],
  'package compare': () => ['DIR/p.yaml'],
  'package schemas': () => ['DIR/schemas', '--declaration', 'DIR/open.yaml'],
  'package activation': () => ['--declaration', 'DIR/open.yaml'],
  'package validate': () => ['DIR/object.yaml', '--declaration', 'DIR/open.yaml'],
  'package impact': () => ['--declaration', 'DIR/p.yaml', '--objects', 'DIR/object.yaml'],
  'package build': format => ['oci:DIR/image', OWN_FOLDERS[format]],
  'package lint': format => [OWN_FOLDERS[format]],
}

const DEPENDENCIES: Readonly<Record<Format, string>> = {
  stack: 'example/provider-cloud',
  xpkg: 'registry.example.org/example/provider-family',
}

/** A value of each flag that decides about packages, not the default one. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  ...FLAG_VALUES,
  'embed-runtime-image': ['r.example.org/runtime:v1'],
  'bake-metadata': [],
}

/** Flags that do the same for packages of both formats, and the suites in which they do it. */
const OF_BOTH: Readonly<Record<string, readonly string[]>> = {
  'test/cli/sources': Object.keys(pullFlags),
  'test/cli/cluster': [...Object.keys(clusterFlags), 'installed'],
  'test/cli/shell': [...Object.keys(commonFlags), 'output', 'depth', 'explain', 'list-rules', 'strict'],
  'test/commands/lock.test.ts': [
    ...[
      'packages',
      'packages-base',
      'index',
      'crd',
      'declaration',
      'lock-file',
      'locked',
      'upgrade',
      'split',
    ],
    ...['dry-run', 'verify', 'trust-lock', 'policy', 'solve-timeout'],
  ],
  'test/commands/impact.test.ts': [
    'objects',
    'old',
    'new',
    'fail-on',
    'max-unread',
    'accept-impact',
    'since',
  ],
  'test/commands/activation.test.ts': ['write', 'check'],
  'test/commands/validate.test.ts': ['allow-unknown'],
  'test/commands/compare.test.ts': ['fields'],
  'test/commands/build.test.ts': ['from', 'ignore', 'copy', 'examples', 'no-lint'],
  'test/commands/bundle.real.test.ts': ['image'],
}

/** Why a flag makes no difference to the packages of this suite. */
const REASONS = {
  resolved: 'it decides which versions are selected, and these packages have no other choice',
  image: 'packages of folders are of no platform',
  place: 'the report does not show where packages are installed',
  metadata: 'the package has no metadata files',
  report: 'the report does not show service accounts',
  policy: 'it is the name that a policy sees',
} as const

const WITHOUT_DIFFERENCE: Readonly<Record<string, keyof typeof REASONS>> = {
  'platform stack': 'image',
  'platform xpkg': 'image',
  'owner stack': 'resolved',
  'assume stack': 'resolved',
  'allow-version-mismatch stack': 'resolved',
  'dependency-namespace stack': 'resolved',
  'core-version xpkg': 'resolved',
  'package outdated system-namespace stack': 'place',
  'package why namespace stack': 'place',
  'package build bake-metadata stack': 'metadata',
  'package lint as-package xpkg': 'policy',
  'package inspect service-account-annotation stack': 'report',
}

interface Ended {
  readonly status: number
  readonly stdout: string
  readonly stderr: string
  readonly files: Readonly<Record<string, string>>
}

const declaration = (format: Format) =>
  JSON.stringify({
    ...{apiVersion: 'packages.kubectl-crossplane.dev/v1alpha1', kind: 'PackageDeclaration'},
    packages: ENTRIES[format],
  })

async function run(command: string, format: Format, ...flags: readonly string[]): Promise<Ended> {
  const home = writeTree(mkdtempSync(join(folder, 'home-')), {
    'p.yaml': declaration(format),
    'open.yaml': declaration(format),
    'object.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: b}\n',
  })
  const sources = ['--packages', FOLDERS[format]]
  const locked = await runCli('package', 'lock', '--declaration', join(home, 'p.yaml'), ...sources)
  expect(locked).toMatchObject({status: 0})
  const words = (COMMANDS[command]?.(format) ?? []).map(word =>
    word.replace('DIR', home).replace('DEPENDENCY', DEPENDENCIES[format]),
  )
  const takesFolder = command !== 'package build'
  // The last one of a flag counts.
  const argv = [...command.split(' '), ...words, ...(takesFolder ? sources : []), ...flags]
  const {status, stdout, stderr} = await runCli(...withoutFormer(argv, flags[0]))
  const neutral = (text: string) => text.replaceAll(home, 'DIR')
  return {status, stdout: neutral(stdout), stderr: neutral(stderr), files: visibleIn(home)}
}

const SHARED = Object.values(OF_BOTH).flat()

it('has each reason for a flag that makes no difference', () => {
  const used = new Set(Object.values(WITHOUT_DIFFERENCE))
  expect([...used].toSorted()).toEqual(Object.keys(REASONS).toSorted())
})

it.each(Object.keys(OF_BOTH))('is shown by a suite that exists: %s', suite => {
  expect(existsSync(suite)).toBe(true)
})

describe.each(Object.keys(COMMANDS))('%s', command => {
  it('knows of each flag what it is for', async () => {
    const unknown = (await flagsOf(command)).filter(flag => !SHARED.includes(flag) && !(flag in VALUES))
    expect(unknown).toEqual([])
  })

  describe.each(['stack', 'xpkg'] as const)('with packages of the format %s', format => {
    it('takes no flag without effect', async () => {
      const without = await run(command, format)
      expect({...without, stdout: ''}).toMatchObject({status: 0})
      const silent: string[] = []
      for (const flag of await flagsOf(command)) {
        const value = VALUES[flag]
        const names = [`${flag} ${format}`, `${command} ${flag} ${format}`]
        if (value === undefined || names.some(name => name in WITHOUT_DIFFERENCE)) continue
        const ended = await run(command, format, `--${flag}`, ...value)
        if (JSON.stringify(ended) === JSON.stringify(without)) silent.push(flag)
        if (ended.status === 2) expect(ended.stderr).toMatch(new RegExp(`--(${flag}|scope) `))
      }
      expect(silent).toEqual([])
    })
  })
})
