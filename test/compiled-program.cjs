/**
 * What a suite runs the program with. Jest keeps the variables of a suite apart from those of the process.
 *
 * @typedef {object} Run
 * @property {string} root of the compiled program
 * @property {readonly string[]} argv
 * @property {Readonly<Record<string, string | undefined>>} env
 * @property {readonly string[]} processArgv
 */

/**
 * Runs a command line on the compiled program in this process. Where Node.js itself required this file, as for
 * compiled-environment.cjs, the modules of the program are loaded once for all suites of a worker. Jest would load all of
 * them again for each suite.
 *
 * @param {Run} run
 */
async function runCompiled({root, argv, env, processArgv}) {
  const {main} = await import(`${root}/dist/cli/shell/main.js`)
  const before = {env: {...process.env}, argv: process.argv}
  setVariables(env)
  process.argv = [...processArgv]
  try {
    return await capture(() => main([...argv], root))
  } finally {
    setVariables(before.env)
    process.argv = before.argv
  }
}

/** @param {Run['env']} env */
function setVariables(env) {
  for (const name of Object.keys(process.env)) if (env[name] === undefined) delete process.env[name]
  for (const [name, value] of Object.entries(env)) if (value !== undefined) process.env[name] = value
}

/**
 * Returns what is written to the streams of this process until a run has ended, which is its status.
 *
 * @param {() => Promise<number>} run
 */
async function capture(run) {
  const [stdout, stderr] = [divert(process.stdout), divert(process.stderr)]
  // oclif leaves a failed command's status here. With two processors jest has no workers: it would end with that status.
  const {exitCode} = process
  try {
    return {status: await run(), stdout: stdout.text(), stderr: stderr.text()}
  } finally {
    stdout.restore()
    stderr.restore()
    process.exitCode = exitCode
  }
}

/**
 * Returns what something writes to stderr at once.
 *
 * @param {() => void} run
 */
function captureStderr(run) {
  const stderr = divert(process.stderr)
  try {
    run()
    return stderr.text()
  } finally {
    stderr.restore()
  }
}

/** @param {NodeJS.WriteStream} stream */
function divert(stream) {
  const own = Object.getOwnPropertyDescriptor(stream, 'write')
  let text = ''
  const value = (/** @type {Uint8Array | string} */ chunk, /** @type {unknown[]} */ ...rest) => {
    text += typeof chunk === 'string' ? chunk : new TextDecoder().decode(chunk)
    const written = rest.find(argument => typeof argument === 'function')
    written?.()
    return true
  }
  Object.defineProperty(stream, 'write', {value, configurable: true})
  return {
    text: () => text,
    restore: () => {
      Reflect.deleteProperty(stream, 'write')
      if (own !== undefined) Object.defineProperty(stream, 'write', own)
    },
  }
}

module.exports = {capture, captureStderr, runCompiled}
