// ESLint with a cache: each rule reads one file. The cache belongs to the rules, among them those of this project.
import {spawnSync} from 'node:child_process'
import {createHash} from 'node:crypto'
import {readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'

const ROOT = join(import.meta.dirname, '..')
const WORDS = join(ROOT, 'scripts/words')
const rules = [
  join(ROOT, 'eslint.config.js'),
  join(ROOT, 'package-lock.json'),
  ...readdirSync(WORDS)
    .sort()
    .map(name => join(WORDS, name)),
]
const hash = createHash('sha256')
for (const path of rules) hash.update(readFileSync(path))
const cache = `node_modules/.cache/eslint/${hash.digest('hex').slice(0, 16)}`
const flags = ['--max-warnings', '0', '--cache', '--cache-strategy', 'content', '--cache-location', cache]
const {status} = spawnSync(process.execPath, ['node_modules/eslint/bin/eslint.js', '.', ...flags], {
  cwd: ROOT,
  stdio: 'inherit',
})
process.exitCode = status ?? 1
