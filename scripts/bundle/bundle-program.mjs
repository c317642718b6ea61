// Puts the built program and its plugins into one CommonJS file that needs no node_modules and reads nothing from disk to
// start: commands, package.json and the manifests of oclif are inside. See
// docs/decisions/0024-one-file.md.
import {build} from 'esbuild'
import {mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {basename, dirname, join} from 'node:path'
import {COMPILER_OPTIONS} from './compiler-options.mjs'
import {engineFiles} from './engine-files.mjs'
import {packChunks} from './pack-chunks.mjs'
import {partsOf} from './parts.mjs'
import {replacedModules} from './replaced-modules.mjs'
import {siteFiles} from './site-files.mjs'
import {bundleRuleWorker, ruleWorker} from './rule-worker.mjs'

/** What of package.json the running program reads. */
const FIELDS = ['name', 'version', 'description', 'engines', 'oclif']

/** Names stay, for stack traces; the licenses lie beside the bundle. */
const CODE = /** @type {const} */ ({
  target: 'node20.19',
  minifyWhitespace: true,
  minifySyntax: true,
  lineLimit: 120,
  legalComments: 'none',
  tsconfigRaw: COMPILER_OPTIONS,
})

/**
 * Writes the bundle with the worker of rules beside it. It exports `main(argv)` and runs it where it is started as a program.
 *
 * @param {string} root the folder of package.json, with `dist` and plugins built
 * @param {string} outfile
 * @returns {Promise<import('esbuild').Metafile>}
 */
export async function bundleProgram(root, outfile) {
  const {metafile, outputFiles} = await build({
    absWorkingDir: root,
    stdin: {contents: entryOf(root), resolveDir: root, sourcefile: 'kubectl-crossplane.js'},
    outdir: dirname(outfile),
    write: false,
    bundle: true,
    splitting: true,
    metafile: true,
    platform: 'node',
    format: 'esm',
    plugins: [replacedModules, engineFiles, siteFiles, ruleWorker],
    logLevel: 'warning',
    ...CODE,
  })
  const entry = outputFiles.find(({path}) => basename(path) === 'stdin.js')
  if (entry === undefined) throw new Error('the bundle has no entry')
  const chunks = outputFiles.filter(file => file !== entry)
  mkdirSync(dirname(outfile), {recursive: true})
  writeFileSync(outfile, await packChunks(partsOf(entry, chunks, metafile), CODE))
  const worker = await bundleRuleWorker(root, outfile, CODE)
  return {inputs: {...metafile.inputs, ...worker.inputs}, outputs: {...metafile.outputs, ...worker.outputs}}
}

/** The module that lists the packages with commands. @param {string} root */
function entryOf(root) {
  const {name} = packageJson(root)
  return `
const packages = () => [
  ${[ownPackage(root), ...pluginsOf(root).map(folder => pluginPackage(root, folder))].join(',\n  ')}
]

export async function main(argv) {
  // As in bin/run.js.
  if (argv[0] === '__complete') return await complete(argv.slice(1))
  const {bundledPlugin} = await import('./dist/cli/shell/bundled-plugin.js')
  const plugins = packages().map(each => bundledPlugin(each, ${JSON.stringify(name)}))
  const {main: runMain} = await import('./dist/cli/shell/main.js')
  return await runMain(argv, {root: ${JSON.stringify(name)}, plugins: new Map(plugins.map(each => [each.name, each]))})
}

async function complete(words) {
  const {printCompletion} = await import('./dist/cli/completion/complete.js')
  return await printCompletion(words, (await import('./dist/completion-model.js')).MODEL)
}
`
}

/** @param {string} root */
function ownPackage(root) {
  return bundledPackage(root, `(await import('./dist/command-map.js')).COMMANDS[id]`)
}

/**
 * @param {string} root
 * @param {string} folder
 */
function pluginPackage(root, folder) {
  return bundledPackage(join(root, folder), `(await import('./${folder}/dist/command-map.js')).COMMANDS[id]`)
}

/**
 * The expression of a `BundledPackage`.
 *
 * @param {string} folder
 * @param {string} command
 */
function bundledPackage(folder, command) {
  const all = packageJson(folder)
  const pjson = Object.fromEntries(FIELDS.filter(name => name in all).map(name => [name, all[name]]))
  const {commands} = JSON.parse(readFileSync(join(folder, 'oclif.manifest.json'), 'utf8'))
  const list = Object.values(commands).map(bundledCommand)
  return `{pjson: ${parsed(pjson)}, commands: [\n${list.join(',\n')}], load: async id => ${command}}`
}

/** The expression of a `BundledCommand`. @param {Record<string, unknown>} command */
function bundledCommand({args, description, examples, flags, ...outline}) {
  const details = parsed({args, description, examples, flags})
  return `{outline: ${JSON.stringify(outline)}, details: () => ${details}}`
}

/** The expression of a JSON value: parsing a text is faster than evaluating an object. @param {unknown} value */
function parsed(value) {
  return `JSON.parse(${JSON.stringify(JSON.stringify(value))})`
}

/** The folders of the plugins that package.json lists. @param {string} root */
function pluginsOf(root) {
  const listed = packageJson(root).oclif.plugins
  return readdirSync(join(root, 'plugins'))
    .map(name => `plugins/${name}`)
    .filter(folder => listed.includes(packageJson(join(root, folder)).name))
}

/** @param {string} folder */
function packageJson(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
}
