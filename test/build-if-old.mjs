// Builds the program that the quick tests run, unless it is newer than its sources. `npm run check` has built it before.
import {spawnSync} from 'node:child_process'
import {existsSync, readdirSync, statSync} from 'node:fs'
import {join} from 'node:path'

const ROOT = join(import.meta.dirname, '..')
const OF_ALL = ['scripts/build.mjs', 'package-lock.json']

export default function buildIfOld() {
  const plugins = readdirSync(join(ROOT, 'plugins')).map(name => join('plugins', name))
  if (['.', ...plugins].every(isBuilt)) return
  const build = ['scripts/build.mjs', '--no-check']
  const {status} = spawnSync(process.execPath, build, {cwd: ROOT, stdio: 'inherit'})
  if (status !== 0) throw new Error('cannot build the program')
}

/** @param {string} folder of the program or a plugin */
function isBuilt(folder) {
  const manifest = join(ROOT, folder, 'oclif.manifest.json')
  if (!existsSync(manifest)) return false
  const {mtimeMs: built} = statSync(manifest)
  const own = ['package.json', 'tsconfig.build.json', 'src'].map(name => join(folder, name))
  const sources = readdirSync(join(ROOT, folder, 'src'), {recursive: true, encoding: 'utf8'})
  // Of folders as well: that is when files were removed.
  const inputs = [...OF_ALL, ...own, ...sources.map(name => join(folder, 'src', name))]
  return inputs.every(path => statSync(join(ROOT, path)).mtimeMs < built)
}
