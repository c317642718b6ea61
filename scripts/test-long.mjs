// Runs the long suites, and those that failed once more on an idle machine: they wait for real servers, and on two cores a
// server can be late. What passes only then is named as flaky at the end. More than a few are no accident: they stay failed.
import {spawnSync} from 'node:child_process'
import {readFileSync, rmSync, writeFileSync} from 'node:fs'
import {join, relative} from 'node:path'
import {failedSuites, withSecondRun} from './second-run.mjs'

const ROOT = join(import.meta.dirname, '..')
const REPORT = join(ROOT, '.test-results-long.json')
const SECOND = join(ROOT, '.test-results-second.json')
const MOST = 3
const given = process.argv.slice(2)

/** @param {string} report @param {readonly string[]} args */
function runJest(report, args) {
  rmSync(report, {force: true})
  const output = ['--json', `--outputFile=${report}`]
  const all = ['--ci', '--config', 'jest.long.config.js', ...output, ...given, ...args]
  return (
    spawnSync('npm', ['run', '--silent', 'test', '--', ...all], {cwd: ROOT, stdio: 'inherit'}).status ?? 1
  )
}

/** @param {string} path */
function read(path) {
  return JSON.parse(readFileSync(path, 'utf8'))
}

const status = runJest(REPORT, ['--workerIdleMemoryLimit=1500MB'])
process.exitCode = status
// A second run would replace the coverage of the first.
if (status !== 0 && !given.includes('--coverage')) runAgain(read(REPORT))

/** @param {import('./second-run.mjs').Report} first */
function runAgain(first) {
  const failed = failedSuites(first)
  if (failed.length === 0 || failed.length > MOST) return
  const names = failed.map(path => relative(ROOT, path))
  console.log(`\n=== test:long, second run of ${names.join(' ')}`)
  process.exitCode = runJest(SECOND, ['--runInBand', '--runTestsByPath', ...names])
  const second = read(SECOND)
  writeFileSync(REPORT, JSON.stringify(withSecondRun(first, second)))
  const again = new Set(failedSuites(second))
  for (const path of failed) {
    console.log(
      `${again.has(path) ? 'FAILED twice' : 'FLAKY, passed in its second run'}: ${relative(ROOT, path)}`,
    )
  }
}
