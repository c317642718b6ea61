// What reading a real package costs, and the example of the README.
import {existsSync} from 'node:fs'
import {join} from 'node:path'
import {CHECKOUT} from './builds.mjs'
import {MAX_RUNS, measure} from './measure.mjs'
import {jsYaml} from './js-yaml.mjs'
import {measuredRow, peerOf} from './rows.mjs'

const root = join(import.meta.dirname, '../..')
const PACKAGE = 'corpus/provider-gcp@v0.11.0'
const EXAMPLE = [
  ...['--declaration', join(root, 'examples/platform/crossplane-packages.yaml')],
  ...['--packages', join(root, 'examples/platform/packages')],
]

/** The wanted ratios to `node -e 0`. @type {Record<string, number>} */
const WANTED = {render: 6, lint: 7, inspect: 7, tree: 4}
/** The wanted ratio of `render` to the unpacking of v0.12. */
const BESIDE_ORIGINAL = 2

/** @type {import('./parts.mjs').Part} */
export const PACKAGES = {
  name: 'packages',
  title: 'A real package',
  about:
    '`provider-gcp` v0.11.0 of the corpus, from a folder, and the example of the README. `js-yaml` is its own load and dump of the same files, with the start of Node.js; the original is `package unpack` of Crossplane v0.12.',
  measure: async ({folder, builds, corpus}) => {
    const path = join(corpus, PACKAGE)
    const hasPackage = existsSync(path)
    // Empty where nothing was found.
    const original = process.env.CROSSPLANE_V012 || undefined
    const node = {work: 'node -e 0', command: [process.execPath, '-e', '0'], minRuns: MAX_RUNS}
    const unpack = {
      work: 'v0.12 package unpack',
      command: [
        original ?? '',
        ...['package', 'unpack', '--permission-scope=Cluster', '--content-dir', join(path, '.registry')],
      ],
    }
    const peers = [
      node,
      ...(hasPackage ? [jsYaml('js-yaml', path)] : []),
      ...(hasPackage && original !== undefined ? [unpack] : []),
    ]
    const own = builds.flatMap(({name, command}) =>
      [...(hasPackage ? packageJobs(path) : []), ...exampleJobs(join(folder, `example-${name}.lock`))].map(
        ({work, args}) => ({
          work,
          build: name,
          command: [...command, 'package', ...args],
          minRuns: name === CHECKOUT ? undefined : MAX_RUNS,
        }),
      ),
    )
    const results = await measure([...peers, ...own])
    const [bare, unpacking] = [peerOf(results, node.work), peerOf(results, unpack.work)]
    const rows = results.map(result => {
      const wanted = result.job.build === undefined ? undefined : WANTED[wordOf(result)]
      return measuredRow(result, result.job === node ? {} : {peer: bare, wanted})
    })
    const rendered = results.filter(each => each.job.build !== undefined && wordOf(each) === 'render')
    const beside = rendered.map(each => measuredRow(each, {peer: unpacking, wanted: BESIDE_ORIGINAL}))
    return {
      rows: original === undefined ? rows : [...rows, ...beside],
      missing: [
        ...(hasPackage ? [] : [`${PACKAGE}: CROSSPLANE_CORPUS names the folder of the corpus`]),
        ...(original === undefined
          ? ['the original: CROSSPLANE_V012 names the `crossplane` binary of v0.12']
          : []),
      ],
    }
  },
}

/** The command that a job measures. @param {import('./measure.mjs').Result} result */
function wordOf({job}) {
  return job.work.split(' ')[0] ?? ''
}

/** @param {string} path */
function packageJobs(path) {
  const name = ['--as-package', 'crossplane/provider-gcp:v0.11.0']
  return [
    {work: 'render provider-gcp', args: ['render', path, '--namespace', 'x', ...name]},
    {work: 'lint provider-gcp', args: ['lint', path]},
    {work: 'inspect provider-gcp', args: ['inspect', path, ...name]},
  ]
}

/** @param {string} lock */
function exampleJobs(lock) {
  return [
    {work: 'tree of the example', args: ['tree', ...EXAMPLE]},
    {work: 'lock of the example', args: ['lock', ...EXAMPLE, '--lock-file', lock]},
  ]
}
