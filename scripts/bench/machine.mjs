// What a figure was measured on.
import {spawnSync} from 'node:child_process'
import {readFileSync} from 'node:fs'
import {availableParallelism, cpus, loadavg, release, totalmem, type} from 'node:os'

/** Lines for the head of a report: the machine, the tools beside which the program is measured, and the date. */
export function machineLines() {
  const [cpu] = cpus()
  const memory = (totalmem() / 2 ** 30).toFixed(0)
  return [
    `Date: ${new Date().toISOString().slice(0, 10)}`,
    `Machine: ${availableParallelism()} cores (${cpu?.model.trim() ?? 'unknown'}), ${memory} GiB of memory, load ${loadavg()[0]?.toFixed(1)} at the start`,
    `System: ${systemName()} (${type()} ${release()}, ${process.arch}), Node.js ${process.version}`,
    `Tools: ${TOOLS.map(toolText).join(', ')}`,
  ]
}

const TOOLS = [
  ['kubectl', 'version', '--client'],
  ['helm', 'version', '--short'],
  ['git', '--version'],
  ['skopeo', '--version'],
  ['umoci', '--version'],
]

/** @param {string[]} command */
function toolText([name = '', ...args]) {
  const {status, stdout} = spawnSync(name, args, {encoding: 'utf8'})
  if (status !== 0) return `no ${name}`
  return `${name} ${/v?\d+\.\d+(\.\d+)?/.exec(stdout)?.[0] ?? ''}`
}

function systemName() {
  try {
    return /^PRETTY_NAME="(.+)"$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? process.platform
  } catch {
    return process.platform
  }
}
