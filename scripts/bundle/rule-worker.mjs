import {build} from 'esbuild'
import {dirname, join} from 'node:path'

/** The worker that evaluates the rules of policies, which lies beside a bundle or is an asset of an executable. */
export const RULE_WORKER = 'rule-worker.cjs'

/**
 * Writes the worker as one script beside a bundle.
 *
 * @param {string} root the folder of package.json, with `dist` built
 * @param {string} bundle
 * @param {import('esbuild').TransformOptions} code
 * @returns {Promise<import('esbuild').Metafile>}
 */
export async function bundleRuleWorker(root, bundle, code) {
  const {metafile = {inputs: {}, outputs: {}}} = await build({
    absWorkingDir: root,
    entryPoints: ['dist/adapters/cel/rule-worker.js'],
    outfile: join(dirname(bundle), RULE_WORKER),
    bundle: true,
    metafile: true,
    platform: 'node',
    format: 'cjs',
    logLevel: 'warning',
    .../** @type {import('esbuild').BuildOptions} */ (code),
  })
  return metafile
}

/**
 * Lets a bundle read the worker by what starts it, as the files of the engines.
 *
 * @type {import('esbuild').Plugin}
 */
export const ruleWorker = {
  name: 'rule-worker',
  setup(build) {
    build.onLoad({filter: /dist[\\/]adapters[\\/]cel[\\/]worker-code\.js$/}, () => ({
      contents: `import {readBundleFile} from 'bundle-files'
export const workerCode = () => ({script: new TextDecoder().decode(readBundleFile('${RULE_WORKER}'))})`,
    }))
  },
}
