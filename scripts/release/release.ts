// `npm run release`: the archives of a release and what describes them, into release/. See docs/releasing.md.
import {execFileSync} from 'node:child_process'
import {readFileSync} from 'node:fs'
import {join, resolve} from 'node:path'
import {parseArgs} from 'node:util'
import {load} from 'js-yaml'
import {makeRelease} from './make-release.js'
import {PLATFORMS, platformName} from './platforms.js'

const root = join(import.meta.dirname, '../..')
const {values} = parseArgs({
  options: {platform: {type: 'string', multiple: true}, output: {type: 'string', default: 'release'}},
})
const names = PLATFORMS.map(platformName)
const unknown = values.platform?.find(name => !names.includes(name))
if (unknown !== undefined) throw new Error(`unknown platform "${unknown}"; known: ${names.join(', ')}`)

const {version} = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {version: string}
const {spec} = load(readFileSync(join(root, 'krew-manifest.yaml'), 'utf8')) as {spec: {homepage: string}}
const epoch =
  process.env.SOURCE_DATE_EPOCH ??
  execFileSync('git', ['log', '-1', '--format=%ct'], {cwd: root, encoding: 'utf8'})

await makeRelease({
  root,
  output: resolve(values.output),
  platforms: PLATFORMS.filter(platform => values.platform?.includes(platformName(platform)) ?? true),
  time: Number(epoch),
  address: process.env.RELEASE_URL ?? `${spec.homepage}/v${version}`,
  homepage: process.env.RELEASE_HOMEPAGE ?? spec.homepage,
  report: line => process.stdout.write(`${line}\n`),
})
