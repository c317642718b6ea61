import {spawnSync} from 'node:child_process'
import {createHash} from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import {dirname, join} from 'node:path'
import {pathToFileURL} from 'node:url'
import {once} from './once.cjs'

const ROOT = join(import.meta.dirname, '..')
const CACHE = join(ROOT, 'node_modules', '.cache', 'kubectl-crossplane')
/** What a build reads. */
const INPUTS = ['bin', 'scripts/build.mjs', 'scripts/bundle', 'src', 'package.json', 'tsconfig.build.json']
/** What a build writes, the manifest last. */
const OUTPUTS = ['dist', 'oclif.manifest.json']
/** Has the plugins, too. */
const BUNDLE = join(ROOT, 'dist/bundle')
/** How many builds stay: a suite in another terminal may run an older one. */
const MOST_KEPT = 5

/**
 * The path of `bin/run.js` of a program that the project's own build made from the sources as they are now, without
 * plugins. It lies apart from `dist/`, which may be old, and which a build in another terminal removes while a suite runs. Built once
 * for each state of the sources, which takes some seconds.
 */
export function builtProgram(): string {
  return once('built program', buildOnce)
}

/**
 * The program that KUBECTL_CROSSPLANE_PROGRAM names, such as a single executable: suites run that one instead of the
 * sources. `npm run test:executable` sets it.
 */
export function givenProgram(): string | undefined {
  return process.env.KUBECTL_CROSSPLANE_PROGRAM
}

/** The words that start the built program as a release contains it, in one file, or the one that was given. */
export function programWords(): readonly [string, ...string[]] {
  const given = givenProgram()
  return given === undefined ? [process.execPath, bundledProgram()] : [given]
}

/** The path of `bin/run.js` beside a bundle of that build, which starts in a third of the time. Bundled once as well. */
export function bundledProgram(): string {
  const built = dirname(dirname(builtProgram()))
  const folder = join(built, 'bundled')
  if (!existsSync(folder)) bundle(built, folder)
  return join(folder, 'bin/run.js')
}

function bundle(built: string, folder: string): void {
  const unfinished = `${folder}.${process.pid}`
  const file = join(unfinished, 'dist/bundle/kubectl-crossplane.cjs')
  cpSync(join(ROOT, 'bin'), join(unfinished, 'bin'), {recursive: true})
  mkdirSync(join(built, 'plugins'), {recursive: true}) // it has none
  const bundler = pathToFileURL(join(ROOT, 'scripts/bundle/bundle-program.mjs')).href
  const script = `import {bundleProgram} from '${bundler}'; await bundleProgram(...process.argv.slice(1))`
  runNode(['--input-type=module', '-e', script, built, file], unfinished)
  runNode([join(ROOT, 'scripts/bundle/write-code-cache.mjs'), file], unfinished)
  publish(unfinished, folder)
}

/** The same as a command and its arguments, the last of which are given. */
export function programCommand(...args: readonly string[]): [string, string[]] {
  const [command, ...words] = programWords()
  return [command, [...words, ...args]]
}

function buildOnce(): string {
  const folder = join(CACHE, keyOf(INPUTS))
  if (!existsSync(folder)) build(folder)
  return join(folder, 'bin/run.js')
}

function keyOf(inputs: readonly string[]): string {
  const hash = createHash('sha256')
  for (const path of inputs.flatMap(filesAt)) hash.update(`${path}\0`).update(readFileSync(join(ROOT, path)))
  return hash.digest('hex').slice(0, 32)
}

function filesAt(path: string): readonly string[] {
  if (statSync(join(ROOT, path)).isFile()) return [path]
  return readdirSync(join(ROOT, path), {recursive: true, withFileTypes: true})
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name).slice(ROOT.length + 1))
    .sort()
}

function build(folder: string): void {
  const unfinished = `${folder}.${process.pid}`
  mkdirSync(unfinished, {recursive: true})
  symlinkSync(join(ROOT, 'node_modules'), join(unfinished, 'node_modules'))
  const fresh = isUpToDate()
  for (const path of fresh ? ['bin', 'package.json', ...OUTPUTS] : INPUTS)
    cpSync(join(ROOT, path), join(unfinished, path), {recursive: true, filter: path => path !== BUNDLE})
  withoutPlugins(join(unfinished, 'package.json'))
  // The gate checks types.
  if (!fresh) runNode(['scripts/build.mjs', '--no-check'], unfinished)
  forgetOldBuilds()
  publish(unfinished, folder)
}

/** Plugins are built into their own folders, and have tests of their own. */
function withoutPlugins(path: string): void {
  const pjson = JSON.parse(readFileSync(path, 'utf8')) as {readonly oclif: object}
  writeFileSync(path, JSON.stringify({...pjson, oclif: {...pjson.oclif, plugins: []}}, null, 2))
}

/** Whether `npm run build` has run since the sources were last touched, as the gate does first. */
function isUpToDate(): boolean {
  const touched = (path: string) => statSync(join(ROOT, path)).mtimeMs
  if (!OUTPUTS.every(path => existsSync(join(ROOT, path)))) return false
  return INPUTS.flatMap(filesAt).every(path => touched(path) < touched('oclif.manifest.json'))
}

/** Runs a script of the build; where that fails, what it was to complete is removed. */
function runNode(args: readonly string[], folder: string): void {
  const {status, stdout, stderr} = spawnSync(process.execPath, args, {
    cwd: folder,
    env: {...process.env, NODE_OPTIONS: ''},
    encoding: 'utf8',
  })
  if (status === 0) return
  rmSync(folder, {recursive: true})
  throw new Error(`the program cannot be built:\n${stdout}${stderr}`)
}

/** Another worker may have been faster: then its build, of the same sources, is as good. */
function publish(unfinished: string, folder: string): void {
  try {
    renameSync(unfinished, folder)
  } catch (error) {
    if (!existsSync(folder)) throw error
    rmSync(unfinished, {recursive: true})
  }
}

function forgetOldBuilds(): void {
  const ageOf = (name: string) => statSync(join(CACHE, name)).mtimeMs
  const old = readdirSync(CACHE)
    .sort((a, b) => ageOf(b) - ageOf(a))
    .slice(MOST_KEPT)
  for (const name of old) rmSync(join(CACHE, name), {recursive: true, force: true})
}
