// `npm run release`: the archives of a release and what describes them, into release/. See docs/releasing.md.
import {execFileSync, spawnSync} from 'node:child_process'
import {readFileSync} from 'node:fs'
import {join, resolve} from 'node:path'
import {parseArgs} from 'node:util'
import {load} from 'js-yaml'
import {makeRelease} from './make-release.js'
import {PLATFORMS, platformName} from './platforms.js'

const root = join(import.meta.dirname, '../..')

try {
  await release()
} catch (error) {
  process.stderr.write(`Error: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}

async function release(): Promise<void> {
  const {values} = parseArgs({
    options: {
      platform: {type: 'string', multiple: true},
      output: {type: 'string', default: 'release'},
      'no-image': {type: 'boolean', default: false},
    },
  })
  const names = PLATFORMS.map(platformName)
  const unknown = values.platform?.find(name => !names.includes(name))
  if (unknown !== undefined) throw new Error(`unknown platform "${unknown}"; known: ${names.join(', ')}`)

  const {version} = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {version: string}
  const {spec} = load(readFileSync(join(root, 'krew-manifest.yaml'), 'utf8')) as {spec: {homepage: string}}
  await makeRelease({
    root,
    output: resolve(values.output),
    platforms: PLATFORMS.filter(platform => values.platform?.includes(platformName(platform)) ?? true),
    time: releaseTime(),
    address: process.env.RELEASE_URL ?? `${spec.homepage}/v${version}`,
    homepage: process.env.RELEASE_HOMEPAGE ?? spec.homepage,
    revision: process.env.RELEASE_REVISION ?? revision(),
    image: !values['no-image'],
    debian: process.env.RELEASE_DEBIAN,
    report: line => process.stdout.write(`${line}\n`),
  })
}

/** Returns the commit; undefined outside of a checkout, as in an archive of the sources. */
function revision(): string | undefined {
  const {status, stdout} = spawnSync('git', ['rev-parse', 'HEAD'], {cwd: root, encoding: 'utf8'})
  return status === 0 ? stdout.trim() : undefined
}

/** Returns SOURCE_DATE_EPOCH or the time of the commit, in seconds since 1970. */
function releaseTime(): number {
  const {SOURCE_DATE_EPOCH: epoch} = process.env
  if (epoch === undefined)
    return Number(execFileSync('git', ['log', '-1', '--format=%ct'], {cwd: root, encoding: 'utf8'}))
  // tar has eleven octal digits for a time.
  if (/^\d{1,10}$/.test(epoch) && Number(epoch) < 8 ** 11) return Number(epoch)
  throw new Error(`SOURCE_DATE_EPOCH "${epoch}" is not a number of seconds since 1970`)
}
