import {expect, it} from '@jest/globals'
import {spawnSync} from 'node:child_process'
import {mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join, resolve} from 'node:path'

const BLOCK = /```console\n(.*?)```/gs

/** Replaces what differs from run to run. */
type Normalize = (text: string) => string

/**
 * Tests that each `console` block of a page shows what its commands print, run in a new folder that holds examples/. A
 * line `…` stands for the lines between those above and below it. UPDATE_GOLDEN=1 writes what they print into the page
 * instead: read the diff before keeping it.
 */
export function itShowsWhatCommandsPrint(page: string): void {
  const blocks = blocksOf(page)
  it.each(blocks.map((block, index) => ({index, block})))(
    `${page} shows the output of its commands (block $index)`,
    ({block}) => {
      const printed = inNewFolder(folder => transcriptIn(folder, block))
      if (process.env.UPDATE_GOLDEN === '1') replace(page, block, printed)
      expect(printed).toBe(process.env.UPDATE_GOLDEN === '1' ? printed : block)
    },
  )
}

/** How a page is followed. */
interface Following {
  /** Replaces what differs from run to run in both texts. */
  readonly normalize?: Normalize
  /** Changes what is written. */
  readonly edit?: Normalize
  /** Changes the commands that run. */
  readonly command?: Normalize
}

/** The same for a page that is read from top to bottom: its blocks share one folder. */
export function itCanBeFollowed(page: string, following: Following = {}): void {
  it(`${page} shows the output of its commands, run in order`, () => {
    expectFollowed(page, following)
  }, 300_000)
}

/** Expects each block of a page to show what its commands print, run in order in one new folder. */
export function expectFollowed(
  page: string,
  {normalize = text => text, edit = text => text, command = text => text}: Following,
): void {
  const blocks = blocksOf(page)
  const printed = inNewFolder(folder => blocks.map(block => transcriptIn(folder, block, command)))
  if (process.env.UPDATE_GOLDEN === '1') {
    blocks.forEach((block, index) => {
      const text = printed[index] ?? ''
      if (normalize(text) !== normalize(block)) replace(page, block, edit(text))
    })
    return
  }
  expect(printed.map(normalize)).toEqual(blocks.map(normalize))
}

function blocksOf(page: string): readonly string[] {
  return [...readFileSync(page, 'utf8').matchAll(BLOCK)].map(([, block = '']) => block)
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

/** The block's commands, each with what it prints now. */
function transcriptIn(folder: string, block: string, edit: Normalize = text => text): string {
  const printed = commandsOf(block).map(({command, shown}) => {
    const shell = edit(command).replaceAll(/\bkubectl crossplane(?= )/g, `node ${resolve('bin/run.js')}`)
    const {stdout} = spawnSync('sh', ['-c', `(${shell}) 2>&1`], {
      cwd: folder,
      encoding: 'utf8',
      // That of the suite: without it, the one that jest was started with.
      env: process.env,
    })
    return `$ ${command}\n${shortened(stdout, shown)}`
  })
  return printed.join('')
}

interface ShownCommand {
  readonly command: string
  /** The output in the page. */
  readonly shown: string
}

function commandsOf(block: string): readonly ShownCommand[] {
  return block
    .split(/^\$ /m)
    .slice(1)
    .map(text => {
      const end = text.indexOf('\n')
      return {command: text.slice(0, end), shown: text.slice(end + 1)}
    })
}

/** Leaves out the lines that the page leaves out. */
function shortened(printed: string, shown: string): string {
  const [lines, wanted] = [printed.split('\n'), shown.split('\n')]
  const above = wanted.indexOf('…')
  const below = wanted.length - above - 1
  if (above === -1 || lines.length <= above + below) return printed
  return [...lines.slice(0, above), '…', ...lines.slice(lines.length - below)].join('\n')
}

function replace(page: string, block: string, printed: string): void {
  const text = readFileSync(page, 'utf8')
  writeFileSync(page, text.split(`\`\`\`console\n${block}\`\`\``).join(`\`\`\`console\n${printed}\`\`\``))
}
