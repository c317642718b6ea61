#!/usr/bin/env node
const {existsSync} = require('node:fs')
const {join} = require('node:path')
const {endProcess} = require('./end-process.js')

const root = join(__dirname, '..')
const bundle = join(root, 'dist/bundle/kubectl-crossplane.cjs')

// A package is installed with a bundle and without sources. A checkout runs what was compiled last, also from tests.
const isInstalled = existsSync(bundle) && !existsSync(join(root, 'src'))
void run()

async function run() {
  const argv = process.argv.slice(2)
  await endProcess(isInstalled ? await runBundle(argv) : await runCompiled(argv))
}

/** @param {string[]} argv */
async function runBundle(argv) {
  const {loadBundle} = require('./load-bundle.js')
  return await loadBundle(bundle).main(argv)
}

/** @param {string[]} argv */
async function runCompiled(argv) {
  // Completion loads nothing of what commands need. The scripts of `completion` call it so.
  if (argv[0] === '__complete') return await complete(argv.slice(1))
  const {main} = await import('../dist/cli/shell/main.js')
  return await main(argv, root)
}

/** @param {string[]} words */
async function complete(words) {
  const [{printCompletion}, {MODEL}] = await Promise.all([
    import('../dist/cli/completion/complete.js'),
    import('../dist/completion-model.js'),
  ])
  return await printCompletion(words, MODEL)
}
