import {spawnSync} from 'node:child_process'
import {cpSync, existsSync, mkdirSync, readdirSync, symlinkSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {builtProgram} from './built-program.js'

const ROOT = join(import.meta.dirname, '..')

/** Where the npm package is made and installed. */
export interface PackageFolders {
  readonly folder: string
  /** A copy of this repository. */
  readonly checkout: string
  /** What npm installs into. */
  readonly prefix: string
}

/** Builds, packs and installs the package in a folder, as a release does. */
export function installPackage({folder, checkout, prefix}: PackageFolders): void {
  const program = dirname(dirname(builtProgram()))
  for (const path of ['bin', 'dist', 'oclif.manifest.json'])
    cpSync(join(program, path), join(checkout, path), {recursive: true})
  for (const plugin of readdirSync(join(ROOT, 'plugins')))
    for (const path of ['src', 'engines', 'site', 'package.json', 'tsconfig.build.json'])
      copyIfPresent(join(ROOT, 'plugins', plugin, path), join(checkout, 'plugins', plugin, path))
  const others = [
    'scripts',
    'examples',
    'docs',
    'package.json',
    'tsconfig.build.json',
    'LICENSE',
    'README.md',
    'CHANGELOG.md',
  ]
  for (const path of others) cpSync(join(ROOT, path), join(checkout, path), {recursive: true})
  // The declarations of the entry point are made of the sources; they also tell a checkout from an installed package.
  cpSync(join(ROOT, 'src'), join(checkout, 'src'), {recursive: true})
  linkDependencies(join(checkout, 'node_modules'))
  // The gate has checked the types of the same sources.
  runTool(process.execPath, ['scripts/build.mjs', '--plugins', '--no-check'], checkout)
  runTool(process.execPath, ['scripts/bundle.mjs'], checkout)
  runTool(process.execPath, ['scripts/npm-package.mjs'], checkout)
  runTool('npm', ['pack', '--silent', '--pack-destination', folder, './dist/npm'], checkout)
  const archive = readdirSync(folder).find(name => name.endsWith('.tgz')) ?? ''
  mkdirSync(prefix)
  runTool('npm', ['install', '--silent', '--offline', '--prefix', prefix, join(folder, archive)], folder)
}

function copyIfPresent(from: string, to: string): void {
  if (existsSync(from)) cpSync(from, to, {recursive: true})
}

/** Links the dependencies, but not the packages of this repository. */
function linkDependencies(modules: string): void {
  mkdirSync(modules, {recursive: true})
  for (const name of readdirSync(join(ROOT, 'node_modules')))
    if (!name.startsWith('.') && !name.startsWith('kubectl-crossplane'))
      symlinkSync(join(ROOT, 'node_modules', name), join(modules, name))
}

/** Runs a program to its end; throws what it printed if it fails. */
export function runTool(command: string, args: readonly string[], cwd: string): string {
  const {status, stdout, stderr} = spawnSync(command, args, {cwd, encoding: 'utf8'})
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed:\n${stdout}${stderr}`)
  return stdout
}
