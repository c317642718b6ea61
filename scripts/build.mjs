// dist/ and oclif.manifest.json, from nothing: a command that was removed must not live on in dist/. Then those of the
// plugins, which are compiled against dist/plugin.d.ts; with --plugins, only these. With --no-check, types are not checked.
import {spawnSync} from 'node:child_process'
import {existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs'
import {dirname, join, relative} from 'node:path'
import {fileURLToPath, URL} from 'node:url'
import {Plugin} from '@oclif/core'

const root = join(import.meta.dirname, '..')
const UNCHECKED = process.argv.includes('--no-check') ? ['--noCheck'] : []
/** TypeScript 7 writes the same JavaScript as 6, in a third of the time (0144). */
const TSC = new URL('bin/tsc', import.meta.resolve('typescript7/package.json')).href

/**
 * Runs a tool among the dependencies; the first that fails ends the build with its status.
 *
 * @param {string} program as a file URL
 * @param {string[]} args
 */
function run(program, ...args) {
  const {status} = spawnSync(process.execPath, [fileURLToPath(program), ...args], {
    cwd: root,
    stdio: 'inherit',
  })
  if (status !== 0) process.exit(status ?? 1)
}

/** Writes the module that maps commands to their modules, so that the program reads no folder and can be bundled. */
function writeCommandMap() {
  const paths = readdirSync(join(root, 'dist/commands'), {recursive: true, encoding: 'utf8'})
    .filter(path => path.endsWith('.js'))
    .map(path => path.replaceAll('\\', '/').replace(/\.js$/, ''))
    .sort()
  const entries = paths.map(
    path => `  '${path.replaceAll('/', ':')}': () => import('./commands/${path}.js'),`,
  )
  const lines = [
    '// Written by scripts/build.mjs.',
    "import {lazyCommands} from './cli/shell/lazy-commands.js'",
    'export const COMMANDS = lazyCommands({',
    ...entries,
    '})',
    '',
  ]
  writeFileSync(join(root, 'dist/command-map.js'), lines.join('\n'))
}

/**
 * Writes what oclif knows of commands without importing them, read from the command modules.
 *
 * @param {string} folder
 * @param {object} commands
 */
async function writeManifest(folder, commands) {
  const pjson = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const plugin = new Plugin({
    errorOnManifestCreate: true,
    ignoreManifest: true,
    isRoot: true,
    pjson: {...pjson, oclif: {...pjson.oclif, commands, plugins: []}},
    respectNoCacheDefault: true,
    root: folder,
    type: 'core',
  })
  await plugin.load()
  const {commands: found, ...manifest} = plugin.manifest
  // oclif reads folders side by side, and lists commands in the order in which that ended.
  const sorted = Object.fromEntries(Object.entries(found).sort(([a], [b]) => (a < b ? -1 : 1)))
  writeFileSync(join(folder, 'oclif.manifest.json'), JSON.stringify({...manifest, commands: sorted}, null, 2))
}

/**
 * Writes what completion knows of the commands, as a module, so that it reads no manifest and can be bundled.
 *
 * @param {string[]} folders of the program and its plugins
 */
async function writeCompletionModel(folders) {
  const {modelOfManifests} = await import('../dist/completion/model-of-manifests.js')
  const {LINT_RULES} = await import('../dist/author/lint/lint-rules.js')
  const read = (/** @type {string} */ path) => JSON.parse(readFileSync(path, 'utf8'))
  const manifests = folders.map(folder => read(join(folder, 'oclif.manifest.json')))
  const topics = folders.map(folder => read(join(folder, 'package.json')).oclif.topics)
  const model = JSON.stringify(modelOfManifests(manifests, Object.assign({}, ...topics), LINT_RULES))
  const lines = [
    '// Written by scripts/build.mjs.',
    `export const MODEL = JSON.parse(${JSON.stringify(model)})`,
    '',
  ]
  writeFileSync(join(root, 'dist/completion-model.js'), lines.join('\n'))
}

/** @param {string} folder */
async function build(folder) {
  rmSync(join(folder, 'dist'), {recursive: true, force: true})
  run(TSC, '-p', join(folder, 'tsconfig.build.json'), ...UNCHECKED)
  if (folder === root) writeCommandMap()
  await writeManifest(folder, {strategy: 'pattern', target: './dist/commands'})
}

/**
 * Links a package into node_modules as npm does, where one that was installed before a plugin was added lacks it.
 *
 * @param {string} folder
 */
function link(folder) {
  const {name} = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const path = join(root, 'node_modules', name)
  if (!existsSync(path)) symlinkSync(relative(dirname(path), folder), path, 'junction')
}

const home = join(root, 'plugins')
const plugins = existsSync(home) ? readdirSync(home).map(name => join(home, name)) : []
if (!process.argv.includes('--plugins')) await build(root)
if (plugins.length > 0) for (const folder of [root, ...plugins]) link(folder)
for (const folder of plugins) await build(folder)
await writeCompletionModel([root, ...plugins])
