// Runs the campaigns of test/soak for SOAK_MINUTES minutes each (10), with the seed SOAK_SEED (a new one each time).
// Arguments are jest's: `npm run soak -- tar` runs the files that have `tar` in their path.
import {spawnSync} from 'node:child_process'
import {randomInt} from 'node:crypto'

/** How often suites kill their processes, what they serve, and which packages they translate; the random moments of services follow from STORY_SEED. */
const SIZES = {
  BUNDLE_KILLS: '50',
  MANAGER_KILLS: '200',
  SERVICES_CLAIMS: '200',
  SERVICES_KILLS: '100',
  TRANSLATED: 'all',
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
