// dist/ and oclif.manifest.json, from nothing: a command that was removed must not live on in dist/.
import {spawnSync} from 'node:child_process'
import {rmSync} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'

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
    // A build asks no server whether there is a newer oclif.
    env: {...process.env, OCLIF_SKIP_NEW_VERSION_CHECK: 'true'},
  })
  if (status !== 0) process.exit(status ?? 1)
}

rmSync(join(root, 'dist'), {recursive: true, force: true})
run(import.meta.resolve('typescript/bin/tsc'), '-p', 'tsconfig.json')
run(import.meta.resolve('oclif/bin/run.js'), 'manifest')
