import {spawnSync} from 'node:child_process'
import {cpSync, mkdirSync, readdirSync} from 'node:fs'
import {join} from 'node:path'

export const ROOT = join(import.meta.dirname, '../..')
/** What a release and the package of npm are made of, besides their dependencies. */
const INPUTS = [
  'bin',
  'CHANGELOG.md',
  'docs',
  'examples',
  'krew-manifest.yaml',
  'LICENSE',
  'package-lock.json',
  'package.json',
  'plugins',
  'README.md',
  'scripts',
  'src',
  'test/cluster/typescript.mjs',
  'tsconfig.build.json',
]
const LOADER = ['--import', './test/cluster/typescript.mjs']

/** The commit that releases of tests name. */
export const REVISION = '0123456789abcdef0123456789abcdef01234567'

/** Makes the release from what `npm run build` has built in a checkout; the flags say of what. */
export function makeReleaseOf(
  checkout: string,
  flags: readonly string[],
  output: string,
  env: Readonly<Record<string, string>> = {},
): void {
  const args = [...LOADER, 'scripts/release/release.ts', ...flags, '--output', output]
  const fixed = {SOURCE_DATE_EPOCH: '1700000000', RELEASE_REVISION: REVISION}
  run(process.execPath, args, checkout, {...fixed, ...env})
}

/** Copies a checkout, with links to the files of packages, and builds it there. */
export function builtCopy(folder: string): string {
  for (const path of INPUTS) {
    const isOutput = (each: string) => /\/(dist|oclif\.manifest\.json)$/.test(each)
    cpSync(join(ROOT, path), join(folder, path), {recursive: true, filter: each => !isOutput(each)})
  }
  const modules = join(folder, 'node_modules')
  mkdirSync(modules)
  const names = readdirSync(join(ROOT, 'node_modules')).filter(name => name !== '.cache')
  run('cp', ['-al', ...names.map(name => join('node_modules', name)), modules], ROOT)
  // The gate has checked the types of the same sources.
  run(process.execPath, ['scripts/build.mjs', '--no-check'], folder)
  return folder
}

/** Runs a program in a folder, and returns what it prints; throws if it fails. */
export function run(
  program: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): string {
  const variables = {...process.env, NODE_OPTIONS: '', ...env}
  const {status, error, stdout, stderr} = spawnSync(program, args, {cwd, env: variables, encoding: 'utf8'})
  if (status === 0) return stdout
  throw new Error(`${program} ${args.join(' ')} failed: ${error?.message ?? `${stdout}${stderr}`}`)
}
