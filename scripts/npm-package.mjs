// dist/npm: the folder that is published to npm, from what `npm run build` and `npm run bundle` have written: the program
// in one file, the entry point for programs of others with its types, and the docs. It has no dependencies. See
// docs/decisions/0028-npm-package.md.
import {build} from 'esbuild'
import {spawnSync} from 'node:child_process'
import {cpSync, mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {basename, dirname, join, relative} from 'node:path'
import {fileURLToPath} from 'node:url'
import {bundledPackages} from './bundle/bundled-packages.mjs'
import {COMPILER_OPTIONS} from './bundle/compiler-options.mjs'
import {thirdPartyLicenses} from './bundle/third-party-licenses.mjs'

const root = join(import.meta.dirname, '..')
const folder = join(root, 'dist/npm')
const entry = 'dist/plugin'
/** What evaluates the rules of policies, in a thread of its own. */
const WORKER = 'dist/adapters/cel/rule-worker.js'
const COPIED = ['bin', 'dist/bundle', 'docs', 'LICENSE', 'README.md', 'CHANGELOG.md']
/** Pages that the program prints itself, `package lint --explain RULE`, and those for who changes the program. */
const LISTED = ['docs/lint', 'docs/decisions']
/** The fields of package.json that users of the package need. */
const FIELDS = ['name', 'version', 'description', 'keywords', 'license', 'author', 'type', 'engines', 'bin']

rmSync(folder, {recursive: true, force: true})
for (const path of COPIED) cpSync(join(root, path), join(folder, path), {recursive: true, filter: isShipped})
const {metafile} = await bundleEntry()
writeTypes()
const licenses = thirdPartyLicenses(bundledPackages(root, metafile))
writeFileSync(join(folder, entry, 'THIRD-PARTY-LICENSES'), licenses)
writeFileSync(join(folder, 'package.json'), `${JSON.stringify(packageJson(), null, 2)}\n`)

/** Of these pages, only the list is shipped. @param {string} source */
function isShipped(source) {
  const path = relative(root, source)
  return !LISTED.includes(dirname(path)) || basename(path) === 'README.md'
}

/** Writes `kubectl-crossplane/plugin` as ES modules, which load what few functions need when it is used. */
function bundleEntry() {
  return build({
    absWorkingDir: root,
    entryPoints: ['dist/plugin.js', WORKER],
    // The worker lies beside what starts it.
    entryNames: '[name]',
    outdir: join(folder, entry),
    bundle: true,
    splitting: true,
    metafile: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: 'none',
    tsconfigRaw: COMPILER_OPTIONS,
    logLevel: 'warning',
    // What of oclif looks for TypeScript sources: nothing here has any.
    external: ['typescript'],
    // CommonJS modules in the bundle require modules of Node.js.
    // A module of its own can import `createRequire` by that name.
    banner: {
      js: "import {createRequire as requireOf} from 'node:module';const require=requireOf(import.meta.url);",
    },
  })
}

/** Writes one file of declarations, without what the entry point does not export. */
function writeTypes() {
  const tool = fileURLToPath(import.meta.resolve('dts-bundle-generator/dist/bin/dts-bundle-generator.js'))
  const file = join(folder, entry, 'plugin.d.ts')
  mkdirSync(join(folder, entry), {recursive: true})
  const args = ['--project', 'tsconfig.build.json', '--no-check', '--no-banner', '--silent']
  const {status, stderr} = spawnSync(
    process.execPath,
    [tool, ...args, '--export-referenced-types=false', '--out-file', file, 'src/plugin.ts'],
    {cwd: root, encoding: 'utf8'},
  )
  if (status !== 0) throw new Error(`cannot write the declarations of the entry point: ${stderr}`)
}

function packageJson() {
  const all = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return {
    ...Object.fromEntries(FIELDS.map(name => [name, all[name]])),
    exports: {
      './plugin': {types: `./${entry}/plugin.d.ts`, default: `./${entry}/plugin.js`},
      './package.json': './package.json',
    },
    // The declarations of the entry point name types of oclif; the program needs nothing of it.
    peerDependencies: {'@oclif/core': all.dependencies['@oclif/core']},
    peerDependenciesMeta: {'@oclif/core': {optional: true}},
  }
}
