// The forms of this program that exist here.
import {spawnSync} from 'node:child_process'
import {cpSync, existsSync, mkdirSync} from 'node:fs'
import {join} from 'node:path'

const root = join(import.meta.dirname, '../..')
const BUNDLE = 'dist/bundle/kubectl-crossplane.cjs'

/** The build that is measured for comparison only: nothing is wanted of it. */
export const CHECKOUT = 'checkout'

/**
 * A build of the program: `command` starts it. The last one is the fastest to start.
 *
 * @typedef {{name: string, command: readonly string[]}} Build
 */

/**
 * Finds the builds: the checkout, the bundle as npm installs it, and the executable of this platform, of `npm run release` or
 * named by BENCH_EXECUTABLE.
 *
 * @param {string} folder for the files of an installed bundle and executable
 * @returns {{builds: readonly [Build, ...Build[]], missing: readonly string[]}}
 */
export function findBuilds(folder) {
  const bundle = installedBundle(join(folder, 'installed'))
  const executable = process.env.BENCH_EXECUTABLE ?? releasedExecutable(join(folder, 'released'))
  return {
    builds: [
      {name: CHECKOUT, command: [process.execPath, join(root, 'bin/run.js')]},
      ...(bundle === undefined ? [] : [{name: 'bundle', command: [process.execPath, bundle]}]),
      ...(executable === undefined ? [] : [{name: 'executable', command: [executable]}]),
    ],
    missing: [
      ...(bundle === undefined ? [`the bundle: \`npm run bundle\` writes ${BUNDLE}`] : []),
      ...(executable === undefined
        ? ['the executable: `npm run release` writes it, or BENCH_EXECUTABLE names one']
        : []),
    ],
  }
}

/** Copies the files that npm installs: in a checkout, bin/run.js starts what was compiled last. @param {string} folder */
function installedBundle(folder) {
  if (!existsSync(join(root, BUNDLE))) return undefined
  for (const path of ['bin', 'dist/bundle', 'package.json']) {
    mkdirSync(join(folder, path, '..'), {recursive: true})
    cpSync(join(root, path), join(folder, path), {recursive: true, preserveTimestamps: true})
  }
  return join(folder, 'bin/run.js')
}

/** Unpacks the archive of this platform. @param {string} folder */
function releasedExecutable(folder) {
  const arch = process.arch === 'x64' ? 'amd64' : process.arch
  const archive = join(root, 'release', `kubectl-crossplane-${process.platform}-${arch}.tar.gz`)
  if (!existsSync(archive)) return undefined
  mkdirSync(folder, {recursive: true})
  const {status} = spawnSync('tar', ['-xzf', archive, '-C', folder])
  const program = join(folder, 'kubectl-crossplane/kubectl-crossplane')
  return status === 0 && existsSync(program) ? program : undefined
}
