// What starting costs: beside Node.js itself, and through kubectl beside kubectl alone.
import {chmodSync, mkdirSync, writeFileSync} from 'node:fs'
import {delimiter, join} from 'node:path'
import {MAX_RUNS, measure} from './measure.mjs'
import {measuredRow, peerOf} from './rows.mjs'

/** The wanted ratio to `node -e 0`. */
const WANTED = 2.5
/** The time in which completion has to answer, in milliseconds. */
const COMPLETION = 100

/** @type {import('./parts.mjs').Part} */
export const START = {
  name: 'start',
  title: 'Start',
  about:
    'Commands that do nothing else, compared with `node -e 0`. The baseline of a start through kubectl is the time of kubectl plus 2.5 times that of `node -e 0`. `git` is another tool, for comparison.',
  measure: async ({folder, builds}) => {
    const node = {work: 'node -e 0', command: [process.execPath, '-e', '0']}
    const kubectl = {work: 'kubectl version --client', command: ['kubectl', 'version', '--client']}
    const others = [
      kubectl,
      {work: 'helm version', command: ['helm', 'version']},
      {work: 'git --version', command: ['git', '--version']},
    ]
    const own = builds.flatMap(({name, command}) => [
      {work: 'version', build: name, command: [...command, 'version']},
      {work: '--help', build: name, command: [...command, '--help']},
      {work: 'completion', build: name, command: [...command, '__complete', 'package', 'render', '--o']},
      {
        work: 'kubectl crossplane version',
        build: name,
        command: ['kubectl', 'crossplane', 'version'],
        env: {PATH: pathWith(join(folder, `path-${name}`), command)},
      },
    ])
    const results = await measure([node, ...others, ...own].map(job => ({...job, minRuns: MAX_RUNS})))
    const bare = peerOf(results, node.work)
    const through = peerOf(results, kubectl.work)
    const sum = {name: 'kubectl + 2.5 × node', ms: through.ms + WANTED * bare.ms}
    return {
      rows: results
        .filter(({job, error}) => job.build !== undefined || error === undefined)
        .map(result => {
          const {work, build} = result.job
          if (build === undefined) return measuredRow(result, work === node.work ? {} : {peer: bare})
          if (work === 'completion') return measuredRow(result, {wanted: COMPLETION})
          if (work.startsWith('kubectl')) return measuredRow(result, {peer: sum, wanted: 1})
          return measuredRow(result, {peer: bare, wanted: WANTED})
        }),
      missing: results
        .filter(({job, error}) => job.build === undefined && error !== undefined)
        .map(({job}) => job.work),
    }
  },
}

/**
 * A PATH on which kubectl finds a build as its plugin first.
 *
 * @param {string} folder
 * @param {readonly string[]} command
 */
function pathWith(folder, command) {
  const plugin = join(folder, 'kubectl-crossplane')
  mkdirSync(folder)
  writeFileSync(plugin, `#!/bin/sh\nexec ${command.map(word => `'${word}'`).join(' ')} "$@"\n`)
  chmodSync(plugin, 0o755)
  return `${folder}${delimiter}${process.env.PATH}`
}
