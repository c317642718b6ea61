// dist/ and oclif.manifest.json, from nothing: a command that was removed must not live on in dist/.
import {spawnSync} from 'node:child_process'
import {readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {Plugin} from '@oclif/core'

const root = join(import.meta.dirname, '..')

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
    "import {lazyCommands} from './cli/lazy-commands.js'",
    'export const COMMANDS = lazyCommands({',
    ...entries,
    '})',
    '',
  ]
  writeFileSync(join(root, 'dist/command-map.js'), lines.join('\n'))
}

/** Writes what oclif knows of commands without importing them, read from the command modules. */
async function writeManifest() {
  const pjson = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const oclif = {...pjson.oclif, commands: {strategy: 'pattern', target: './dist/commands'}, plugins: []}
  const plugin = new Plugin({
    errorOnManifestCreate: true,
    ignoreManifest: true,
    isRoot: true,
    pjson: {...pjson, oclif},
    respectNoCacheDefault: true,
    root,
    type: 'core',
  })
  await plugin.load()
  writeFileSync(join(root, 'oclif.manifest.json'), JSON.stringify(plugin.manifest, null, 2))
}

rmSync(join(root, 'dist'), {recursive: true, force: true})
run(import.meta.resolve('typescript/bin/tsc'), '-p', 'tsconfig.json')
writeCommandMap()
await writeManifest()
