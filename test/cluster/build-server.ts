import {spawnSync} from 'node:child_process'
import {mkdirSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {cacheFolder, isProgramOf} from './find-server.js'
import {cacheEntry} from './servers.js'
import type {GoRecipe, Server} from './servers.js'

const unfinished = '.building-'

/**
 * Builds a server and puts it into the cache, whole or not at all. Only for whoever holds the cache's lock.
 *
 * @throws Error that names the server, when a step fails or the program is not of the version it should be
 */
export function buildServer(server: Server): void {
  const folder = mkdtempSync(join(cacheFolder(), unfinished))
  const [entry, work] = [join(folder, 'entry'), join(folder, 'work')]
  const program = join(entry, server.name)
  try {
    mkdirSync(entry)
    mkdirSync(work)
    make(server, program, work)
    if (!isProgramOf(program, server))
      throw new Error(`${server.name} was built, and is no ${server.version}`)
    const place = join(cacheFolder(), cacheEntry(server))
    // What may be there was asked, and is not what its name says.
    rmSync(place, {recursive: true, force: true})
    renameSync(entry, place)
  } finally {
    rmSync(folder, {recursive: true, force: true})
  }
}

/** Removes what builds that were killed have left. Only for whoever holds the cache's lock. */
export function removeUnfinished(): void {
  for (const name of readdirSync(cacheFolder()).filter(each => each.startsWith(unfinished))) {
    rmSync(join(cacheFolder(), name), {recursive: true, force: true})
  }
}

function make(server: Server, program: string, work: string): void {
  if ('script' in server.recipe) {
    run(server, 'sh', [join(import.meta.dirname, server.recipe.script), program, work], work)
  } else {
    makeFromModule(server, server.recipe, program)
  }
}

function makeFromModule(server: Server, recipe: GoRecipe, program: string): void {
  const folder = join(import.meta.dirname, recipe.module)
  const variables = Object.entries(recipe.variables ?? {}).map(([key, value]) => `-X ${key}=${value}`)
  const linked = ['-s -w', ...variables].join(' ')
  const flags = ['-mod=readonly', '-trimpath', '-buildvcs=false', '-ldflags', linked]
  run(server, 'go', ['build', ...flags, '-o', program, recipe.main], folder)
  const documents = Object.entries({'stages.yaml': recipe.stages, 'crds.yaml': recipe.crds})
  if (documents.every(([, folders]) => folders === undefined)) return
  const module = run(server, 'go', ['list', '-f', '{{.Module.Dir}}', recipe.main], folder).trim()
  for (const [name, folders] of documents) {
    if (folders !== undefined) writeFileSync(join(dirname(program), name), readDocuments(module, folders))
  }
}

function readDocuments(module: string, folders: readonly string[]): string {
  const files = folders.flatMap(folder =>
    readdirSync(join(module, folder))
      .filter(name => name.endsWith('.yaml') && name !== 'kustomization.yaml')
      .sort()
      .map(name => join(module, folder, name)),
  )
  return files.map(file => readFileSync(file, 'utf8')).join('\n---\n')
}

/** Runs a step of a build in a folder: its stderr is shown, its stdout returned. */
function run({name}: Server, program: string, args: readonly string[], folder: string): string {
  const {error, status, stdout} = spawnSync(program, args, {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    // A person's own settings are for a person's own work.
    env: {...process.env, CGO_ENABLED: '0', GOFLAGS: '', GOWORK: 'off'},
  })
  if (error !== undefined) throw new Error(`${name} needs \`${program}\` on PATH`, {cause: error})
  if (status !== 0) throw new Error(`${name}: \`${program} ${args[0] ?? ''}\` failed`)
  return stdout
}
