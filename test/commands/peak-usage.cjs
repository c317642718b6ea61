// Loaded before a program: records, when it exits, its peak memory, its processor time and all that it has written.
const {readFileSync, writeFileSync} = require('node:fs')

/**
 * @param {string} path
 * @param {string} name
 */
const numberAfter = (path, name) =>
  Number(new RegExp(`^${name}:\\s*(\\d+)`, 'm').exec(readFileSync(path, 'utf8'))?.[1])

process.on('exit', () => {
  // Not resourceUsage(): that remembers the process which this one was forked from.
  const peakKiB = numberAfter('/proc/self/status', 'VmHWM')
  const written = numberAfter('/proc/self/io', 'wchar')
  const {user, system} = process.cpuUsage()
  const cpuSeconds = (user + system) / 1e6
  writeFileSync(process.env.PEAK_USAGE ?? '', JSON.stringify({peakKiB, cpuSeconds, written}))
})
