// Runs the campaigns of test/soak for SOAK_MINUTES minutes each (10), with the seed SOAK_SEED (a new one each time).
// Arguments are jest's: `npm run soak -- tar` runs the files that have `tar` in their path.
import {spawnSync} from 'node:child_process'
import {randomInt} from 'node:crypto'

/** How many worlds, packages and texts suites make, how often they kill their processes, and what they open, serve, change and translate; the random moments of services follow from STORY_SEED. */
const SIZES = {
  BUNDLE_KILLS: '50',
  CATALOG_INPUTS: '300',
  CATALOG_KINDS: '50',
  CATALOG_PAGES: 'all',
  INDEX_VERSIONS: '700',
  INSTANCE_CHANGES: '40',
  MANAGER_KILLS: '200',
  RANDOM_PACKAGES: '250',
  SERVICES_CLAIMS: '200',
  SERVICES_KILLS: '100',
  SOLVED_WORLDS: '4000',
  TRANSLATED: 'all',
  UPDATE_ROUNDS: '30',
  YAML_TEXTS: '100000',
}
const seed = process.env.SOAK_SEED ?? String(randomInt(1_000_000_000))
const minutes = process.env.SOAK_MINUTES ?? '10'
console.log(`SOAK_SEED=${seed} SOAK_MINUTES=${minutes}`)

const jest = ['--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js']
const {status, error} = spawnSync(
  process.execPath,
  [...jest, '--config', 'jest.soak.config.js', ...process.argv.slice(2)],
  {stdio: 'inherit', env: {...SIZES, ...process.env, SOAK_SEED: seed, SOAK_MINUTES: minutes}},
)
if (error !== undefined) console.error(String(error))
process.exitCode = status ?? 1
