import {spawnSync} from 'node:child_process'
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {startScript} from './start-script.js'

/** Marks the place in a Node program that says whether it contains an application. */
export const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'
const POSTJECT = fileURLToPath(import.meta.resolve('postject/dist/cli.js'))

/**
 * What becomes one executable: the Node of its platform, the bundle, the files of the template engines, and code that this
 * Node has compiled of the bundle, by name.
 */
export interface ExecutableParts {
  readonly node: Uint8Array
  readonly bundle: string
  readonly engines: ReadonlyMap<string, Uint8Array>
  readonly codeCaches?: ReadonlyMap<string, Uint8Array>
}

/**
 * Returns a Node program that contains the bundle and runs it. `host` is the path of a Node of the same version for this
 * platform. See https://nodejs.org/docs/latest-v22.x/api/single-executable-applications.html
 */
export function executable(
  host: string,
  {node, bundle, engines, codeCaches = new Map()}: ExecutableParts,
): Uint8Array {
  return inNewFolder(folder => {
    writeFileSync(join(folder, 'main.cjs'), startScript('sea-main.cjs'))
    writeFileSync(join(folder, 'bundle.cjs'), bundle, 'latin1')
    const assets = new Map([...engines, ...codeCaches])
    for (const [name, content] of assets) writeFileSync(join(folder, name), content)
    // Node writes these paths into the result: they are relative, so that the folder does not matter.
    const config = {
      main: 'main.cjs',
      output: 'application',
      disableExperimentalSEAWarning: true,
      assets: {bundle: 'bundle.cjs', ...Object.fromEntries([...assets.keys()].map(name => [name, name]))},
    }
    writeFileSync(join(folder, 'sea.json'), JSON.stringify(config))
    runIn(folder, host, '--experimental-sea-config', 'sea.json')
    writeFileSync(join(folder, 'program'), node, {mode: 0o755})
    runIn(
      folder,
      process.execPath,
      POSTJECT,
      'program',
      'NODE_SEA_BLOB',
      'application',
      '--sentinel-fuse',
      FUSE,
    )
    return readFileSync(join(folder, 'program'))
  })
}

/** Runs work in a temporary folder, and removes it. */
export function inNewFolder<T>(work: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'kubectl-crossplane-release-'))
  try {
    return work(folder)
  } finally {
    rmSync(folder, {recursive: true, force: true})
  }
}

/** Runs a program without the settings of the user; throws with its output if it fails. */
function runIn(folder: string, program: string, ...args: readonly string[]): void {
  const env = {...process.env, NODE_OPTIONS: '', NODE_EXTRA_CA_CERTS: undefined}
  const {status, error, stdout, stderr} = spawnSync(program, args, {cwd: folder, env, encoding: 'utf8'})
  if (status !== 0)
    throw new Error(`${program} ${args.join(' ')} failed: ${error?.message ?? `${stdout}${stderr}`}`)
}
