// A build that runs one command line after another, because to start a process for each takes most of the time. The
// parent sends {argv, cwd, env}, and gets {status, stdout, stderr} back.
const {readFileSync} = require('node:fs')
const {join} = require('node:path')

const root = process.argv[2] ?? ''
const send = process.send?.bind(process)

process.on('message', message => {
  void answer(/** @type {Run} */ (message))
})

/** @typedef {{argv: string[], cwd: string, env: Record<string, string>}} Run */

/** @param {Run} run */
async function answer({argv, cwd, env}) {
  for (const name of Object.keys(process.env)) if (env[name] === undefined) delete process.env[name]
  Object.assign(process.env, env)
  process.chdir(cwd)
  process.argv = [...process.argv.slice(0, 2), ...argv]
  const [stdout, stderr] = [divert(process.stdout), divert(process.stderr)]
  const status = await run(argv)
  process.exitCode = 0
  send?.({status, stdout: stdout(), stderr: stderr()})
}

/** @param {string[]} argv */
async function run(argv) {
  try {
    const {main} = await import(mainModule())
    return String(await main(argv, root))
  } catch (error) {
    return `it threw: ${error instanceof Error ? error.message : String(error)}`
  }
}

/** The module that the build's own entry runs, wherever it is in that build. */
function mainModule() {
  const [, path = 'dist/main.js'] =
    /'[.][.]\/(dist\/[\w/]*main[.]js)'/.exec(readFileSync(join(root, 'bin/run.js'), 'utf8')) ?? []
  return join(root, path)
}

/** Keeps what is written to a stream, and returns what restores the stream and has the text. @param {NodeJS.WriteStream} stream */
function divert(stream) {
  /** @type {string[]} */
  const texts = []
  Object.defineProperty(stream, 'write', {
    configurable: true,
    value: (/** @type {Uint8Array | string} */ chunk, /** @type {unknown[]} */ ...rest) => {
      texts.push(typeof chunk === 'string' ? chunk : new TextDecoder().decode(chunk))
      const written = rest.find(argument => typeof argument === 'function')
      if (typeof written === 'function') written()
      return true
    },
  })
  return () => {
    Reflect.deleteProperty(stream, 'write')
    return texts.join('')
  }
}
