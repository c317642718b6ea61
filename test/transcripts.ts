import {expect, it} from '@jest/globals'
import {spawnSync} from 'node:child_process'
import {mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join, resolve} from 'node:path'

const BLOCK = /```console\n(.*?)```/gs

/**
 * Tests that each `console` block of a page shows what its commands print, run in a new folder that holds examples/.
 * UPDATE_GOLDEN=1 writes what they print into the page instead: read the diff before keeping it.
 */
export function itShowsWhatCommandsPrint(page: string): void {
  const blocks = [...readFileSync(page, 'utf8').matchAll(BLOCK)].map(([, block = '']) => block)
  it.each(blocks.map((block, index) => ({index, block})))(
    `${page} shows the output of its commands (block $index)`,
    ({block}) => {
      const printed = transcript(block)
      if (process.env.UPDATE_GOLDEN === '1') replace(page, block, printed)
      expect(printed).toBe(process.env.UPDATE_GOLDEN === '1' ? printed : block)
    },
  )
}

/** The same for a page that is read from top to bottom: its blocks share one folder. */
export function itCanBeFollowed(page: string): void {
  it(`${page} shows the output of its commands, run in order`, () => {
    const blocks = [...readFileSync(page, 'utf8').matchAll(BLOCK)].map(([, block = '']) => block)
    const printed = inNewFolder(folder => blocks.map(block => transcriptIn(folder, block)))
    if (process.env.UPDATE_GOLDEN === '1')
      blocks.forEach((block, index) => replace(page, block, printed[index] ?? ''))
    expect(printed).toEqual(process.env.UPDATE_GOLDEN === '1' ? printed : blocks)
  })
}

/** The block's commands, each with what it prints now. */
function transcript(block: string): string {
  return inNewFolder(folder => transcriptIn(folder, block))
}

function inNewFolder<T>(work: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'transcript-'))
  symlinkSync(resolve('examples'), join(folder, 'examples'))
  try {
    return work(folder)
  } finally {
    rmSync(folder, {recursive: true})
  }
}

function transcriptIn(folder: string, block: string): string {
  const printed = commandsOf(block).map(command => {
    const shell = command.replace(/^kubectl crossplane/, `node ${resolve('bin/run.js')}`)
    const {stdout} = spawnSync('sh', ['-c', `(${shell}) 2>&1`], {
      cwd: folder,
      encoding: 'utf8',
      // That of the suite: without it, the one that jest was started with.
      env: process.env,
    })
    return `$ ${command}\n${stdout}`
  })
  return printed.join('')
}

function commandsOf(block: string): string[] {
  return [...block.matchAll(/^\$ (.*)$/gm)].map(([, command = '']) => command)
}

function replace(page: string, block: string, printed: string): void {
  const text = readFileSync(page, 'utf8')
  writeFileSync(page, text.split(`\`\`\`console\n${block}\`\`\``).join(`\`\`\`console\n${printed}\`\`\``))
}
