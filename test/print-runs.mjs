// Runs command lines one after the other in this process, with the `main` of a module, and prints how each ended as JSON:
// print-runs.mjs MODULE [[ARGUMENT ...] ...] [LOAD]
const [entry = '', list = '[]', ...load] = process.argv.slice(2)
const module = await import(entry)
const {main} = module.default ?? module
const print = process.stdout.write.bind(process.stdout)

const runs = []
for (const argv of JSON.parse(list)) runs.push({argv, ...(await captured(() => main(argv, ...load)))})
print(JSON.stringify(runs))
process.exitCode = 0

/** @param {() => Promise<number>} run */
async function captured(run) {
  const texts = {stdout: '', stderr: ''}
  for (const name of /** @type {const} */ (['stdout', 'stderr']))
    process[name].write = (/** @type {unknown} */ chunk, /** @type {unknown[]} */ ...rest) => {
      texts[name] += String(chunk)
      for (const each of rest) if (typeof each === 'function') each()
      return true
    }
  return {status: await run(), ...texts}
}
